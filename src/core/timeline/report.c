#include "core/timeline/report.h"

#include "core/base/buf.h"
#include "core/base/time_ns.h"
#include "core/text/counted.h"
#include "core/text/shown.h"
#include "core/text/table.h"
#include "export_common.h"
#include "report_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static double to_seconds(uint64_t ns)
{
    return (double)ns / 1e9;
}

static double since_begin(const struct sched_report *r, uint64_t at_ns)
{
    return to_seconds(ns_between(r->begin_ns, at_ns));
}

static uint64_t observed_ns(const struct sched_report *r)
{
    return ns_between(r->begin_ns, r->end_ns);
}

static void print_head(const struct sched_report *r, struct buf *out)
{
    shown_printf(out, "%s in %.3f s by %s", counted(r->spans->events, "event").text,
                 to_seconds(observed_ns(r)), r->method);
    if (r->losses)
        buf_printf(out, "; %" PRIu64 " lost at %s", r->lost, counted(r->losses, "place").text);
    if (r->spans->left_out)
        buf_printf(out, "; %s inferred", counted(r->spans->left_out, "switch").text);
    if (r->spans->unplaced)
        buf_printf(out, "; %" PRIu64 " not placed", r->spans->unplaced);
    if (r->spans->dropped.rows)
        buf_printf(out, "; %s left out, which ran %.3f s",
                   counted(r->spans->dropped.rows, "dead task").text,
                   to_seconds(r->spans->dropped.run_ns));
    if (r->names->dropped)
        buf_printf(out, "; %s of tasks or marks left out", counted(r->names->dropped, "name").text);
    buf_adds(out, "\n\n");
}

/* --- delays --- */

static int render_delays(void *arg, const struct report_part *part, struct buf *out)
{
    const struct sched_report *r = arg;
    print_head(r, out);
    sched_delays_print(r, part, out);
    return 0;
}

void sched_report_delays(const struct sched_report *r, struct buf *out)
{
    report_fit(&r->size, render_delays, (void *)(uintptr_t)r, out);
}

/* --- tasks --- */

static const struct sched_preemptor *top_preemptor(const struct sched_stats *t)
{
    const struct sched_preemptor *max = t->by;
    for (size_t i = 1; i < SCHED_PREEMPTORS; i++)
        if (t->by[i].count > max->count)
            max = &t->by[i];
    return max;
}

static void print_wakeups(const struct sched_report *r, const struct sched_latency *l,
                          struct table *t)
{
    if (l->count)
        table_cells(t, l->count, (double)l->min_ns / 1e3,
                    (double)sched_latency_quantile(l, 0.5) / 1e3,
                    (double)sched_latency_quantile(l, 0.99) / 1e3, (double)l->max_ns / 1e3,
                    since_begin(r, l->max_at_ns));
    else
        table_cells(t, 0, NULL, NULL, NULL, NULL, NULL);
}

static void print_task_counts(const struct sched_report *r, uint64_t runs, uint64_t run_ns,
                              const struct sched_stats *stats, struct table *t)
{
    table_cells(t, runs, (double)run_ns / 1e6);
    print_wakeups(r, &stats->wakeup, t);
    table_cells(t, stats->sleeps, stats->migrations, stats->preempted);
}

static void print_task(const struct sched_report *r, const struct sched_shown *s, struct table *t)
{
    const struct sched_stats *stats = &s->row->stats;
    const struct sched_preemptor *by = top_preemptor(stats);
    table_cells(t, s->row->pid, sched_names_get(r->names, s->row->pid));
    print_task_counts(r, s->runs, s->run_ns, stats, t);
    if (by->count)
        table_cell(t, "%s %" PRId32 " (%" PRIu64 ")", sched_names_get(r->names, by->pid), by->pid,
                   by->count);
    else
        table_cell(t, "-");
}

/* The tasks from list on, in one row. */
static void print_more_tasks(const struct sched_report *r, const struct sched_shown *list,
                             size_t count, struct table *t)
{
    struct sched_stats sum = {0};
    for (size_t i = 0; i < count; i++) {
        const struct sched_stats *s = &list[i].row->stats;
        sum.runs += list[i].runs;
        sum.run_ns += list[i].run_ns;
        sum.sleeps += s->sleeps;
        sum.migrations += s->migrations;
        sum.preempted += s->preempted;
        sched_latency_merge(&sum.wakeup, &s->wakeup);
    }
    table_cell(t, "%s", "");
    table_cell(t, "(%zu more)", count);
    print_task_counts(r, sum.runs, sum.run_ns, &sum, t);
    table_cell(t, "%s", "");
    sched_latency_release(&sum.wakeup);
}

