#include "unit.h"

#include "core/base/buf.h"
#include "core/selftest/selftest.h"

#include <errno.h>
#include <math.h>

static struct selftest_report report;

static struct selftest_check *expecting(double expected, double min, double max)
{
    report = (struct selftest_report){.count = 0};
    struct selftest_check *c = selftest_add(&report, "", 0, "check %d", 1);
    selftest_expect(c, expected, min, max);
    return c;
}

static const char *judged(struct selftest_check *c, double measured)
{
    selftest_judge(c, measured);
    return selftest_word(selftest_verdict_of(c));
}

TEST(within_the_limits_is_ok)
{
    CHECK_STR(judged(expecting(70, 66, 74), 70), "ok");
    CHECK_STR(judged(expecting(70, 66, 74), 66), "ok");
    CHECK_STR(judged(expecting(70, 66, 74), 74), "ok");
}

TEST(outside_the_limits_is_wrong)
{
    CHECK_STR(judged(expecting(70, 66, 74), 65.9), "wrong");
    CHECK_STR(judged(expecting(70, 66, 74), 74.1), "wrong");
    CHECK_STR(judged(expecting(20064, 20064, 20064), 20063), "wrong");
    CHECK_STR(judged(expecting(70, 66, 74), 0), "wrong");
}

TEST(wrong_on_a_busy_machine_is_not_verified)
{
    struct selftest_check *c = expecting(0, 0, 50);
    CHECK_STR(judged(c, 270), "wrong");
    selftest_judge_busy(c, 3e6, 3.7e6);
    CHECK_STR(selftest_word(selftest_verdict_of(c)), "wrong");
    selftest_judge_busy(c, 3e6, 6e6);
    CHECK_STR(selftest_word(selftest_verdict_of(c)), "not verified");
    CHECK_STR(c->why, "the machine is busy: without sampling, the times differ by 100 %");
    CHECK_STR(judged(c, 1), "ok");
    selftest_judge_busy(c, 3e6, 6e6);
    CHECK_STR(selftest_word(selftest_verdict_of(c)), "ok");
}

TEST(too_few_switches_are_not_verified_when_sleeps_were_late)
{
    struct selftest_check *c = expecting(200, 195, 205);
    CHECK_STR(judged(c, 190), "wrong");
    selftest_judge_late(c, 1.4e6);
    CHECK_STR(selftest_word(selftest_verdict_of(c)), "wrong");
    selftest_judge_late(c, 5.25e6);
    CHECK_STR(selftest_word(selftest_verdict_of(c)), "not verified");
    CHECK_STR(c->why, "sleeps of 1 ms took 5.2 ms: the machine is busy");
    CHECK_STR(judged(c, 206), "wrong"); /* no sleep makes more */
    selftest_judge_late(c, 5e6);
    CHECK_STR(selftest_word(selftest_verdict_of(c)), "wrong");
}

TEST(too_little_cpu_time_is_not_verified_when_sampling_was_paused)
{
    struct selftest_check *c = expecting(1500, 1275, 1545);
    CHECK_STR(judged(c, 750), "wrong");
    selftest_judge_paused(c, 0);
    CHECK_STR(selftest_word(selftest_verdict_of(c)), "wrong");
    selftest_judge_paused(c, 177);
    CHECK_STR(selftest_word(selftest_verdict_of(c)), "not verified");
    CHECK_STR(c->why, "the kernel paused sampling 177 times");
    CHECK_STR(judged(c, 1600), "wrong"); /* no pause makes more */
    selftest_judge_paused(c, 177);
    CHECK_STR(selftest_word(selftest_verdict_of(c)), "wrong");
}

