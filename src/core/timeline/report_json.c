#include "core/base/scope.h"
#include "core/text/json.h"
#include "core/timeline/report.h"
#include "report_parts.h"

#include <stdlib.h>

static void latency_json(const char *key, const struct sched_latency *l, struct json *j)
{
    json_object(j, key);
    json_members(j, "count sum_ns min_ns median_ns p99_ns max_ns max_at_ns", l->count, l->sum_ns,
                 l->min_ns, sched_latency_quantile(l, 0.5), sched_latency_quantile(l, 0.99),
                 l->max_ns, l->max_at_ns);
    json_array(j, "octaves"); /* [from_ns, how many] */
    for (unsigned bit = 0; l->count && bit < 63; bit++) {
        uint64_t from = bit ? UINT64_C(1) << bit : 0;
        uint64_t n = sched_latency_between(l, from, UINT64_C(2) << bit);
        if (!n)
            continue;
        json_array(j, NULL);
        json_values(j, from, n);
        json_array_end(j);
    }
    json_array_end(j);
    json_object_end(j);
}

static void preemptors_json(const struct sched_report *r, const struct sched_stats *t,
                            struct json *j)
{
    json_array(j, "preempted_by");
    for (size_t i = 0; i < SCHED_PREEMPTORS; i++)
        if (t->by[i].count)
            json_record(j, NULL, "pid name count", t->by[i].pid,
                        sched_names_get(r->names, t->by[i].pid), t->by[i].count);
    json_array_end(j);
}

static void task_json(const struct sched_report *r, const struct sched_shown *s, struct json *j)
{
    const struct sched_row *row = s->row;
    const struct sched_stats *t = &row->stats;
    json_object(j, NULL);
    json_members(j, "pid name [parent] dead? first_ns runs run_ns", row->pid,
                 sched_names_get(r->names, row->pid), sched_names_parent(r->names, row->pid),
                 row->dead, row->first_ns, s->runs, s->run_ns);
    latency_json("wakeup", &t->wakeup, j);
    latency_json("stayed", &t->stayed, j);
    json_members(j, "sleeps sleep_ns disk_sleeps disk_sleep_ns migrations yields calls preempted",
                 t->sleeps, t->sleep_ns, t->disk_sleeps, t->disk_sleep_ns, t->migrations, t->yields,
                 t->calls, t->preempted);
    preemptors_json(r, t, j);
    if (t->releases)
        json_members(j, "releases missed release_max_ns", t->releases, t->missed,
                     t->release_max_ns);
    json_object_end(j);
}

static void cpu_json(const struct sched_cpu *cpu, size_t number, struct json *j)
{
    static const char *const keys[SCHED_CPU_COUNTS] = {"busy_ns",    "runs",       "wakeups",
                                                       "migrations", "interrupts", "softirqs",
                                                       "calls",      "lost",       "losses"};
    json_object(j, NULL);
    json_u64(j, "cpu", number);
    for (int i = 0; i < SCHED_CPU_COUNTS; i++)
        json_u64(j, keys[i], cpu->count[i]);
    json_object_end(j);
}

void sched_report_json(const struct sched_report *r, struct json *j)
{
    size_t count;
    SCOPED_FREE struct sched_shown *list = sched_shown(r, false, &count);
    size_t max_rows = r->size.rows && r->size.rows < count ? r->size.rows : count;
    json_members(j, "method begin_ns end_ns events lost losses switches_inferred unplaced",
                 r->method, r->begin_ns, r->end_ns, r->spans->events, r->lost, r->losses,
                 r->spans->left_out, r->spans->unplaced);
    if (r->spans->limits.runs)
        json_members(j, "runs_dropped marks_dropped", r->spans->dropped.runs,
                     r->spans->dropped.marks);
    json_members(j, "rows_dropped rows_dropped_run_ns names_dropped", r->spans->dropped.rows,
                 r->spans->dropped.run_ns, r->names->dropped);
    json_array(j, "tasks");
    for (size_t i = 0; i < max_rows; i++)
        task_json(r, &list[i], j);
    json_array_end(j);
    json_array(j, "cpus");
    for (size_t i = 0; i < r->spans->cpus; i++)
        if (r->spans->cpu[i].seen)
            cpu_json(&r->spans->cpu[i], i, j);
    json_array_end(j);
    if (r->delays)
        sched_delays_json(r->delays, j);
}