/* With a line for what did not fit. */
static void print_fitting(const struct sched_report *r, struct table *t, const char *spare,
                          size_t rows_left_out, struct buf *out)
{
    SCOPED_BUF columns = BUF_INIT;
    if (r->size.width)
        table_fit(t, r->size.width, spare, &columns);
    table_print(t, out, 0);
    if (rows_left_out)
        buf_printf(out, "%zu more row%s: --rows all", rows_left_out, rows_left_out == 1 ? "" : "s");
    if (columns.len)
        buf_printf(out, "%snot on a line of %zu columns: %s", rows_left_out ? "; " : "",
                   r->size.width, buf_str(&columns));
    if (rows_left_out || columns.len)
        buf_addc(out, '\n');
}

static void print_tasks(const struct sched_report *r, const struct report_part *part,
                        struct buf *out)
{
    struct table t;
    size_t count;
    SCOPED_FREE struct sched_shown *list = sched_shown(r, false, &count);
    size_t shown = report_shown(count, part->rows, part->fitted), more = count - shown;
    table_init(&t, ">pid <name >runs >run_ms.3 >wakeups >min_us.1 >median_us.1 >p99_us.1 >max_us.1 "
                   ">at_s.3 >sleeps >moved >preempted <most_by");
    for (size_t i = 0; i < shown; i++)
        print_task(r, &list[i], &t);
    if (more && part->fitted)
        print_more_tasks(r, list + shown, more, &t);
    print_fitting(r, &t, "min_us at_s moved most_by sleeps runs preempted p99_us median_us wakeups",
                  part->fitted ? more : 0, out);
    if (more && !part->fitted)
        buf_printf(out, "(%zu more)\n", more);
}

/* --- deadlines --- */

static void print_deadlines(const struct sched_report *r, struct buf *out)
{
    for (size_t i = 0; i < r->spans->rows; i++) {
        const struct sched_row *row = r->spans->row[i];
        if (!row->stats.releases)
            continue;
        sched_row_text(out, row, sched_names_get(r->names, row->pid), r->end_ns);
        buf_printf(out, " | releases: %" PRIu64 " missed: %" PRIu64 "\n", row->stats.releases,
                   row->stats.missed);
    }
}

/* --- CPUs --- */

static uint64_t busy_until(const struct sched_report *r, const struct sched_cpu *cpu)
{
    struct sched_run open;
    bool runs = cpu->row && sched_run_open(cpu->row, r->end_ns, &open);
    return cpu->busy_ns + (runs ? open.end_ns - open.start_ns : 0);
}

/* share_ns: what 100% of busy_ns are. */
static void print_cpu_counts(const struct sched_cpu *cpu, uint64_t busy_ns, uint64_t share_ns,
                             struct table *t)
{
    table_cell(t, "%.1f%%", share_ns ? 100 * (double)busy_ns / (double)share_ns : 0);
    table_cells(t, (double)busy_ns / 1e6);
    for (int i = 1; i < SCHED_CPU_COUNTS; i++) /* behind busy_ns */
        table_cells(t, cpu->count[i]);
}

static void add_cpu(struct sched_cpu *sum, const struct sched_cpu *cpu, uint64_t busy_ns)
{
    sum->busy_ns += busy_ns;
    for (int i = 1; i < SCHED_CPU_COUNTS; i++)
        sum->count[i] += cpu->count[i];
}

/* In the order of their numbers; without a height all of them. */
static void print_cpus(const struct sched_report *r, const struct report_part *part,
                       struct buf *out)
{
    struct table t;
    struct sched_cpu rest = {0};
    size_t shown = 0, more = 0, max_rows = sched_cpus_seen(r->spans);
    uint64_t whole = observed_ns(r);
    if (part->fitted)
        max_rows = report_shown(max_rows, part->rows, true);
    table_init(&t, ">cpu >busy >busy_ms.3 >runs >wakeups >moved_here >interrupts >softirqs >calls "
                   ">lost >losses");
    for (size_t i = 0; i < r->spans->cpus; i++) {
        const struct sched_cpu *cpu = &r->spans->cpu[i];
        if (!cpu->seen)
            continue;
        if (shown == max_rows) {
            add_cpu(&rest, cpu, busy_until(r, cpu));
            more++;
            continue;
        }
        table_cell(&t, "%zu", i);
        print_cpu_counts(cpu, busy_until(r, cpu), whole, &t);
        shown++;
    }
    if (more) {
        table_cell(&t, "(%zu more)", more);
        print_cpu_counts(&rest, rest.busy_ns, whole * more, &t);
    }
    print_fitting(r, &t, "losses lost calls softirqs interrupts moved_here busy_ms", more, out);
}

static int render_summary(void *arg, const struct report_part *part, struct buf *out)
{
    const struct sched_report *r = arg;
    print_head(r, out);
    print_tasks(r, part, out);
    buf_addc(out, '\n');
    size_t before = out->len;
    print_deadlines(r, out);
    if (out->len > before)
        buf_addc(out, '\n');
    print_cpus(r, part, out);
    return 0;
}

