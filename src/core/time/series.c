/* A series summed up, and commands compared. */
#include "core/time/report.h"

#include "core/base/buf.h"
#include "core/text/counted.h"
#include "core/text/shell_words.h"
#include "core/text/table.h"
#include "core/time/gate.h"
#include "measures.h"
#include "plan9_line.h"
#include "summary.h"

enum { LINE = 80 };

static bool any_at_floor(const struct time_command *c)
{
    for (size_t i = 0; i < c->runs; i++)
        if (c->run[i].rss_at_floor)
            return true;
    return false;
}

static void number_cell(struct table *t, const struct time_unit *u, double value)
{
    table_cell(t, "%.*f", u->decimals, value / u->size);
}

static void summary_row(struct table *t, const struct time_report *r, const struct time_command *c,
                        size_t measure)
{
    struct summary s;
    if (time_summary(c, measure, &s) < 0 || s.n == 0)
        return;
    struct time_unit u = time_unit_of(time_kind_of(r, measure), s.median ? s.median : s.mean);
    bool floor = measure == TIME_PEAK_RSS && any_at_floor(c);
    table_cell(t, "%s%s", time_label(r, measure), floor ? " <=" : "");
    table_cell(t, "%s", u.name);
    const double shown[] = {s.min, s.median, s.mean, s.sd, s.p95, s.max};
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
        number_cell(t, &u, shown[i]);
    table_cell(t, "%zu", s.outliers);
}

static void print_reasons(const struct time_report *r, struct buf *out)
{
    for (size_t i = 0; i < r->counters; i++) {
        const char *reason = counter_reason(r->counter[i].state);
        if (reason)
            buf_printf(out, "%s: %s\n", r->counter[i].name, reason);
        else if (r->counter[i].state == COUNTER_USER_ONLY)
            buf_printf(out, "%s: user mode only\n", r->counter[i].name);
    }
}

static void print_dead_counters(const struct time_report *r, const struct time_command *c,
                                struct buf *out)
{
    for (size_t i = 0; i < r->counters; i++) {
        size_t dead = 0;
        for (size_t k = 0; k < c->runs; k++)
            dead += time_dead_counter(r, i, &c->run[k]);
        if (dead && dead == c->runs && time_counted(r, TIME_BASIC + i))
            buf_printf(out, "%s: supported here, but it does not count\n", r->counter[i].name);
    }
}

/* The smallest share of the time in which a counter of this command counted. */
static void print_shares(const struct time_report *r, const struct time_command *c, struct buf *out)
{
    for (size_t i = 0; i < r->counters; i++) {
        double min_share = 1;
        for (size_t k = 0; k < c->runs; k++)
            if (c->run[k].share[i] < min_share)
                min_share = c->run[k].share[i];
        if (min_share < 1 && time_counted(r, TIME_BASIC + i))
            buf_printf(out, "%s: scaled, counted %.1f%% of the time or more\n", r->counter[i].name,
                       100 * min_share);
    }
}

/* What the medians of counters are of others'. */
static void print_relations(const struct time_report *r, const struct time_command *c,
                            struct buf *out)
{
    struct time_run medians = {0};
    SCOPED_BUF words = BUF_INIT;
    for (size_t m = 0; m < TIME_BASIC + r->counters; m++) {
        struct summary s;
        if (!time_counted(r, m) || time_summary(c, m, &s) < 0 || s.n == 0)
            continue;
        medians.value[m] = s.median;
        if (m >= TIME_BASIC)
            medians.share[m - TIME_BASIC] = 1;
    }
    for (size_t i = 0; i < r->counters; i++) {
        buf_clear(&words);
        if (medians.share[i] > 0)
            time_relations(r, &medians, i, &words);
        if (words.len)
            buf_printf(out, "%s: %s, by the medians\n", r->counter[i].name, buf_str(&words));
    }
}

static void print_failures(const struct time_command *c, struct buf *out)
{
    size_t failed = time_failures(c);
    if (!failed)
        return;
    const struct time_run *last = NULL;
    for (size_t i = 0; i < c->runs; i++)
        if (time_failed(&c->run[i]))
            last = &c->run[i];
    buf_printf(out, "failed: %zu of %s, the last with ", failed, counted(c->runs, "run").text);
    waitline_status(out, last->signalled, last->code, last->core);
    buf_addc(out, '\n');
}

