/* What was counted of running processes or of the machine. */
#include "core/time/running.h"

#include "core/base/buf.h"
#include "core/text/counted.h"
#include "core/text/json.h"
#include "measures.h"

#include <string.h>

enum { NAMED_PIDS = 6 }; /* more are a number */

/* A counter that was scaled down again reads less than before, never below 0. */
static uint64_t more(uint64_t now, uint64_t before)
{
    return now > before ? now - before : 0;
}

void time_span(struct time_report *r, const struct counter_reading *before,
               const struct counter_reading *now, uint64_t real_ns, struct time_run *out)
{
    static const struct counter_reading none;
    *out = (struct time_run){.idle = true};
    out->value[TIME_REAL] = (double)real_ns;
    for (size_t i = 0; i < r->counters; i++) {
        const struct counter_reading *from = before ? &before[i] : &none;
        const struct counter_reading span = {
            .state = now[i].state,
            .count = more(now[i].count, from->count),
            .enabled_ns = more(now[i].enabled_ns, from->enabled_ns),
            .running_ns = more(now[i].running_ns, from->running_ns)};
        r->counter[i].state = span.state;
        out->idle &= span.enabled_ns == 0;
        out->value[TIME_BASIC + i] = counter_scaled(&span);
        out->share[i] = counter_share(&span);
    }
}

/* --- text --- */

static int name_width(const struct time_report *r)
{
    size_t width = sizeof "counter" - 1;
    for (size_t i = 0; i < r->counters; i++)
        if (strlen(r->counter[i].name) > width)
            width = strlen(r->counter[i].name);
    return (int)width;
}

static void add_value(const struct time_report *r, const struct time_interval *at, size_t i,
                      struct buf *out)
{
    SCOPED_BUF note = BUF_INIT;
    const char *reason = time_counter_reason(r, &at->run, i);
    if (reason) {
        buf_printf(out, "%15s  %s", "-", reason);
    } else {
        time_counter_note(r, &at->run, i, &note);
        buf_printf(out, "%15.0f%s%s", at->run.value[TIME_BASIC + i], note.len ? "  " : "",
                   buf_str(&note));
    }
    buf_addc(out, '\n');
}

void time_interval_text(const struct time_report *r, const struct time_interval *at,
                        struct buf *out)
{
    int width = name_width(r);
    if (at->number == 1)
        buf_printf(out, "%9s  %-*s %15s  note\n", "seconds", width, "counter", "count");
    for (size_t i = 0; i < r->counters; i++) {
        if (!time_counted(r, TIME_BASIC + i))
            continue;
        buf_printf(out, "%9.3f  %-*s ", (double)at->end_ns / 1e9, width, r->counter[i].name);
        add_value(r, at, i, out);
    }
}

static void add_processes(const struct time_running_of *of, struct buf *out)
{
    if (of->pids > NAMED_PIDS) {
        buf_adds(out, counted(of->pids, "process").text);
        return;
    }
    buf_printf(out, "process%s ", of->pids > 1 ? "es" : "");
    for (size_t i = 0; i < of->pids; i++)
        buf_printf(out, "%s%d", i ? ", " : "", of->pid[i]);
}

void time_running_text(const struct time_report *r, const struct time_running_of *of,
                       const struct time_run *run, struct buf *out)
{
    if (of->pids)
        add_processes(of, out);
    buf_printf(out, "%s%s: %.3f s real time\n", of->pids ? ", at first " : "",
               counted(of->targets, of->pids ? "thread" : "CPU").text, run->value[TIME_REAL] / 1e9);
    time_counters(r, run, out);
}

/* --- CSV --- */

void time_interval_csv(const struct time_report *r, const struct time_interval *at, struct buf *out)
{
    if (at->number == 1)
        buf_adds(out, "end,seconds,counter,count,counted_pct\n");
    for (size_t i = 0; i < r->counters; i++) {
        buf_printf(out, "%.9f,%.9f,%s,", (double)at->end_ns / 1e9, at->run.value[TIME_REAL] / 1e9,
                   r->counter[i].name);
        if (time_counter_reason(r, &at->run, i))
            buf_adds(out, ",\n");
        else
            buf_printf(out, "%.0f,%.2f\n", at->run.value[TIME_BASIC + i], 100 * at->run.share[i]);
    }
}

/* --- JSON --- */

void time_interval_json(const struct time_report *r, const struct time_interval *at,
                        struct buf *out)
{
    struct json j;
    json_start(&j, out, "time");
    json_members(&j, "interval end_ns real_ns.0", at->number, at->end_ns, at->run.value[TIME_REAL]);
    time_json_counts(&j, r, &at->run);
    json_end(&j);
}

void time_running_json(const struct time_report *r, const struct time_running_of *of,
                       const struct time_run *run, struct buf *out)
{
    struct json j;
    json_start(&j, out, "time");
    if (of->pids) {
        json_array(&j, "pids");
        for (size_t i = 0; i < of->pids; i++)
            json_i64(&j, NULL, of->pid[i]);
        json_array_end(&j);
    }
    json_u64(&j, of->pids ? "threads_at_first" : "cpus", of->targets);
    json_num(&j, "real_ns", run->value[TIME_REAL], 0);
    time_json_counters(&j, r);
    time_json_counts(&j, r, run);
    json_end(&j);
}
