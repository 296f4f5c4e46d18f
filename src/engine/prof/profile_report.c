/* What a profile says. */
#include "engine/prof/profile.h"

#include "core/base/buf.h"
#include "core/base/sort.h"
#include "core/export/writer.h"
#include "core/prof/report.h"
#include "core/prof/stacks.h"
#include "core/text/shown.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* --- stacks --- */

static int make_stacks(const struct profile *p, const struct prof_stacks_want *want,
                       struct stacks *out, size_t *flattened, struct fail *f)
{
    int r = prof_stacks(&p->names, want, out, flattened);
    out->origin.applet = "prof";
    out->origin.method = p->method;
    return r < 0 ? fail_set(f, -r, "report") : 0;
}

int profile_stacks(const struct profile *p, bool by_thread, struct stacks *out, size_t *flattened,
                   struct fail *f)
{
    struct prof_stacks_want want = {PROF_NONE, by_thread, PROF_STACKS_DEPTH};
    return make_stacks(p, &want, out, flattened, f);
}

int profile_whole_stacks(const struct profile *p, struct stacks *out, struct fail *f)
{
    size_t flattened;
    struct prof_stacks_want want = {PROF_NONE, false, 0};
    return make_stacks(p, &want, out, &flattened, f);
}

static int report_stacks(const struct profile *p, const struct profile_view *v, uint32_t thread,
                         struct buf *out, struct fail *f)
{
    struct stacks stacks;
    size_t flattened;
    struct prof_stacks_want want = {thread, v->threads && v->view.json, 0};
    int r = make_stacks(p, &want, &stacks, &flattened, f);
    if (r == 0)
        r = sampling_stacks_report(&stacks, &v->view, out, f);
    stacks_release(&stacks);
    return r;
}

/* --- Plan 9's --- */

static int write_flat(const struct profile *p, const struct profile_view *v, uint32_t thread,
                      struct buf *out)
{
    struct prof_flat flat;
    struct prof_flat_options look = {v->view.rows, v->lines, v->errors};
    int r = prof_flat_make(&p->names, thread, &flat);
    if (v->nodes)
        prof_nodes_text(&p->names, thread, out);
    if (r == 0)
        prof_flat_text(&flat, &look, out);
    prof_flat_release(&flat);
    return r;
}

static int write_lines(const struct profile *p, const struct profile_view *v, uint32_t thread,
                       struct buf *out)
{
    struct prof_graph_options look = {v->recursion, v->tabstop};
    if (p->tree.threads == 0 && p->tree.about.version == 1)
        return 0; /* an empty file prints nothing */
    return v->graph ? prof_graph_text(&p->names, thread, &look, out)
                    : write_flat(p, v, thread, out);
}

static int write_marks(const struct profile *p, struct buf *out, struct fail *f)
{
    int r = prof_marks_text(&p->tree, out);
    return r < 0 ? fail_set(f, -r, "report") : 0;
}

static int one_report(const struct profile *p, const struct profile_view *v, uint32_t thread,
                      struct buf *out, struct fail *f)
{
    if (v->view.form != SAMPLING_FLAT)
        return report_stacks(p, v, thread, out, f);
    int r = write_lines(p, v, thread, out);
    return r < 0 ? fail_set(f, -r, "report") : 0;
}

/* --- threads --- */

struct busy {
    uint64_t total_ns;
    uint32_t thread;
};

static int compare_busy(const void *a, const void *b)
{
    const struct busy *x = a, *y = b;
    if (x->total_ns != y->total_ns)
        return x->total_ns > y->total_ns ? -1 : 1;
    return x->thread < y->thread ? -1 : 1;
}

static void write_thread_head(const struct prof_thread *t, bool first, struct buf *out)
{
    buf_adds(out, first ? "" : "\n");
    shown_printf(out, "thread %" PRIu32 " %s", t->tid, t->name);
    if (t->threads > 1)
        buf_printf(out, ", the last of %" PRIu32, t->threads);
    buf_addc(out, '\n');
}

static int each_thread(const struct profile *p, const struct profile_view *v, struct buf *out,
                       struct fail *f)
{
    struct busy *order = calloc(p->tree.threads + 1, sizeof *order);
    int r = 0;
    if (!order)
        return fail_set(f, ENOMEM, "report");
    for (uint32_t i = 0; i < p->tree.threads; i++)
        order[i] = (struct busy){p->tree.thread[i].total_ns, i};
    sort_array(order, p->tree.threads, sizeof *order, compare_busy);
    for (size_t i = 0; i < p->tree.threads && r == 0; i++) {
        write_thread_head(&p->tree.thread[order[i].thread], i == 0, out);
        r = one_report(p, v, order[i].thread, out, f);
    }
    free(order);
    return r;
}

int profile_report(const struct profile *p, const struct profile_view *v, struct buf *out,
                   struct fail *f)
{
    bool functions =
        !v->graph && (v->view.form == SAMPLING_FLAT || v->view.form == SAMPLING_CUMULATIVE);
    if (v->marks && !v->view.json)
        return write_marks(p, out, f);
    if (v->view.json && functions) {
        int r = prof_json(&p->names, p->method, v->threads, out);
        return r < 0 ? fail_set(f, -r, "report") : 0;
    }
    if (v->view.json)
        return report_stacks(p, v, PROF_NONE, out, f);
    return v->threads ? each_thread(p, v, out, f) : one_report(p, v, PROF_NONE, out, f);
}