TEST(a_wrong_timing_is_not_verified_when_cpu_time_was_stolen)
{
    struct selftest_check *c = expecting(70, 66, 74);
    CHECK_STR(judged(c, 60), "wrong");
    selftest_judge_stolen(c, 50);
    CHECK_STR(selftest_word(selftest_verdict_of(c)), "wrong"); /* no timing */
    c->timing = true;
    selftest_judge_stolen(c, 1.9);
    CHECK_STR(selftest_word(selftest_verdict_of(c)), "wrong");
    selftest_judge_stolen(c, 12.3);
    CHECK_STR(selftest_word(selftest_verdict_of(c)), "not verified");
    CHECK_STR(c->why, "the hypervisor took 12 % of the CPU time meanwhile");
    CHECK_STR(judged(c, 70), "ok");
    selftest_judge_stolen(c, 12.3);
    CHECK_STR(selftest_word(selftest_verdict_of(c)), "ok");
}

static const char *waited(uint64_t not_run_ms, uint64_t elapsed_ms, double waited_ms)
{
    struct selftest_check *c = expecting(0, 0, 0);
    c->timing = c->counter = true;
    selftest_judge_wait(c, not_run_ms * 1000000, elapsed_ms * 1000000, waited_ms);
    return selftest_word(selftest_verdict_of(c));
}

TEST(wrong_waits_of_a_thread_that_took_long_to_switch_are_not_verified)
{
    CHECK_STR(waited(200, 202, 204), "ok");
    CHECK_STR(waited(200, 202, 210), "wrong");
    CHECK_STR(waited(200, 215, 216), "ok");
    CHECK_STR(waited(241, 293, 293), "not verified");
    CHECK_STR(waited(241, 293, 250), "ok");
    CHECK_STR(waited(300, 202, 200), "wrong"); /* its clock says more than went by */
}

TEST(stolen_is_a_share_of_busy_time)
{
    static const char before[] = "cpu  100 0 50 9000 10 0 5 20 0 0\ncpu0 100 0 50 9000 10 0 5 20\n";
    static const char after[] =
        "cpu  160 5 70 19000 99 0 10 30 0 0\ncpu0 160 5 70 19000 99 0 10 30\n";
    CHECK_INT((int)(1000 * selftest_stolen_pct(before, after)), 10000);
    CHECK_INT((int)selftest_stolen_pct(before, before), 0);
    CHECK_INT((int)selftest_stolen_pct("", after), 0);
    CHECK_INT((int)selftest_stolen_pct(before, "cpux"), 0);
    CHECK_INT((int)selftest_stolen_pct("cpu 1 2 3 4\n", "cpu 2 3 4 5\n"), 0); /* an old kernel */
}

TEST(nothing_below_0_is_expected)
{
    CHECK(expecting(1425, -93, 1545)->min == 0);
}

TEST(a_counter_of_0_is_not_verified)
{
    struct selftest_check *c = expecting(66, 65, 67);
    c->counter = true;
    CHECK_STR(judged(c, 0), "not verified");
    CHECK_STR(c->why, "the counter reads 0");
}

TEST(nothing_measured_is_never_ok)
{
    struct selftest_check *c = expecting(0, 0, 0);
    CHECK_STR(selftest_word(selftest_verdict_of(c)), "not verified");
    CHECK_STR(judged(c, (double)NAN), "not verified");
    CHECK(!c->has_measured);
    CHECK_STR(judged(expecting(0, 0, INFINITY), INFINITY), "not verified");
}

TEST(without_a_truth_nothing_is_ok)
{
    report = (struct selftest_report){.count = 0};
    CHECK_STR(judged(selftest_add(&report, "", 0, "waits"), 0), "not verified");
}

TEST(a_failure_brings_its_remedy)
{
    struct fail f = {EACCES, "sampling", "run as root"};
    struct selftest_check *c = expecting(1, 1, 1);
    selftest_failed(c, &f);
    CHECK_STR(selftest_word(selftest_verdict_of(c)), "not available");
    CHECK_STR(c->why, "sampling: Permission denied");
    CHECK_STR(c->remedy, "run as root");
}

TEST(what_did_not_end_is_not_verified)
{
    struct fail f = {ETIMEDOUT, "the workload io", ""};
    struct selftest_check *c = expecting(1, 1, 1);
    selftest_failed(c, &f);
    CHECK_STR(selftest_word(selftest_verdict_of(c)), "not verified");
    CHECK_STR(c->why, "the workload io: Connection timed out");
}

