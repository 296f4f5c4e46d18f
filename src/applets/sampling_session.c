/* One sampling from its start to its exit status. */
#include "sampling_request.h"

#include "applets/progress.h"
#include "applets/report_screen.h"
#include "applets/sampling_several.h"
#include "core/base/buf.h"
#include "core/text/counted.h"
#include "engine/sampling/top.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct drawing {
    struct progress line;
    const struct sampling_request *request;
};

static void begin_progress(struct drawing *d)
{
    const struct sampling_want *want = &d->request->want;
    SCOPED_BUF what = BUF_INIT;
    if (want->pid)
        progress_process(&what, want->pid);
    else
        buf_adds(&what, want->no_user ? "the kernel" : "all processes");
    if (want->seconds > 0)
        buf_printf(&what, " for %g s", want->seconds);
    progress_begin(&d->line, "sampling %s", buf_str(&what));
}

static void show_progress(void *arg, const struct sampled *so_far)
{
    struct drawing *d = arg;
    if (d->line.width && !d->line.begun)
        begin_progress(d);
    if (!progress_due(&d->line))
        return;
    SCOPED_BUF line = BUF_INIT;
    buf_printf(&line, "%.0f s, %s", (double)d->line.spent_ns / 1e9,
               counted(so_far->count.samples, "sample").text);
    if (so_far->loss.lost)
        buf_printf(&line, ", %llu lost", (unsigned long long)so_far->loss.lost);
    progress_draw(&d->line, "%s", buf_str(&line));
}

/* What was written on request is said to whoever reads the log of a recorder that runs for days,
 * too. */
static void say_kept(void *arg, const struct keeper_written *w)
{
    struct drawing *d = arg;
    const struct sampling_request *q = d->request;
    progress_wipe(&d->line);
    if (w->failed)
        applet_fail(q->applet, w->failed);
    else if (!q->quiet)
        applet_warn(q->applet, "%s: the last %.1f s, %s%s", w->path, (double)w->length_ns / 1e9,
                    counted(w->samples, "sample").text,
                    w->full ? ": no more fit into a sixteenth of the memory" : "");
}

/* A command draws on the terminal itself. */
static int run_sampling(const struct sampling_request *q, struct sampling *s, struct fail *f)
{
    struct drawing d = {.request = q};
    struct sampling_want want = q->want;
    progress_start(&d.line, !q->want.command && !q->quiet);
    want.round = show_progress;
    want.written = say_kept;
    want.arg = &d;
    int r = sampling_run(&want, s, f);
    progress_wipe(&d.line);
    return r;
}

static int command_status(const struct sampling_request *q, struct sampling *s, int status)
{
    struct fail f;
    if (sampling_wait(s, &f) < 0)
        return applet_fail(q->applet, &f);
    return status == DONE ? child_status(&s->command.end) : status;
}

static void warn_of_rate(const struct sampling_request *q, const struct sampling *s)
{
    if (s->sampled.want.hz && s->sampled.want.hz < q->want.hz)
        applet_warn(q->applet,
                    "-F: %llu: the kernel allows %llu Hz at most "
                    "(kernel.perf_event_max_sample_rate)",
                    (unsigned long long)q->want.hz, (unsigned long long)s->sampled.want.hz);
}

/* A live view lasts: where functions are all that is shown, they are all that takes memory. */
static bool counts_functions(const struct sampling_request *q)
{
    return q->top && q->want.chains == CHAINS_NONE && sampling_shows_functions(q);
}

struct recorded {
    const struct sampling *sampling;
    const char *path; /* NULL: in memory */
};

int sampling_read_recorded(const struct sampling *recorded, const char *path,
                           const struct sampling_want *want, struct sampling *s, struct fail *f)
{
    const struct buf *memory = &recorded->run.recorder.memory;
    struct image image = {.len = memory->len};
    const char *kept = buf_str(&recorded->run.keeper.last);
    if (path)
        return sampling_read(want, *kept ? kept : path, s, f);
    uint8_t *copy = malloc(memory->len + 1);
    if (!copy) {
        sampling_init(want, s);
        return fail_set(f, ENOMEM, "the recording");
    }
    memcpy(copy, buf_str(memory), memory->len);
    image.data = copy;
    return sampling_read_image(want, &image, "the recording", s, f);
}

/* What was sampled by several events is in the recording. */
static int read_event(const void *arg, const struct sampling_want *want, struct sampling *s,
                      struct fail *f)
{
    const struct recorded *r = arg;
    return sampling_read_recorded(r->sampling, r->path, want, s, f);
}

static int report_events(const struct sampling_request *q, const struct sampling *s)
{
    const struct recorded recorded = {s, q->want.record};
    const struct sampling_several from = {(unsigned)s->run.events, read_event, &recorded,
                                          "the recording"};
    if (q->quiet && !q->report && !q->outputs)
        return DONE;
    return sampling_write_several(q, &from);
}

static int write_results(const struct sampling_request *q, struct sampling *s)
{
    if (q->write_recorded)
        return q->write_recorded(q->arg, s);
    return q->want.mores ? report_events(q, s) : sampling_write_results(q, s);
}

int sampling_session(struct sampling_request *q)
{
    struct fail f;
    if (q->outputs && q->want.chains == CHAINS_NONE)
        q->want.chains = CHAINS_CFI;
    int status = sampling_check_outputs(q);
    if (status)
        return status;
    q->want.by_function = counts_functions(q);
    q->want.forgets = q->top && !q->want.record && !q->outputs;
    SCOPED(sampling_release) struct sampling s;
    int r = q->top ? sampling_top(&q->want, q->view.no_demangle, &s, &f) : run_sampling(q, &s, &f);
    if (r < 0 && !s.sampled.count.samples) {
        status = applet_fail(q->applet, &f);
        if (q->want.command && s.run.sampler && !s.command.executed)
            status = applet_not_executed(r);
        sampling_wait(&s, NULL); /* a command that runs already runs on to its end */
    } else {
        status = r < 0 ? applet_fail(q->applet, &f) : DONE; /* what was counted stands */
        if (q->want.command)
            report_below_interrupt(s.command.interrupted);
        warn_of_rate(q, &s);
        int reported = write_results(q, &s);
        status = status ? status : reported;
        if (q->want.record && status == DONE && !q->quiet)
            report_wrote(q->want.keep_seconds > 0 ? buf_str(&s.run.keeper.last) : q->want.record,
                         "psuite tprof %");
        if (q->want.command)
            status = command_status(q, &s, status);
    }
    return status;
}
