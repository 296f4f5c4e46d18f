/* prof --heap: what a command allocates and who does, or recordings of that. */
#include "prof_request.h"

#include "applets/report_screen.h"
#include "core/base/buf.h"
#include "core/heap/report.h"
#include "core/sample/chain_ends.h"
#include "engine/prof/heap.h"

#include <string.h>

struct showing {
    const struct prof_request *q;
    const struct sampling *sampling;
    const struct sampling_view *view;
    const struct stacks *stacks;
    struct buf notes;
};

int prof_heap_weight(struct prof_request *q, const struct opt_state *o)
{
    static const char *const names[SAMPLED_HEAP_WEIGHTS] = {
        [SAMPLED_HEAP_PEAK] = "peak",
        [SAMPLED_HEAP_NOW] = "end",
        [SAMPLED_HEAP_ALLOCATED] = "allocated",
        [SAMPLED_HEAP_CALLS] = "calls",
    };
    for (size_t i = 0; i < SAMPLED_HEAP_WEIGHTS; i++)
        if (strcmp(names[i], o->arg) == 0) {
            q->ask.view.heap_weight = (enum sampled_heap_weight)i;
            return 1;
        }
    return opt_wrong(o, "no such amount (peak, end, allocated, calls)");
}

/* --- the report and the files --- */

static int render_table(void *arg, const struct report_part *part, struct buf *out)
{
    const struct showing *s = arg;
    const struct heap_view v = {.stacks = s->stacks,
                                .totals = &s->sampling->sampled.heap,
                                .lines = s->q->lines,
                                .width = s->view->size.width,
                                .notes = buf_str(&s->notes)};
    return heap_report(&v, part, out);
}

static int render_chains(void *arg, const struct report_part *part, struct buf *out)
{
    const struct showing *s = arg;
    struct fail f;
    int r = sampling_stacks_report(s->stacks, s->view, part, out, &f);
    if (r == 0)
        buf_adds(out, buf_str(&s->notes));
    return r;
}

static int add_report(struct showing *s, struct buf *out, struct fail *f)
{
    const struct report_part all = {0};
    if (s->view->json || s->view->form == SAMPLING_AROUND)
        return sampling_stacks_report(s->stacks, s->view, &all, out, f);
    report_render *render = s->view->form == SAMPLING_FLAT ? render_table : render_chains;
    chain_ends_text(&s->sampling->sampled, &s->notes);
    int r = report_fit(&s->view->size, render, s, out);
    return r < 0 ? fail_set(f, -r, "report") : 0;
}

static int print_report(const struct prof_request *q, const struct sampling *s,
                        const struct stacks *stacks)
{
    struct fail f;
    SCOPED_BUF out = BUF_INIT;
    struct sampling_view view = q->ask.view;
    struct showing showing = {.q = q, .sampling = s, .view = &view, .stacks = stacks};
    sampling_set_size(&q->ask, &view, 0);
    int status = add_report(&showing, &out, &f) < 0 ? applet_fail(q->ask.applet, &f)
                                                    : sampling_print_report(&q->ask, &out);
    buf_release(&showing.notes);
    return status;
}

static int write_results(const struct prof_request *q, struct sampling *s)
{
    struct fail f;
    SCOPED(stacks_release) struct stacks stacks;
    int status =
        sampling_stacks(s, &q->ask.view, &stacks, &f) < 0 ? applet_fail(q->ask.applet, &f) : DONE;
    if (status == DONE && q->ask.outputs)
        status = sampling_write(&q->ask, &stacks, NULL);
    if (status == DONE && (!q->ask.quiet || q->ask.report))
        status = print_report(q, s, &stacks);
    sampling_warn(&q->ask, s, "the heap profile");
    if (status == DONE)
        sampling_say_wrote(&q->ask);
    return status;
}

/* --- */

static int run_command(const struct prof_request *q, struct sampling *s, struct child_end *end)
{
    struct fail f;
    int err = heap_profile_run(&q->ask.want, s, end, &f);
    report_below_interrupt(end->signalled ? end->code : 0);
    if (err == 0)
        return DONE;
    applet_fail(q->ask.applet, &f);
    return end->real_ns ? FAILED : applet_not_executed(err);
}

static int read_recording(const struct prof_request *q, const char *path, struct sampling *s)
{
    struct fail f;
    return heap_profile_read(&q->ask.want, path, s, &f) < 0 ? applet_fail(q->ask.applet, &f) : DONE;
}

int prof_heap(struct prof_request *q, char **operand, int operands)
{
    SCOPED(sampling_release) struct sampling s = {0};
    struct child_end end = {0};
    if (!q->ask.command && operands != 1)
        return applet_misuse(q->ask.applet, "--heap takes one recording, or -x and a command");
    int status = sampling_check_outputs(&q->ask);
    if (status != DONE)
        return status;
    q->ask.view.applet = "prof";
    q->ask.want.command = q->ask.command ? operand : NULL;
    status = q->ask.command ? run_command(q, &s, &end) : read_recording(q, operand[0], &s);
    if (status == DONE)
        status = write_results(q, &s);
    return status == DONE && q->ask.command ? child_status(&end) : status;
}