static void print_heading(const struct time_report *r, const struct time_command *c,
                          struct buf *out)
{
    buf_printf(out, "%s of `", counted(c->runs, "run").text);
    shell_words_add(out, c->argv);
    buf_adds(out, "'");
    if (r->warmups)
        buf_printf(out, " after %s", counted(r->warmups, "warm-up").text);
    if (r->interrupted)
        buf_printf(out, " (interrupted: %lu were requested)", r->wanted);
    else if (r->stopped)
        buf_printf(out, " (stopped at a failure: %lu were requested)", r->wanted);
    buf_addc(out, '\n');
}

static void one_command(const struct time_report *r, const struct time_command *c, bool details,
                        struct buf *out)
{
    struct table t;
    print_heading(r, c, out);
    if (c->runs == 0)
        return;
    table_init(&t, "<measure <unit >min >median >mean >sd >p95 >max >outliers");
    for (size_t m = 0; m < TIME_BASIC + r->counters; m++)
        if (m <= TIME_PEAK_RSS || m >= TIME_BASIC || details)
            if (time_counted(r, m))
                summary_row(&t, r, c, m);
    table_print(&t, out, LINE);
    print_shares(r, c, out);
    print_dead_counters(r, c, out);
    print_relations(r, c, out);
    print_failures(c, out);
}

static void print_comparison(const struct time_report *r, struct buf *out)
{
    struct table t;
    SCOPED_BUF words = BUF_INIT;
    table_init(&t,
               "<real >median >ratio.3 >pairs_5%.3 >95%.3 >user.2 >system.2 >peak_RSS.2 <command");
    for (size_t i = 0; i < r->commands; i++) {
        const struct time_command *c = &r->command[i];
        struct summary s;
        if (time_summary(c, TIME_REAL, &s) < 0)
            continue;
        struct time_unit u = time_unit_of(KIND_TIME, s.median);
        struct time_ratio real = time_compare(&r->command[0], c, TIME_REAL);
        table_cell(&t, "%s", u.name);
        number_cell(&t, &u, s.median);
        table_cells(&t, real.of_medians, real.pairs_p5, real.pairs_p95);
        for (enum time_measure m = TIME_USER; m <= TIME_PEAK_RSS; m++)
            table_cells(&t, time_compare(&r->command[0], c, m).of_medians);
        buf_clear(&words);
        shell_words_add(&words, c->argv);
        table_cell(&t, "%s", buf_str(&words));
    }
    table_print(&t, out, LINE);
    buf_adds(out, "ratio: of medians, to the first command; pairs: of runs in the same round\n");
}

static bool every_command_ran(const struct time_report *r)
{
    bool all = true;
    for (size_t i = 0; i < r->commands; i++)
        all &= r->command[i].runs > 0;
    return all;
}

void time_series(const struct time_report *r, bool details, struct buf *out)
{
    size_t start = out->len;
    for (size_t i = 0; i < r->commands; i++) {
        if (out->len > start)
            buf_addc(out, '\n');
        one_command(r, &r->command[i], details, out);
    }
    print_reasons(r, out);
    if (r->commands > 1 && every_command_ran(r)) {
        buf_addc(out, '\n');
        print_comparison(r, out);
        verdicts_write(r, LINE, out);
    }
    if (r->gate_ratio > 0)
        time_gate_words(r, out);
    buf_adds(out, "outliers: modified z-score over 3.5\n");
}

void time_progress(unsigned long made, unsigned long all, double spent_ns, size_t width,
                   struct buf *out)
{
    SCOPED_BUF line = BUF_INIT;
    double each = made ? spent_ns / (double)made : 0, left = each * (double)(all - made);
    struct time_unit u = time_unit_of(KIND_TIME, each);
    buf_printf(&line, "time: %lu of %lu runs, %.*f %s each, %.0f s to go", made, all, u.decimals,
               each / u.size, u.name, left / 1e9);
    buf_printf(out, "%.*s", (int)width, buf_str(&line));
}
