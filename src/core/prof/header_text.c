/* What a call tree tells of itself. */
#include "core/prof/report.h"

#include "core/base/buf.h"
#include "core/base/shown.h"
#include "runtime/psprof_file.h"

#include <inttypes.h>

static const char *const types[] = {
    [PSPROF_ELAPSED] = "elapsed", [PSPROF_KERNEL] = "kernel", [PSPROF_USER] = "user",
    [PSPROF_SAMPLE] = "sample",   [PSPROF_COUNT] = "count",   [PSPROF_ADAPTIVE] = "adaptive",
};

const char *prof_type_name(uint32_t type)
{
    return type && type < sizeof types / sizeof *types ? types[type] : "unknown type";
}

void prof_method(const struct prof_tree *t, bool raw, struct buf *out)
{
    const struct prof_about *a = &t->about;
    if (!prof_tree_timed(t)) {
        buf_printf(out, "exact, calls only, by %s", a->version == 1 ? "function" : "caller");
        return;
    }
    if (a->version == 1) {
        buf_adds(out, "exact, milliseconds");
        return;
    }
    shown_printf(out, "%s, %s by %s (%.1f ns)",
                 a->type == PSPROF_ADAPTIVE ? "exact calls" : "exact", prof_type_name(a->type),
                 a->clock, (double)a->resolution_ps / 1000);
    if (a->inside_ps || a->outside_ps)
        buf_printf(out, ", probes of %.1f ns a call %s",
                   ((double)a->inside_ps + (double)a->outside_ps) / 1000,
                   raw ? "included" : "taken out");
}

/* --- remarks --- */

struct sums {
    uint64_t refused, refused_nodes, missed_exits, orphan_exits;
};

static struct sums sum_up(const struct prof_tree *t)
{
    struct sums s = {0};
    for (size_t i = 0; i < t->threads; i++) {
        s.refused += t->thread[i].refused;
        s.refused_nodes += t->thread[i].refused_nodes;
        s.missed_exits += t->thread[i].missed_exits;
        s.orphan_exits += t->thread[i].orphan_exits;
    }
    return s;
}

static void remark_refused(const struct prof_tree *t, struct buf *out)
{
    struct sums s = sum_up(t);
    if (s.refused)
        buf_printf(out,
                   "%" PRIu64 " calls found no room (%" PRIu64
                   " nodes refused): their time is their callers'; a greater profsize helps\n",
                   s.refused, s.refused_nodes);
    if (t->about.threads_refused)
        buf_printf(out, "%" PRIu32 " threads found no room, and are missing\n",
                   t->about.threads_refused);
    if (t->about.modules_refused)
        buf_printf(out, "%" PRIu32 " modules found no room: their functions have no names\n",
                   t->about.modules_refused);
}

static void remark_exits(const struct prof_tree *t, struct buf *out)
{
    struct sums s = sum_up(t);
    if (s.missed_exits)
        buf_printf(out, "%" PRIu64 " calls did not return (longjmp, exceptions, ends of threads)\n",
                   s.missed_exits);
    if (s.orphan_exits)
        buf_printf(out, "%" PRIu64 " returns were of calls from before the recording\n",
                   s.orphan_exits);
}

void prof_remarks(const struct prof_tree *t, bool all, struct buf *out)
{
    const struct prof_about *a = &t->about;
    size_t scaled = prof_tree_scaled(t);
    if (a->version != 2)
        return;
    if (a->type_note[0])
        shown_printf(out, "measured as %s: %s\n", prof_type_name(a->type), a->type_note);
    if (a->cut)
        buf_adds(out, "cut off: what stands before its end is reported\n");
    if (!a->ended)
        buf_adds(out, "not ended in order: the program still runs or was killed; open calls are "
                      "counted up to its last event\n");
    remark_refused(t, out);
    if (all)
        remark_exits(t, out);
    if (scaled)
        buf_printf(out, "%zu of %zu nodes had some of their calls timed: their times are scaled\n",
                   scaled, t->nodes);
}