TEST(too_many_checks_use_the_last_one_again)
{
    report = (struct selftest_report){.count = 0};
    for (int i = 0; i < SELFTEST_MAX_CHECKS + 3; i++)
        selftest_add(&report, "", 0, "%d", i);
    CHECK_INT(report.count, SELFTEST_MAX_CHECKS);
}

TEST(the_median_is_the_middle)
{
    double odd[] = {9, 1, 5}, one[] = {7};
    CHECK(selftest_median(odd, 3) == 5);
    CHECK(selftest_median(one, 1) == 7);
    CHECK(isnan(selftest_median(NULL, 0)));
}

/* --- the report --- */

static void make_report(void)
{
    report = (struct selftest_report){.version = "1.0 for Linux arm, static",
                                      .machine = "board, armv7l, 2 CPUs",
                                      .kernel = "6.1.0, uid 0",
                                      .processor = "",
                                      .seconds = 1.5};
    struct selftest_check *c = selftest_add(&report, "M", 2, "instructions (CPU 0-1)");
    selftest_expect(c, 66, 65.67, 66.33);
    selftest_unavailable(c, "the hypervisor offers no PMU", "on the host: a virtual PMU");
    c = selftest_add(&report, "M", 2, "cycles (CPU 0-1)");
    selftest_expect(c, 64, 62.72, 73.6);
    selftest_unavailable(c, "the hypervisor offers no PMU", "on the host: a virtual PMU");
    c = selftest_add(&report, "%", 1, "share of 70 %%");
    selftest_expect(c, 70, 66, 74);
    snprintf(c->how, sizeof c->how, "perf cpu-clock, 1500 samples");
    selftest_judge(c, 70.25);
    c = selftest_add(&report, "", 0, "page faults (counter)");
    selftest_expect(c, 2000, 1980, 2020);
    selftest_judge(c, 1200);
    selftest_add(&report, "ms", 0, "waits for time");
}

static const char text[] =
    "selftest\n"
    "psuite     1.0 for Linux arm, static\n"
    "machine    board, armv7l, 2 CPUs\n"
    "kernel     6.1.0, uid 0\n"
    "processor  not known\n"
    "\n"
    "check                   expected       allowed  measured  unit  verdict\n"
    "instructions (CPU 0-1)     66.00  65.67..66.33         -  M     not available\n"
    "cycles (CPU 0-1)           64.00  62.72..73.60         -  M     not available\n"
    "share of 70 %               70.0    66.0..74.0      70.2  %     ok\n"
    "page faults (counter)       2000    1980..2020      1200        wrong\n"
    "waits for time                 -             -         -  ms    not verified\n"
    "\n"
    "- instructions (CPU 0-1), cycles (CPU 0-1): the hypervisor offers no PMU\n"
    "      on the host: a virtual PMU\n"
    "- share of 70 %: perf cpu-clock, 1500 samples\n"
    "\n"
    "5 checks: 1 ok, 1 wrong, 1 not verified, 2 not available\n";

TEST(the_report_as_text)
{
    struct buf out = BUF_INIT;
    make_report();
    CHECK_INT(selftest_text(&report, &out), 0);
    CHECK_STR(buf_str(&out), text);
    buf_release(&out);
}

TEST(the_report_as_json)
{
    struct buf out = BUF_INIT;
    make_report();
    CHECK_INT(selftest_json(&report, &out), 0);
    const char *json = buf_str(&out);
    CHECK(strstr(json, "{\"psuite\":1,\"applet\":\"doctor\",\"selftest\":{\"version\":\"1.0 for"));
    CHECK(strstr(json,
                 "{\"name\":\"page faults (counter)\",\"verdict\":\"wrong\",\"expected\":2000"));
    CHECK(
        strstr(json, "{\"name\":\"waits for time\",\"unit\":\"ms\",\"verdict\":\"not verified\"}"));
    CHECK(
        strstr(json, "\"summary\":{\"ok\":1,\"wrong\":1,\"not_verified\":1,\"not_available\":2}"));
    buf_release(&out);
}
