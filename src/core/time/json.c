/* The time applet's object. */
#include "core/time/report.h"

#include "core/base/buf.h"
#include "core/base/signal_name.h"
#include "core/text/json.h"
#include "measures.h"
#include "summary.h"

static const char *const states[] = {
    [COUNTER_COUNTED] = "counted", [COUNTER_USER_ONLY] = "user_only", [COUNTER_MISSING] = "missing",
    [COUNTER_DENIED] = "denied",   [COUNTER_BUSY] = "busy",
};

void time_json_counters(struct json *j, const struct time_report *r)
{
    json_array(j, "counters");
    for (size_t i = 0; i < r->counters; i++) {
        json_object(j, NULL);
        json_str(j, "name", r->counter[i].name);
        json_str(j, "unit", time_kind_of(r, TIME_BASIC + i) == KIND_TIME ? "ns" : "events");
        json_str(j, "state", states[r->counter[i].state]);
        json_object_end(j);
    }
    json_array_end(j);
}

static void run_end(struct json *j, const struct time_run *run)
{
    if (!run->signalled) {
        json_i64(j, "exit", run->code);
        return;
    }
    json_i64(j, "signal", run->code);
    json_str(j, "signal_name", signal_name(run->code));
    json_bool(j, "core", run->core);
}

void time_json_counts(struct json *j, const struct time_report *r, const struct time_run *run)
{
    json_object(j, "counts");
    for (size_t i = 0; i < r->counters; i++) {
        if (!time_counted(r, TIME_BASIC + i) || run->share[i] <= 0)
            continue;
        json_object(j, r->counter[i].name);
        json_num(j, "count", run->value[TIME_BASIC + i], 0);
        json_num(j, "share_pct", 100 * run->share[i], 2);
        json_object_end(j);
    }
    json_object_end(j);
}

static void one_run(struct json *j, const struct time_report *r, const struct time_run *run)
{
    json_object(j, NULL);
    run_end(j, run);
    for (size_t m = 0; m < TIME_BASIC; m++)
        json_num(j, time_key(r, m), run->value[m], 0);
    json_bool(j, "peak_rss_at_floor", run->rss_at_floor);
    if (r->counters)
        time_json_counts(j, r, run);
    json_object_end(j);
}

static void write_summaries(struct json *j, const struct time_report *r,
                            const struct time_command *c)
{
    json_object(j, "summary");
    for (size_t m = 0; m < TIME_BASIC + r->counters; m++) {
        struct summary s;
        if (!time_counted(r, m) || time_summary(c, m, &s) < 0 || s.n == 0)
            continue;
        json_object(j, time_key(r, m));
        json_num(j, "min", s.min, 1);
        json_num(j, "median", s.median, 1);
        json_num(j, "mean", s.mean, 1);
        json_num(j, "sd", s.sd, 1);
        json_num(j, "p95", s.p95, 1);
        json_num(j, "max", s.max, 1);
        json_u64(j, "outliers", s.outliers);
        json_object_end(j);
    }
    json_object_end(j);
}

static void write_ratio(struct json *j, const struct time_report *r, const struct time_command *c)
{
    json_object(j, "ratio_to_first");
    for (enum time_measure m = TIME_REAL; m <= TIME_PEAK_RSS; m++) {
        struct time_ratio k = time_compare(&r->command[0], c, m);
        json_object(j, time_key(r, m));
        json_num(j, "of_medians", k.of_medians, 4);
        json_num(j, "pairs_p5", k.pairs_p5, 4);
        json_num(j, "pairs_p95", k.pairs_p95, 4);
        json_u64(j, "pairs_more", k.more);
        json_u64(j, "pairs_less", k.less);
        if (k.rounds >= PAIRED_MIN) {
            json_num(j, "estimate", k.estimate.ratio, 5);
            json_num(j, "low_95", k.estimate.low, 5);
            json_num(j, "high_95", k.estimate.high, 5);
            json_num(j, "p", k.estimate.p, 6);
        }
        json_object_end(j);
    }
    json_object_end(j);
}

static void write_command(struct json *j, const struct time_report *r, const struct time_command *c)
{
    json_object(j, NULL);
    json_array(j, "argv");
    for (size_t i = 0; c->argv[i]; i++)
        json_str(j, NULL, c->argv[i]);
    json_array_end(j);
    json_u64(j, "failed", time_failures(c));
    json_array(j, "runs");
    for (size_t i = 0; i < c->runs; i++)
        one_run(j, r, &c->run[i]);
    json_array_end(j);
    write_summaries(j, r, c);
    if (r->commands > 1)
        write_ratio(j, r, c);
    json_object_end(j);
}

static void write_gate(struct json *j, const struct time_report *r)
{
    static const char *const verdicts[] = {
        [GATE_OPEN] = "open",
        [GATE_NOT_SLOWER] = "not_slower",
        [GATE_SLOWER] = "slower",
        [GATE_UNDECIDED] = "undecided",
    };
    json_object(j, "gate");
    json_num(j, "limit_pct", 100 * (r->gate_ratio - 1), 3);
    if (r->gate_cpu)
        json_str(j, "of", "cpu");
    json_str(j, "verdict", verdicts[r->gate]);
    json_object_end(j);
}

void time_json(const struct time_report *r, struct buf *out)
{
    struct json j;
    json_start(&j, out, "time");
    json_u64(&j, "runs_wanted", r->wanted);
    json_u64(&j, "warmups", r->warmups);
    json_bool(&j, "interrupted", r->interrupted);
    json_bool(&j, "stopped_at_failure", r->stopped);
    if (r->gate_ratio > 0)
        write_gate(&j, r);
    time_json_counters(&j, r);
    json_array(&j, "commands");
    for (size_t i = 0; i < r->commands; i++)
        write_command(&j, r, &r->command[i]);
    json_array_end(&j);
    json_end(&j);
}
