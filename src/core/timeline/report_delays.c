#include "report_parts.h"

#include "core/base/buf.h"
#include "core/base/time_ns.h"
#include "core/text/counted.h"
#include "core/text/json.h"
#include "core/text/table.h"

#include <inttypes.h>

static uint64_t all_delays(const struct sched_delays *d)
{
    return d->late + d->waiting + d->missed;
}

/* How many, and how many of them are not kept. */
static void print_counts(const struct sched_delays *d, struct buf *out)
{
    if (!d->limit_ns)
        return buf_printf(out, "the %s\n\n", counted(d->kept, "longest delay").text);
    buf_printf(out, "%s took more than %g ms", counted(d->late + d->waiting, "wake-up").text,
               (double)d->limit_ns / 1e6);
    if (d->waiting)
        buf_printf(out, " (%" PRIu64 " not over)", d->waiting);
    if (d->missed)
        buf_printf(out, "; %s missed", counted(d->missed, "deadline").text);
    if (d->kept < all_delays(d))
        buf_printf(out, "; the longest %zu:", d->kept);
    if (d->dropped)
        buf_printf(out, "; %s left out for lack of memory", counted(d->dropped, "delay").text);
    buf_adds(out, "\n\n");
}

static void print_delay(const struct sched_report *r, const struct sched_delay *d, struct table *t)
{
    const struct sched_hit *hit = &d->hit;
    SCOPED_BUF meanwhile = BUF_INIT;
    uint64_t at_ns = ns_between(r->begin_ns, hit->time_ns);
    sched_delay_meanwhile(r->delays, d, &meanwhile);
    table_cells(t, (double)at_ns / 1e9, (double)hit->took_ns / 1e6, sched_delay_kind(d),
                text_value_if(hit->cpu >= 0, (uint64_t)hit->cpu));
    table_cell(t, "%" PRId32 " %s", hit->pid, d->name);
    table_cell(t, "%s", buf_str(&meanwhile));
}

/* On a terminal, how to look at one. */
static void print_rest(const struct sched_report *r, const struct report_part *part, size_t more,
                       struct buf *out)
{
    if (more) {
        report_rest(out, more, part->fitted);
        buf_addc(out, '\n');
    }
    if (part->fitted && r->delays->kept)
        buf_adds(out, "-w --at AT_S shows the timeline of a recording there\n");
}

void sched_delays_print(const struct sched_report *r, const struct report_part *part,
                        struct buf *out)
{
    const struct sched_delays *d = r->delays;
    struct table t;
    SCOPED_BUF dropped = BUF_INIT;
    size_t shown = report_shown(d->kept, part->rows, part->fitted);
    print_counts(d, out);
    table_init(&t, ">at_s.6 >late_ms.3 <what >cpu <task <who_ran_meanwhile");
    for (size_t i = 0; i < shown; i++)
        print_delay(r, &d->delay[i], &t);
    if (!d->missed && !d->waiting)
        table_fit(&t, 1, "what", &dropped);
    if (d->kept)
        table_print(&t, out, r->size.width);
    else
        table_release(&t);
    print_rest(r, part, d->kept - shown, out);
}

/* --- JSON --- */

static void meanwhile_json(const struct sched_delay *d, bool some_tasks, struct json *j)
{
    const struct sched_meanwhile *m = &d->hit.meanwhile;
    json_array(j, "meanwhile");
    for (size_t i = 0; i < m->ran_count; i++)
        json_record(j, NULL, "pid name run_ns", m->ran[i].pid, d->ran_name[i], m->ran[i].ns);
    json_array_end(j);
    json_members(j, "others others_run_ns", m->others, m->others_ns);
    json_u64(j, some_tasks ? "idle_or_untraced_ns" : "idle_ns", m->idle_ns);
}

static void delay_json(const struct sched_delay *d, bool some_tasks, struct json *j)
{
    json_object(j, NULL);
    json_members(j, "kind pid name cpu at_ns since_ns late_ns", sched_delay_kind(d), d->hit.pid,
                 d->name, text_value_if(d->hit.cpu >= 0, (uint64_t)d->hit.cpu), d->hit.time_ns,
                 d->hit.since_ns, d->hit.took_ns);
    meanwhile_json(d, some_tasks, j);
    json_object_end(j);
}

void sched_delays_json(const struct sched_delays *d, struct json *j)
{
    json_u64(j, "delay_limit_ns", d->limit_ns);
    if (d->limit_ns)
        json_members(j, "late_wakeups missed_deadlines", d->late + d->waiting, d->missed);
    json_array(j, "delays");
    for (size_t i = 0; i < d->kept; i++)
        delay_json(&d->delay[i], d->some_tasks, j);
    json_array_end(j);
}
