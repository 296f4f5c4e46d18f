/* A row's statistics as trace(1) words them, and their reset; a run in words. */
#include "core/timeline/timeline_model.h"

#include "core/base/buf.h"
#include "core/base/time_ns.h"
#include "core/text/shown.h"

#include <inttypes.h>
#include <string.h>

static void reset_row(struct sched_row *row, uint64_t now_ns)
{
    sched_latency_release(&row->stats.wakeup);
    sched_latency_release(&row->stats.stayed);
    row->stats = (struct sched_stats){.since_ns = now_ns};
}

void sched_spans_reset(struct sched_spans *s, uint64_t now_ns)
{
    for (size_t i = 0; i < s->rows; i++)
        reset_row(s->row[i], now_ns);
    s->dead_octaves = 0;
    for (size_t i = 0; i < s->cpus; i++)
        memset(s->cpu[i].count, 0, sizeof s->cpu[i].count);
}

static void add_time(struct buf *out, const char *before, uint64_t ns)
{
    buf_adds(out, before);
    sched_time_text(out, (int64_t)ns);
}

void sched_run_text(struct buf *out, const struct sched_run *run)
{
    add_time(out, "ran ", run->end_ns - run->start_ns);
    if (run->cpu >= 0)
        buf_printf(out, " on CPU %d", run->cpu);
    if (sched_run_wait(run))
        add_time(out, " after a wait of ", sched_run_wait(run));
}

void sched_row_text(struct buf *out, const struct sched_row *row, const char *name, uint64_t now_ns)
{
    const struct sched_stats *t = &row->stats;
    uint64_t elapsed = now_ns > t->since_ns ? now_ns - t->since_ns : 0;
    uint64_t seconds = elapsed / NS_PER_S;
    shown_printf(out, "%" PRId32 " %s", row->pid, name);
    if (t->releases) {
        add_time(out, " per ", elapsed / t->releases);
        add_time(out, " | avg: ", t->run_ns / t->releases);
        add_time(out, " max: ", t->release_max_ns);
    } else if (seconds) {
        add_time(out, " per 1s | avg: ", t->run_ns / seconds);
        add_time(out, " total: ", t->run_ns);
    } else {
        add_time(out, " total: ", t->run_ns);
    }
}
