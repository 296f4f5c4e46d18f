/* What a profile says. */
#include "engine/prof/profile.h"

#include "core/base/buf.h"
#include "core/base/sort.h"
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

/* One report, in the part that is shown. */
struct rendering {
    const struct profile *profile;
    const struct profile_view *view;
    const struct report_part *part;
    struct fail *f;
};

static int report_stacks(const struct rendering *m, uint32_t thread, struct buf *out)
{
    const struct profile_view *v = m->view;
    SCOPED(stacks_release) struct stacks stacks;
    size_t flattened;
    struct prof_stacks_want want = {thread, v->threads && v->view.json, 0};
    int r = make_stacks(m->profile, &want, &stacks, &flattened, m->f);
    if (r == 0)
        r = sampling_stacks_report(&stacks, &v->view, m->part, out, m->f);
    return r;
}

/* --- Plan 9's --- */

static int write_flat(const struct rendering *m, uint32_t thread, struct buf *out)
{
    SCOPED(prof_flat_release) struct prof_flat flat;
    const struct prof_names *names = &m->profile->names;
    struct prof_flat_options look = {.max_rows = m->part->rows,
                                     .fitted = m->part->fitted,
                                     .width = m->view->view.size.width,
                                     .lines = m->view->lines,
                                     .errors = m->view->errors};
    int r = prof_flat_make(names, thread, &flat);
    if (m->view->nodes)
        prof_nodes_text(names, thread, out);
    if (r == 0)
        prof_flat_text(&flat, &look, out);
    return r;
}

static int write_lines(const struct rendering *m, uint32_t thread, struct buf *out)
{
    const struct profile *p = m->profile;
    struct prof_graph_options look = {m->view->recursion, m->view->tabstop};
    if (p->tree.threads == 0 && p->tree.about.version == 1)
        return 0; /* an empty file prints nothing */
    return m->view->graph ? prof_graph_text(&p->names, thread, &look, out)
                          : write_flat(m, thread, out);
}

static int write_marks(const struct profile *p, struct buf *out, struct fail *f)
{
    int r = prof_marks_text(&p->tree, out);
    return r < 0 ? fail_set(f, -r, "report") : 0;
}

static int one_report(const struct rendering *m, uint32_t thread, struct buf *out)
{
    if (m->view->view.form != SAMPLING_FLAT)
        return report_stacks(m, thread, out);
    int r = write_lines(m, thread, out);
    return r < 0 ? fail_set(m->f, -r, "report") : 0;
}

/* --- threads --- */

struct busy {
    uint64_t total_ns;
    uint32_t thread;
};

static int compare_busy(const void *a, const void *b)
{
    const struct busy *x = a, *y = b;
    return ORDER(y->total_ns, x->total_ns) ?: ORDER(x->thread, y->thread);
}

static void write_thread_head(const struct prof_thread *t, bool first, struct buf *out)
{
    buf_adds(out, first ? "" : "\n");
    shown_printf(out, "thread %" PRIu32 " %s", t->tid, t->name);
    if (t->threads > 1)
        buf_printf(out, ", the last of %" PRIu32, t->threads);
    buf_addc(out, '\n');
}

/* Those that have no table. */
static void write_threads_rest(const struct busy *order, size_t from, size_t threads,
                               struct buf *out)
{
    uint64_t ns = 0;
    for (size_t i = from; i < threads; i++)
        ns = ns + order[i].total_ns < ns ? UINT64_MAX : ns + order[i].total_ns;
    if (from < threads)
        buf_printf(out, "\n(%zu more thread%s: %.3f s: --rows all)\n", threads - from,
                   threads - from == 1 ? "" : "s", (double)ns / 1e9);
}

static int each_thread(const struct rendering *m, struct buf *out)
{
    const struct prof_tree *t = &m->profile->tree;
    SCOPED_FREE struct busy *order = calloc(t->threads + 1, sizeof *order);
    size_t shown = m->part->tables && m->part->tables < t->threads ? m->part->tables : t->threads;
    int r = 0;
    if (!order)
        return fail_set(m->f, ENOMEM, "report");
    for (uint32_t i = 0; i < t->threads; i++)
        order[i] = (struct busy){t->thread[i].total_ns, i};
    sort_array(order, t->threads, sizeof *order, compare_busy);
    for (size_t i = 0; i < shown && r == 0; i++) {
        write_thread_head(&t->thread[order[i].thread], i == 0, out);
        r = one_report(m, order[i].thread, out);
    }
    write_threads_rest(order, shown, t->threads, out);
    return r;
}

static int render_report(void *arg, const struct report_part *part, struct buf *out)
{
    struct rendering *m = arg;
    m->part = part;
    return m->view->threads ? each_thread(m, out) : one_report(m, PROF_NONE, out);
}

int profile_report(const struct profile *p, const struct profile_view *v, struct buf *out,
                   struct fail *f)
{
    struct report_part all = {0};
    struct rendering m = {p, v, &all, f};
    bool functions =
        !v->graph && (v->view.form == SAMPLING_FLAT || v->view.form == SAMPLING_CUMULATIVE);
    if (v->marks && !v->view.json)
        return write_marks(p, out, f);
    if (v->view.json && functions) {
        int r = prof_json(&p->names, p->method, v->threads, out);
        return r < 0 ? fail_set(f, -r, "report") : 0;
    }
    if (v->view.json)
        return report_stacks(&m, PROF_NONE, out);
    if (v->graph || v->nodes)
        return render_report(&m, &all, out);
    return report_fit(&v->view.size, render_report, &m, out);
}
