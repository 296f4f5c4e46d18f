#include "core/stats/top.h"

#include "core/base/sort.h"
#include "core/base/time_ns.h"
#include "core/stats/sample.h"
#include "core/stats/usage.h"
#include "core/text/counted.h"
#include "core/text/json.h"
#include "core/text/table.h"

#include <stdio.h>
#include <string.h>

void stats_top_release(struct stats_top *t)
{
    usage_times_release(&t->times);
    *t = (struct stats_top){.count = 0};
}

void stats_top_begin(struct stats_top *t, uint64_t now_ns)
{
    t->span_ns = t->times.round ? now_ns - t->begun_ns : 0;
    t->begun_ns = now_ns;
    t->count = t->processes = 0;
    t->failed = false;
    usage_times_begin(&t->times);
}

/* --- the first ones --- */

static bool is_before(const struct stats_process *a, const struct stats_process *b)
{
    return (ORDER(b->cpu_ns, a->cpu_ns)
                ?: ORDER(b->resident_bytes, a->resident_bytes) ?: ORDER(a->pid, b->pid)) < 0;
}

static void insert_process(struct stats_top *t, const struct stats_process *p)
{
    size_t at = t->count;
    while (at > 0 && is_before(p, &t->process[at - 1]))
        at--;
    if (at == STATS_TOP_MAX)
        return;
    if (t->count < STATS_TOP_MAX)
        t->count++;
    memmove(&t->process[at + 1], &t->process[at], (t->count - 1 - at) * sizeof *p);
    t->process[at] = *p;
}

void stats_top_add(struct stats_top *t, const struct usage_process *p)
{
    struct stats_process row = {.pid = p->pid,
                                .state = p->state,
                                .threads = p->threads,
                                .resident_bytes = p->resident_bytes};
    t->processes++;
    if (!usage_times_add(&t->times, p->pid, p->started, p->cpu_ns, &row.cpu_ns)) {
        t->failed = true;
        return;
    }
    snprintf(row.name, sizeof row.name, "%s", p->name);
    insert_process(t, &row);
}

void stats_top_end(struct stats_top *t)
{
    usage_times_end(&t->times);
}

double stats_top_pct(const struct stats_top *t, size_t i)
{
    return t->span_ns ? 100 * (double)t->process[i].cpu_ns / (double)t->span_ns : 0;
}

/* --- as text --- */

static void add_row(const struct stats_top *t, size_t i, struct table *table)
{
    const struct stats_process *p = &t->process[i];
    const char state[] = {p->state, '\0'};
    char resident[STATS_TEXT];
    stats_number_text((double)p->resident_bytes, resident);
    table_cells(table, p->pid, stats_top_pct(t, i));
    table_cell(table, "%sB", resident);
    table_cells(table, p->threads, state, p->name);
}

void stats_top_text(const struct stats_top *t, size_t max, size_t width, struct buf *out)
{
    struct table table;
    size_t shown = t->count < max ? t->count : max;
    if (!t->span_ns)
        return;
    buf_printf(out, "%s, by CPU time over %.2f s; 100%% is one CPU%s\n",
               counted(t->processes, "process").text, (double)t->span_ns / NS_PER_S,
               t->failed ? "; without memory for all of them" : "");
    table_init(&table, ">pid >CPU_%.1 >resident >threads <state <program");
    for (size_t i = 0; i < shown; i++)
        add_row(t, i, &table);
    table_print(&table, out, width);
}

/* --- as JSON --- */

void stats_top_json(const struct stats_top *t, struct json *j)
{
    if (!t->span_ns)
        return;
    json_array(j, "processes");
    for (size_t i = 0; i < t->count; i++) {
        const struct stats_process *p = &t->process[i];
        const char state[] = {p->state, '\0'};
        json_record(j, NULL, "pid program cpu_pct.1 resident_bytes threads state", p->pid, p->name,
                    stats_top_pct(t, i), p->resident_bytes, p->threads, state);
    }
    json_array_end(j);
    json_members(j, "processes_read processes_span_s.3", t->processes,
                 (double)t->span_ns / NS_PER_S);
}
