/* What is measured: its words, and the runs that hold it. */
#include "measures.h"

#include "core/base/buf.h"
#include "core/base/grow.h"
#include "core/base/time_ns.h"
#include "plan9_line.h"
#include "summary.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *label, *key;
    enum time_kind kind;
} basic[TIME_BASIC] = {
    [TIME_REAL] = {"real", "real_ns", KIND_TIME},
    [TIME_USER] = {"user", "user_ns", KIND_TIME},
    [TIME_SYSTEM] = {"system", "system_ns", KIND_TIME},
    [TIME_PEAK_RSS] = {"peak RSS", "peak_rss_bytes", KIND_BYTES},
    [TIME_MINOR_FAULTS] = {"minor faults", "minor_faults", KIND_COUNT},
    [TIME_MAJOR_FAULTS] = {"major faults", "major_faults", KIND_COUNT},
    [TIME_VOLUNTARY] = {"voluntary switches", "voluntary_switches", KIND_COUNT},
    [TIME_INVOLUNTARY] = {"involuntary switches", "involuntary_switches", KIND_COUNT},
    [TIME_BLOCKS_IN] = {"blocks in", "blocks_in", KIND_COUNT},
    [TIME_BLOCKS_OUT] = {"blocks out", "blocks_out", KIND_COUNT},
};

const char *time_label(const struct time_report *r, size_t measure)
{
    return measure < TIME_BASIC ? basic[measure].label : r->counter[measure - TIME_BASIC].name;
}

const char *time_key(const struct time_report *r, size_t measure)
{
    return measure < TIME_BASIC ? basic[measure].key : r->counter[measure - TIME_BASIC].name;
}

static bool is_clock(const char *name)
{
    return strncmp(name, "task-clock", 10) == 0 || strncmp(name, "cpu-clock", 9) == 0;
}

enum time_kind time_kind_of(const struct time_report *r, size_t measure)
{
    if (measure < TIME_BASIC)
        return basic[measure].kind;
    return is_clock(r->counter[measure - TIME_BASIC].name) ? KIND_TIME : KIND_COUNT;
}

bool time_counted(const struct time_report *r, size_t measure)
{
    return measure < TIME_BASIC || !counter_reason(r->counter[measure - TIME_BASIC].state);
}

size_t time_counter_named(const struct time_report *r, const char *name)
{
    size_t i = 0;
    while (i < r->counters && strcmp(r->counter[i].name, name) != 0)
        i++;
    return i;
}

bool time_dead_counter(const struct time_report *r, size_t counter, const struct time_run *run)
{
    static const char *const moving[] = {"cycles", "instructions", "branches", "task-clock"};
    for (size_t i = 0; i < sizeof moving / sizeof moving[0]; i++)
        if (strcmp(r->counter[counter].name, moving[i]) == 0)
            return !run->idle && run->share[counter] > 0 && run->value[TIME_BASIC + counter] <= 0;
    return false;
}

int time_command_add(struct time_command *c, const struct time_run *run)
{
    return GROW_ADD(c->run, c->cap, c->runs, *run) ? 0 : -ENOMEM;
}

void time_command_release(struct time_command *c)
{
    free(c->run);
    c->run = NULL;
    c->runs = c->cap = 0;
}

bool time_failed(const struct time_run *run)
{
    return run->signalled || run->code != 0;
}

size_t time_failures(const struct time_command *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->runs; i++)
        n += time_failed(&c->run[i]);
    return n;
}

/* A run in which a counter never had its turn says nothing about it. */
static bool has_value(const struct time_run *run, size_t measure)
{
    return measure < TIME_BASIC || measure == TIME_CPU || run->share[measure - TIME_BASIC] > 0;
}

static double value_of(const struct time_run *run, size_t measure)
{
    return measure == TIME_CPU ? run->value[TIME_USER] + run->value[TIME_SYSTEM]
                               : run->value[measure];
}

int time_summary(const struct time_command *c, size_t measure, struct summary *out)
{
    SCOPED_FREE double *values = malloc((c->runs + 1) * sizeof *values);
    if (!values)
        return -ENOMEM;
    size_t n = 0;
    for (size_t i = 0; i < c->runs; i++)
        if (has_value(&c->run[i], measure))
            values[n++] = value_of(&c->run[i], measure);
    summary_of(values, n, out);
    return 0;
}

size_t time_log_ratios(const struct time_command *first, const struct time_command *second,
                       enum time_measure measure, double **out)
{
    size_t n = first->runs < second->runs ? first->runs : second->runs, k = 0;
    double *logs = malloc((n + 1) * sizeof *logs);
    for (size_t i = 0; logs && i < n; i++) {
        double one = value_of(&first->run[i], measure), two = value_of(&second->run[i], measure);
        if (one > 0 && two > 0)
            logs[k++] = log(two / one);
    }
    *out = logs;
    return k;
}

/* Of n logarithms, which it sorts. */
static void compare_pairs(double *logs, size_t n, struct time_ratio *out)
{
    struct summary s;
    for (size_t i = 0; i < n; i++) {
        out->more += logs[i] > 0;
        out->less += logs[i] < 0;
    }
    out->rounds = n;
    out->estimate.p = 1;
    if (n >= PAIRED_MIN && paired_estimate(logs, n, &out->estimate) < 0)
        out->rounds = 0;
    summary_of(logs, n, &s);
    out->pairs_p5 = n ? exp(summary_quantile(logs, n, 0.05)) : 0;
    out->pairs_p95 = n ? exp(s.p95) : 0;
}

struct time_ratio time_compare(const struct time_command *first, const struct time_command *other,
                               enum time_measure measure)
{
    struct time_ratio ratio = {.of_medians = 0};
    struct summary a, b;
    SCOPED_FREE double *logs = NULL;
    size_t n = time_log_ratios(first, other, measure, &logs);
    if (logs && time_summary(first, measure, &a) == 0 && time_summary(other, measure, &b) == 0) {
        compare_pairs(logs, n, &ratio);
        ratio.of_medians = a.median > 0 ? b.median / a.median : 0;
    }
    return ratio;
}

void time_line(const struct time_command *c, const struct time_run *run, struct buf *out)
{
    SCOPED_BUF status = BUF_INIT;
    waitline_status(&status, run->signalled, run->code, run->core);
    waitline_format(out, (uint64_t)run->value[TIME_USER] / NS_PER_MS,
                    (uint64_t)run->value[TIME_SYSTEM] / NS_PER_MS,
                    (uint64_t)run->value[TIME_REAL] / NS_PER_MS, c->argv, buf_str(&status));
}
