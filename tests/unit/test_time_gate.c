#include "unit.h"

#include "core/base/buf.h"
#include "core/time/gate.h"
#include "core/time/plan.h"

#include <math.h>
#include <string.h>

static char prog[] = "prog";
static char *words[] = {prog, NULL};
static uint32_t seed = 7;

static double noise(void) /* -1 to 1 */
{
    seed = seed * 1664525 + 1013904223;
    return (double)(seed >> 8) / (1 << 23) - 1;
}

/* A run of 10 ms, times a factor, on a machine that disturbs one in ten for long. */
static double run_ns(double factor)
{
    double x = noise();
    return 1e7 * factor * (1 + 0.03 * noise() + (x > 0.8 ? 2 * (x - 0.8) : 0));
}

static void add_round(struct time_report *r, double factor)
{
    for (size_t i = 0; i < 2; i++) {
        struct time_run run = {.value[TIME_REAL] = run_ns(i ? factor : 1)};
        CHECK_INT(time_command_add(&r->command[i], &run), 0);
    }
}

/* As the applet makes the rounds. */
static enum gate_verdict decide(double factor, double limit, size_t *rounds)
{
    struct time_command command[2] = {{.argv = words}, {.argv = words}};
    struct time_report r = {.command = command, .commands = 2, .gate_ratio = limit};
    struct time_plan plan = {.gate = true};
    unsigned long more;
    while (time_plan_next(&plan, &r, &more) == 0 && more > 0)
        while (more-- > 0)
            add_round(&r, factor);
    CHECK_INT(time_gate(&r, &r.gate), 0);
    *rounds = command[0].runs;
    for (size_t i = 0; i < 2; i++)
        time_command_release(&command[i]);
    return r.gate;
}

static void count(double factor, int tries, int got[4])
{
    memset(got, 0, 4 * sizeof *got);
    for (int i = 0; i < tries; i++) {
        size_t rounds;
        got[decide(factor, 1.03, &rounds)]++;
        CHECK(rounds % GATE_LOOK == 0 && rounds <= GATE_ROUNDS);
    }
}

TEST(equal_programs_are_not_called_slower)
{
    int got[4];
    count(1, 100, got);
    CHECK(got[GATE_SLOWER] <= 2);
    CHECK(got[GATE_NOT_SLOWER] > 70); /* with this noise */
    CHECK_INT(got[GATE_OPEN], 0);
}

TEST(programs_at_the_limit_pass_and_fail_as_seldom_as_promised)
{
    int got[4];
    count(1.03, 100, got);
    CHECK(got[GATE_SLOWER] <= 4);      /* 1%, and what chance adds */
    CHECK(got[GATE_NOT_SLOWER] <= 11); /* 5% */
}

TEST(a_program_that_is_slower_is_found)
{
    int got[4];
    count(1.10, 40, got);
    CHECK(got[GATE_SLOWER] > 36);
    CHECK_INT(got[GATE_NOT_SLOWER], 0);
}

TEST(runs_are_as_many_as_a_text_says)
{
    static const struct {
        const char *text;
        unsigned long rounds;
        double seconds;
    } good[] = {{"1", 1, 0},      {"100000", 100000, 0}, {"5s", 0, 5},
                {"0.5s", 0, 0.5}, {"5m", 0, 300},        {"auto", 0, 3}};
    static const char *const bad[] = {"",   "0",   "-1",  "1.5",   "100001", "s",   "0s",
                                      "5x", "5s ", "nan", "autos", " 5",     "1e9s"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct time_plan plan = {0};
        CHECK(time_plan_parse(good[i].text, &plan));
        CHECK(plan.rounds == good[i].rounds && fabs(plan.seconds - good[i].seconds) < 1e-9);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct time_plan plan = {0};
        CHECK(!time_plan_parse(bad[i], &plan));
    }
}

TEST(runs_by_time_are_ten_or_fill_it)
{
    struct time_command command = {.argv = words};
    struct time_report r = {.command = &command, .commands = 1};
    struct time_plan plan = {.seconds = 1};
    struct time_run run = {.value[TIME_REAL] = 2e7};
    unsigned long more;
    CHECK_INT(time_plan_next(&plan, &r, &more), 0);
    CHECK_INT(more, 10);
    for (int i = 0; i < 10; i++)
        CHECK_INT(time_command_add(&command, &run), 0);
    CHECK_INT(time_plan_next(&plan, &r, &more), 0);
    CHECK_INT(more, 40); /* 0.8 s are left, a run takes 0.02 */
    for (int i = 0; i < 40; i++)
        CHECK_INT(time_command_add(&command, &run), 0);
    CHECK_INT(time_plan_next(&plan, &r, &more), 0);
    CHECK_INT(more, 0);
    time_command_release(&command);
}
