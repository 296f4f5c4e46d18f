#include "core/base/sort.h"
#include "core/ktrace/report.h"
#include "core/ktrace/where.h"
#include "core/text/shown.h"
#include "core/text/table.h"

#include <inttypes.h>

enum { MAX_ERROR = 4095, BITS = 64, BAR = 40 };

void ktrace_total_add(struct ktrace_total *t, const struct ktrace_call *c)
{
    int64_t returned = ktrace_signed(c->returned);
    if (!c->ended) {
        t->unended++;
        return;
    }
    sched_latency_add(&t->time, c->end > c->start ? c->end - c->start : 0, c->start);
    t->errors += returned < 0 && returned >= -MAX_ERROR;
}

static int compare_totals(const void *pa, const void *pb)
{
    const struct ktrace_total *a = pa, *b = pb;
    return ORDER(b->time.sum_ns, a->time.sum_ns) ?: ORDER(b->time.count, a->time.count);
}

static bool was_called(const struct ktrace_total *t)
{
    return t->time.count || t->unended;
}

/* Those that were called, at the front. */
static size_t sort_totals(struct ktrace_summary *s)
{
    size_t called = 0;
    sort_array(s->total, s->count, sizeof *s->total, compare_totals);
    while (called < s->count && was_called(&s->total[called]))
        called++;
    return called;
}

static double average_us(const struct sched_latency *l)
{
    return l->count ? (double)l->sum_ns / (double)l->count / 1e3 : 0;
}

static void add_row(struct table *t, const struct ktrace_total *f)
{
    const struct sched_latency *l = &f->time;
    table_cells(t, l->count, (double)l->sum_ns / 1e6, average_us(l),
                (double)sched_latency_quantile(l, 0.5) / 1e3,
                (double)sched_latency_quantile(l, 0.99) / 1e3, (double)l->max_ns / 1e3, f->errors,
                f->name);
}

static void add_rest(struct table *t, const struct ktrace_summary *s, size_t from, size_t called,
                     bool fitted)
{
    struct ktrace_total rest = {.name = ""};
    SCOPED_BUF name = BUF_INIT;
    for (size_t i = from; i < called; i++) {
        sched_latency_merge(&rest.time, &s->total[i].time);
        rest.errors += s->total[i].errors;
    }
    report_rest(&name, called - from, fitted);
    rest.name = buf_str(&name);
    add_row(t, &rest);
    sched_latency_release(&rest.time);
}

static uint64_t bucket(unsigned bit)
{
    return bit < BITS ? UINT64_C(1) << bit : UINT64_MAX;
}

static void add_histogram(const struct ktrace_total *f, struct buf *out)
{
    uint64_t max_count = 1, left = f->time.count;
    shown_printf(out, "\n%s:\n", f->name);
    for (unsigned bit = 0; bit < BITS; bit++) {
        uint64_t n = sched_latency_between(&f->time, bit ? bucket(bit) : 0, bucket(bit + 1));
        max_count = n > max_count ? n : max_count;
    }
    for (unsigned bit = 0; bit < BITS && left; bit++) {
        uint64_t n = sched_latency_between(&f->time, bit ? bucket(bit) : 0, bucket(bit + 1));
        if (!n && left == f->time.count)
            continue;
        buf_printf(out, "  from %12.3f us %10" PRIu64 " ", (double)(bit ? bucket(bit) : 0) / 1e3,
                   n);
        for (uint64_t i = 0; i < (n * BAR + max_count - 1) / max_count; i++)
            buf_addc(out, '#');
        buf_addc(out, '\n');
        left -= n < left ? n : left;
    }
}

static int render_summary(void *arg, const struct report_part *part, struct buf *out)
{
    struct ktrace_summary *s = arg;
    struct table t;
    size_t called = sort_totals(s), shown = report_shown(called, part->rows, part->fitted);
    shown = shown && shown < called ? shown : called;
    table_init(&t, ">calls >total_ms.3 >avg_us.1 >p50_us.1 >p99_us.1 >max_us.1 >errors <function");
    for (size_t i = 0; i < shown; i++)
        add_row(&t, &s->total[i]);
    if (shown < called)
        add_rest(&t, s, shown, called, part->fitted);
    int r = table_print(&t, out, 0);
    for (size_t i = 0; s->histograms && i < shown; i++)
        add_histogram(&s->total[i], out);
    return r;
}

void ktrace_summary_text(struct ktrace_summary *s, struct buf *out)
{
    report_fit(&s->size, render_summary, s, out);
}

void ktrace_summary_json(struct ktrace_summary *s, struct json *j)
{
    size_t called = sort_totals(s);
    json_array(j, "functions");
    for (size_t i = 0; i < called; i++) {
        const struct sched_latency *l = &s->total[i].time;
        json_record(j, NULL,
                    "function calls unended errors total_ns min_ns p50_ns p90_ns p99_ns max_ns",
                    s->total[i].name, l->count, s->total[i].unended, s->total[i].errors, l->sum_ns,
                    l->min_ns, sched_latency_quantile(l, 0.5), sched_latency_quantile(l, 0.9),
                    sched_latency_quantile(l, 0.99), l->max_ns);
    }
    json_array_end(j);
}