void sched_report_summary(const struct sched_report *r, struct buf *out)
{
    report_fit(&r->size, render_summary, (void *)(uintptr_t)r, out);
}

/* --- latencies --- */

enum { BAR = 40, FIRST_BIT = 9, BITS = 40 }; /* from under 512 ns on */

/* A character of UTF-8 is as wide as a byte. */
static void print_padded(struct buf *out, int64_t ns, size_t width, bool right)
{
    SCOPED_BUF text = BUF_INIT;
    size_t shown = 0;
    sched_time_text(&text, ns);
    for (size_t i = 0; i < text.len; i++)
        shown += ((uint8_t)text.data[i] & 0xc0) != 0x80;
    size_t blanks = shown < width ? width - shown : 0;
    buf_printf(out, "%*s%s%*s", right ? (int)blanks : 0, "", buf_str(&text),
               right ? 0 : (int)blanks, "");
}

static void print_bucket(struct buf *out, uint64_t from, uint64_t to, uint64_t n,
                         uint64_t max_count)
{
    print_padded(out, (int64_t)from, 10, true);
    buf_adds(out, " .. ");
    print_padded(out, (int64_t)to, 10, false);
    buf_printf(out, " %8" PRIu64, n);
    for (uint64_t i = 0; i < (n * BAR + max_count - 1) / max_count; i++)
        buf_adds(out, i ? "#" : " #");
    buf_addc(out, '\n');
}

static uint64_t bucket_start(unsigned bit)
{
    return bit < FIRST_BIT ? 0 : UINT64_C(1) << bit;
}

static uint64_t in_bucket(const struct sched_latency *l, unsigned bit)
{
    return sched_latency_between(l, bucket_start(bit), bucket_start(bit + 1));
}

static void print_histogram(const struct sched_latency *l, struct buf *out)
{
    uint64_t max_count = 1, left = l->count;
    for (unsigned bit = FIRST_BIT - 1; bit < BITS; bit++) {
        uint64_t n = in_bucket(l, bit);
        max_count = n > max_count ? n : max_count;
    }
    for (unsigned bit = FIRST_BIT - 1; bit < BITS && left; bit++) {
        uint64_t n = in_bucket(l, bit);
        if (n || left < l->count)
            print_bucket(out, bucket_start(bit), bucket_start(bit + 1), n, max_count);
        left -= n < left ? n : left;
    }
}

static void print_latency(const struct sched_report *r, const char *label,
                          const struct sched_latency *l, struct buf *out)
{
    shown_printf(out, "%s: %" PRIu64 " wake-ups", label, l->count);
    if (l->count)
        buf_printf(out, ", median %.1f us, p99 %.1f us, max %.1f us at %.3f s",
                   (double)sched_latency_quantile(l, 0.5) / 1e3,
                   (double)sched_latency_quantile(l, 0.99) / 1e3, (double)l->max_ns / 1e3,
                   since_begin(r, l->max_at_ns));
    buf_addc(out, '\n');
    print_histogram(l, out);
}

/* Tasks with a histogram of their own; of a terminal's tables the first is that of all tasks. */
static size_t tasks_shown(const struct sched_report *r, const struct report_part *part,
                          size_t count)
{
    size_t wanted = r->size.all ? count : r->size.rows ? r->size.rows : SCHED_HISTOGRAMS;
    if (part->tables && part->tables - 1 < wanted)
        wanted = part->tables - 1;
    return wanted < count ? wanted : count;
}

static int render_latency(void *arg, const struct report_part *part, struct buf *out)
{
    const struct sched_report *r = arg;
    struct sched_latency all = {0};
    size_t count;
    SCOPED_FREE struct sched_shown *list = sched_shown(r, true, &count);
    size_t shown = tasks_shown(r, part, count);
    print_head(r, out);
    for (size_t i = 0; i < count; i++)
        sched_latency_merge(&all, &list[i].row->stats.wakeup);
    print_latency(r, "all tasks", &all, out);
    for (size_t i = 0; i < shown; i++) {
        char label[48];
        snprintf(label, sizeof label, "%" PRId32 " %s", list[i].row->pid,
                 sched_names_get(r->names, list[i].row->pid));
        buf_addc(out, '\n');
        print_latency(r, label, &list[i].row->stats.wakeup, out);
    }
    if (part->fitted && shown < count)
        buf_printf(out, "\n%zu more task%s: --rows all\n", count - shown,
                   count - shown == 1 ? "" : "s");
    sched_latency_release(&all);
    return 0;
}

void sched_report_latency(const struct sched_report *r, struct buf *out)
{
    report_fit(&r->size, render_latency, (void *)(uintptr_t)r, out);
}
