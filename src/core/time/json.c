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
    for (size_t i = 0; i < r->counters; i++)
        json_record(j, NULL, "name unit state", r->counter[i].name,
                    time_kind_of(r, TIME_BASIC + i) == KIND_TIME ? "ns" : "events",
                    states[r->counter[i].state]);
    json_array_end(j);
}

static void run_end(struct json *j, const struct time_run *run)
{
    if (run->signalled)
        json_members(j, "signal signal_name core?", run->code, signal_name(run->code), run->core);
    else
        json_i64(j, "exit", run->code);
}

void time_json_counts(struct json *j, const struct time_report *r, const struct time_run *run)
{
    json_object(j, "counts");
    for (size_t i = 0; i < r->counters; i++) {
        if (!time_counted(r, TIME_BASIC + i) || run->share[i] <= 0)
            continue;
        json_record(j, r->counter[i].name, "count.0 share_pct.2", run->value[TIME_BASIC + i],
                    100 * run->share[i]);
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
        json_record(j, time_key(r, m), "min.1 median.1 mean.1 sd.1 p95.1 max.1 outliers", s.min,
                    s.median, s.mean, s.sd, s.p95, s.max, s.outliers);
    }
    json_object_end(j);
}

static void write_ratio(struct json *j, const struct time_report *r, const struct time_command *c)
{
    json_object(j, "ratio_to_first");
    for (enum time_measure m = TIME_REAL; m <= TIME_PEAK_RSS; m++) {
        struct time_ratio k = time_compare(&r->command[0], c, m);
        json_object(j, time_key(r, m));
        json_members(j, "of_medians.4 pairs_p5.4 pairs_p95.4 pairs_more pairs_less", k.of_medians,
                     k.pairs_p5, k.pairs_p95, k.more, k.less);
        if (k.rounds >= PAIRED_MIN)
            json_members(j, "estimate.5 low_95.5 high_95.5 p.6", k.estimate.ratio, k.estimate.low,
                         k.estimate.high, k.estimate.p);
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
    json_record(j, "gate", "limit_pct.3 [of] verdict", 100 * (r->gate_ratio - 1),
                r->gate_cpu ? "cpu" : NULL, verdicts[r->gate]);
}

void time_json(const struct time_report *r, struct buf *out)
{
    struct json j;
    json_start(&j, out, "time");
    json_members(&j, "runs_wanted warmups interrupted? stopped_at_failure?", r->wanted, r->warmups,
                 r->interrupted, r->stopped);
    if (r->gate_ratio > 0)
        write_gate(&j, r);
    time_json_counters(&j, r);
    json_array(&j, "commands");
    for (size_t i = 0; i < r->commands; i++)
        write_command(&j, r, &r->command[i]);
    json_array_end(&j);
    json_end(&j);
}
