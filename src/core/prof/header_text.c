/* What a call tree tells of itself. */
#include "core/prof/report.h"

#include "build.h"
#include "core/base/buf.h"
#include "core/base/time_ns.h"
#include "core/text/counted.h"
#include "core/text/shown.h"
#include "core/text/table.h"
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

static uint64_t samples_of(const struct prof_tree *t)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < t->threads; i++)
        sum += t->thread[i].samples + t->thread[i].hook_samples;
    return sum;
}

/* By the thread that has most samples in its probes, where one has enough. */
static double sampled_cost_ps(const struct prof_tree *t)
{
    const struct prof_thread *best = NULL;
    for (size_t i = 0; i < t->threads; i++)
        if (!best || t->thread[i].hook_samples > best->hook_samples)
            best = &t->thread[i];
    return best ? prof_sampled_cost_ps(t, best) : 0;
}

static void add_probes(const struct prof_tree *t, bool raw, struct buf *out)
{
    double cost = sampled_cost_ps(t);
    double at_start = (double)t->about.inside_ps + (double)t->about.outside_ps;
    buf_printf(out, ", probes of %.1f ns a call %s", (cost > 0 ? cost : at_start) / 1000,
               raw ? "included" : "taken out");
    if (cost > 0)
        buf_printf(out, " by %s", counted(samples_of(t), "sample").text);
}

/* Why there are no samples, where there might have been. */
static void add_unsampled(const struct prof_about *a, struct buf *out)
{
    if (!(a->sampling & PSPROF_UNSAMPLED))
        return;
    buf_adds(out, ", not sampled");
    if (a->sampling & PSPROF_SAMPLES_REFUSED)
        buf_printf(out, ": perf events %sare not permitted",
                   a->sampling & PSPROF_SAMPLES_NO_KERNEL ? "of kernel mode " : "");
    else if (a->sampling & PSPROF_SAMPLES_UNWANTED)
        buf_adds(out, ": profsample=0");
    else if (a->sampling & PSPROF_SAMPLES_UNKNOWN)
        buf_adds(out, ": too few timer interrupts came to measure one");
    else if (a->sample_cost_ns)
        buf_printf(out, ": a timer interrupt takes %.0f us", (double)a->sample_cost_ns / 1000);
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
    if (a->sampling & PSPROF_SAMPLED_ALONE) {
        shown_printf(out, "exact calls, %s by %" PRIu64 " samples (%.1f ms)",
                     prof_type_name(a->type), samples_of(t), (double)a->sample_ns / 1e6);
        return;
    }
    shown_printf(out, "%s, %s by %s (%.1f ns)",
                 a->type == PSPROF_ADAPTIVE ? "exact calls" : "exact", prof_type_name(a->type),
                 a->clock, (double)a->resolution_ps / 1000);
    if (a->inside_ps || a->outside_ps)
        add_probes(t, raw, out);
    add_unsampled(a, out);
}

int prof_marks_text(const struct prof_tree *t, struct buf *out)
{
    struct table table;
    table_init(&table, ">ms.3 >thread <mark");
    for (size_t i = 0; i < t->marks; i++)
        table_cells(&table, (double)t->mark[i].ns / 1e6, t->mark[i].tid, t->mark[i].name);
    return table_print(&table, out, 0);
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
                   "%s did not fit (%s refused): the time counts as the callers'; use a larger "
                   "profsize\n",
                   counted(s.refused, "call").text, counted(s.refused_nodes, "node").text);
    if (t->about.threads_refused)
        buf_printf(out, "%s did not fit: missing here\n",
                   counted(t->about.threads_refused, "thread").text);
    if (t->about.modules_refused)
        buf_printf(out, "%s did not fit: functions there have no names\n",
                   counted(t->about.modules_refused, "module").text);
}

static void remark_unsampled(const struct prof_about *a, struct buf *out)
{
    if (a->threads_unsampled && a->sample_ns)
        buf_printf(out, "%s could not be sampled: %s\n",
                   counted(a->threads_unsampled, "thread").text,
                   a->sampling & PSPROF_SAMPLED_ALONE
                       ? "their times are missing"
                       : "the cost of their probes is taken from the program's start");
}

static void remark_exits(const struct prof_tree *t, struct buf *out)
{
    struct sums s = sum_up(t);
    if (s.missed_exits)
        buf_printf(out, "%s did not return (longjmp, exceptions, ends of threads)\n",
                   counted(s.missed_exits, "call").text);
    if (s.orphan_exits)
        buf_printf(out, "%s from calls that began before the recording\n",
                   counted(s.orphan_exits, "return").text);
}

static void remark_errors(const struct prof_tree *t, struct buf *out)
{
    uint64_t error = 0, total = 0, preempted = 0;
    for (size_t i = 0; i < t->nodes; i++) {
        error += t->node[i].error_ns;
        total += t->node[i].self_ns;
    }
    for (size_t i = 0; i < t->threads; i++)
        preempted += t->thread[i].preempted_ns;
    if (error > total / 20 && error >= NS_PER_MS / 2)
        buf_printf(out,
                   "times may be off by %.0f ms in total: the cost of the probes is estimated\n",
                   (double)error / 1e6);
    if (preempted > total / 20 && preempted >= NS_PER_MS / 2)
        buf_printf(out, "%.0f ms are left out in which other programs had the CPU\n",
                   (double)preempted / 1e6);
}

/* What the process really took, where the times above are well below it or above it. */
static void remark_process(const struct prof_tree *t, struct buf *out)
{
    const struct prof_about *a = &t->about;
    double shown = 0, spent = 0, cpu = (double)a->cpu_ns;
    for (size_t i = 0; i < t->threads; i++) {
        shown += (double)t->thread[i].total_ns;
        spent += (double)t->thread[i].spent_ns;
    }
    bool is_apart = spent - shown > shown / 4 + NS_PER_MS || shown - cpu > cpu / 4 + NS_PER_MS;
    if (cpu > 0 && prof_tree_timed(t) && is_apart)
        buf_printf(out, "shown: %.0f ms; the run with its probes: %.0f ms, CPU time %.0f ms\n",
                   shown / 1e6, (double)a->duration_ns / 1e6, cpu / 1e6);
}

void prof_remarks(const struct prof_tree *t, bool all, struct buf *out)
{
    const struct prof_about *a = &t->about;
    size_t scaled = prof_tree_scaled(t);
    if (a->version != 2)
        return;
    if (a->type_note[0])
        shown_printf(out, "measured as %s: %s\n", prof_type_name(a->type), a->type_note);
    if (a->truncated)
        buf_adds(out, "cut off: only what precedes the cut is reported\n");
    if (!a->ended)
        buf_adds(out, "no regular end: the program still runs or was killed; open calls count up "
                      "to its last event\n");
    remark_refused(t, out);
    if (all)
        remark_exits(t, out);
    remark_errors(t, out);
    remark_process(t, out);
    remark_unsampled(a, out);
    if (scaled)
        buf_printf(out,
                   "%zu of %zu nodes had only some of their calls timed: their times are scaled\n",
                   scaled, t->nodes);
}
