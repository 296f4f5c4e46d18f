#include "core/text/json.h"
#include "core/timeline/report.h"
#include "report_parts.h"

#include <stdlib.h>

static void latency_json(const char *key, const struct sched_latency *l, struct json *j)
{
    json_object(j, key);
    json_u64(j, "count", l->count);
    json_u64(j, "sum_ns", l->sum_ns);
    json_u64(j, "min_ns", l->min_ns);
    json_u64(j, "median_ns", sched_latency_quantile(l, 0.5));
    json_u64(j, "p99_ns", sched_latency_quantile(l, 0.99));
    json_u64(j, "max_ns", l->max_ns);
    json_u64(j, "max_at_ns", l->max_at_ns);
    json_array(j, "octaves"); /* [from_ns, how many] */
    for (unsigned bit = 0; l->count && bit < 63; bit++) {
        uint64_t from = bit ? UINT64_C(1) << bit : 0;
        uint64_t n = sched_latency_between(l, from, UINT64_C(2) << bit);
        if (!n)
            continue;
        json_array(j, NULL);
        json_u64(j, NULL, from);
        json_u64(j, NULL, n);
        json_array_end(j);
    }
    json_array_end(j);
    json_object_end(j);
}

static void preemptors_json(const struct sched_report *r, const struct sched_stats *t,
                            struct json *j)
{
    json_array(j, "preempted_by");
    for (size_t i = 0; i < SCHED_PREEMPTORS; i++) {
        if (!t->by[i].count)
            continue;
        json_object(j, NULL);
        json_i64(j, "pid", t->by[i].pid);
        json_str(j, "name", sched_names_get(r->names, t->by[i].pid));
        json_u64(j, "count", t->by[i].count);
        json_object_end(j);
    }
    json_array_end(j);
}

static void deadlines_json(const struct sched_stats *t, struct json *j)
{
    json_u64(j, "releases", t->releases);
    json_u64(j, "missed", t->missed);
    json_u64(j, "release_max_ns", t->release_max_ns);
}

static void task_json(const struct sched_report *r, const struct sched_shown *s, struct json *j)
{
    const struct sched_row *row = s->row;
    const struct sched_stats *t = &row->stats;
    json_object(j, NULL);
    json_i64(j, "pid", row->pid);
    json_str(j, "name", sched_names_get(r->names, row->pid));
    if (sched_names_parent(r->names, row->pid))
        json_i64(j, "parent", sched_names_parent(r->names, row->pid));
    json_bool(j, "dead", row->dead);
    json_u64(j, "first_ns", row->first_ns);
    json_u64(j, "runs", s->runs);
    json_u64(j, "run_ns", s->run_ns);
    latency_json("wakeup", &t->wakeup, j);
    latency_json("stayed", &t->stayed, j);
    json_u64(j, "sleeps", t->sleeps);
    json_u64(j, "sleep_ns", t->sleep_ns);
    json_u64(j, "disk_sleeps", t->disk_sleeps);
    json_u64(j, "disk_sleep_ns", t->disk_sleep_ns);
    json_u64(j, "migrations", t->migrations);
    json_u64(j, "yields", t->yields);
    json_u64(j, "calls", t->calls);
    json_u64(j, "preempted", t->preempted);
    preemptors_json(r, t, j);
    if (t->releases)
        deadlines_json(t, j);
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
    struct sched_shown *list = sched_shown(r, false, &count);
    size_t max_rows = r->size.rows && r->size.rows < count ? r->size.rows : count;
    json_str(j, "method", r->method);
    json_u64(j, "begin_ns", r->begin_ns);
    json_u64(j, "end_ns", r->end_ns);
    json_u64(j, "events", r->spans->events);
    json_u64(j, "lost", r->lost);
    json_u64(j, "losses", r->losses);
    json_u64(j, "switches_inferred", r->spans->left_out);
    json_u64(j, "unplaced", r->spans->unplaced);
    if (r->spans->limits.runs) {
        json_u64(j, "runs_dropped", r->spans->dropped.runs);
        json_u64(j, "marks_dropped", r->spans->dropped.marks);
    }
    json_u64(j, "rows_dropped", r->spans->dropped.rows);
    json_u64(j, "rows_dropped_run_ns", r->spans->dropped.run_ns);
    json_u64(j, "names_dropped", r->names->dropped);
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
    free(list);
}
