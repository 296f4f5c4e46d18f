#include "unit.h"

#include "core/timeline/trigger.h"

static struct sched_event event(enum sched_kind kind, int32_t pid, uint64_t time_ns)
{
    return (struct sched_event){.kind = (uint8_t)kind, .pid = pid, .time_ns = time_ns};
}

static bool take(struct sched_trigger *t, enum sched_kind kind, int32_t pid, uint64_t time_ns)
{
    struct sched_event e = event(kind, pid, time_ns);
    return sched_trigger_check(t, &e);
}

TEST(sched_trigger_without_conditions_never_fires)
{
    struct sched_trigger t = {0};
    for (unsigned kind = 0; kind < SCHED_KINDS; kind++)
        CHECK(!take(&t, (enum sched_kind)kind, 7, 100 + kind));
    CHECK_INT(t.ready.used + t.due.used, 0);
}

TEST(a_task_has_run_when_its_run_ends)
{
    struct sched_trigger t = {.run_pid = 7};
    CHECK(!take(&t, SCHED_SLEEP, 7, 50)); /* its start was not seen */
    CHECK(!take(&t, SCHED_RUN, 7, 100));
    CHECK(!take(&t, SCHED_SLEEP, 8, 120));
    CHECK(!take(&t, SCHED_INTS, 7, 130));
    CHECK(take(&t, SCHED_SLICE, 7, 150));
    CHECK_INT(t.hit.kind, SCHED_HIT_RUN);
    CHECK_INT(t.hit.pid, 7);
    CHECK_INT(t.hit.time_ns, 150);
    CHECK_INT(t.hit.took_ns, 50);
    CHECK(!take(&t, SCHED_SLEEP, 7, 160));
}

TEST(a_run_from_time_0_is_one)
{
    struct sched_trigger t = {.run_pid = 7};
    take(&t, SCHED_RUN, 7, 0);
    CHECK(take(&t, SCHED_SLEEP, 7, 9));
    CHECK_INT(t.hit.took_ns, 9);
}

TEST(a_wakeup_is_late_when_it_takes_more_than_asked)
{
    struct sched_trigger t = {.late_ns = 1000};
    take(&t, SCHED_READY, 7, 5000);
    CHECK(!take(&t, SCHED_RUN, 7, 6000));
    take(&t, SCHED_READY, 7, 7000);
    take(&t, SCHED_READY, 8, 7500);
    CHECK(take(&t, SCHED_RUN, 7, 8001));
    CHECK_INT(t.hit.kind, SCHED_HIT_LATE);
    CHECK_INT(t.hit.took_ns, 1001);
    CHECK(take(&t, SCHED_RUN, 8, 9000));
    CHECK_INT(t.hit.pid, 8);
    CHECK(!take(&t, SCHED_RUN, 8, 99000)); /* not woken since */
    sched_trigger_release(&t);
}

TEST(a_task_that_is_woken_twice_waits_since_the_first_time)
{
    struct sched_trigger t = {.late_ns = 1000};
    take(&t, SCHED_READY, 7, 5000);
    take(&t, SCHED_READY, 7, 5900);
    CHECK(take(&t, SCHED_RUN, 7, 6100));
    CHECK_INT(t.hit.took_ns, 1100);
    take(&t, SCHED_READY, 7, 6200); /* it runs */
    take(&t, SCHED_SLEEP, 7, 6300);
    take(&t, SCHED_READY, 7, 9000);
    CHECK(!take(&t, SCHED_RUN, 7, 9900));
    sched_trigger_release(&t);
}

TEST(waiting_after_a_preemption_is_no_wakeup)
{
    struct sched_trigger t = {.late_ns = 1000};
    struct sched_event e = event(SCHED_READY, 7, 100);
    e.flags = SCHED_PREEMPTED;
    CHECK(!sched_trigger_check(&t, &e));
    CHECK(!take(&t, SCHED_RUN, 7, 50000));
    sched_trigger_release(&t);
}

TEST(sched_trigger_forget_drops_open_waits)
{
    struct sched_trigger t = {.late_ns = 1000, .run_pid = 7, .missed = true};
    take(&t, SCHED_READY, 7, 100);
    take(&t, SCHED_DEADLINE, 7, 200);
    take(&t, SCHED_RUN, 7, 150);
    take(&t, SCHED_READY, 8, 100);
    sched_trigger_forget(&t);
    CHECK(!take(&t, SCHED_SLEEP, 7, 9000));
    CHECK(!take(&t, SCHED_RUN, 8, 9000));
    sched_trigger_release(&t);
}

TEST(trigger_ignores_a_deadline_that_was_met)
{
    struct sched_trigger t = {.missed = true};
    take(&t, SCHED_RELEASE, 7, 100);
    take(&t, SCHED_DEADLINE, 7, 200); /* told ahead of its time */
    CHECK(!take(&t, SCHED_RUN, 7, 110));
    CHECK(!take(&t, SCHED_YIELD, 7, 200));
    CHECK(!take(&t, SCHED_RELEASE, 7, 300));
    take(&t, SCHED_DEADLINE, 7, 400);
    CHECK(!take(&t, SCHED_SLEEP, 7, 350));
    CHECK(!take(&t, SCHED_RUN, 7, 500));
    sched_trigger_release(&t);
}

TEST(a_deadline_missed_is_told_once)
{
    struct sched_trigger t = {.missed = true};
    take(&t, SCHED_DEADLINE, 7, 200);
    CHECK(!take(&t, SCHED_RUN, 7, 110));
    CHECK(take(&t, SCHED_SLEEP, 7, 230));
    CHECK_INT(t.hit.kind, SCHED_HIT_MISSED);
    CHECK_INT(t.hit.took_ns, 30);
    CHECK(!take(&t, SCHED_SLEEP, 7, 240));
    sched_trigger_release(&t);
}

TEST(a_task_that_did_not_run_misses_it_at_the_next_release)
{
    struct sched_trigger t = {.missed = true};
    take(&t, SCHED_DEADLINE, 7, 200);
    CHECK(take(&t, SCHED_RELEASE, 7, 200));
    CHECK_INT(t.hit.took_ns, 0);
    sched_trigger_release(&t);
}

TEST(the_dead_and_the_expelled_have_no_deadline)
{
    struct sched_trigger t = {.missed = true};
    take(&t, SCHED_DEADLINE, 7, 200);
    take(&t, SCHED_DEADLINE, 8, 200);
    CHECK(!take(&t, SCHED_DEAD, 7, 300));
    CHECK(!take(&t, SCHED_EXPEL, 8, 300));
    CHECK(!take(&t, SCHED_RUN, 8, 310));
    sched_trigger_release(&t);
}

/* --- who ran while a task waited --- */

static bool take_on(struct sched_trigger *t, enum sched_kind kind, int32_t pid, int cpu,
                    uint64_t time_ns)
{
    struct sched_event e = event(kind, pid, time_ns);
    e.cpu = (int16_t)cpu;
    e.flags = kind == SCHED_READY ? SCHED_WOKEN : 0;
    return sched_trigger_check(t, &e);
}

static void check_ran(const struct sched_trigger *t, size_t i, int32_t pid, uint64_t ns)
{
    CHECK(i < t->hit.meanwhile.ran_count);
    CHECK_INT(t->hit.meanwhile.ran[i].pid, pid);
    CHECK_INT(t->hit.meanwhile.ran[i].ns, ns);
}

TEST(who_ran_during_a_late_wakeup_is_known)
{
    struct sched_trigger t = {.late_ns = 1000};
    take_on(&t, SCHED_RUN, 50, 0, 1000); /* before the wake-up */
    take_on(&t, SCHED_RUN, 60, 1, 1000); /* on another CPU */
    take_on(&t, SCHED_READY, 7, 0, 5000);
    take_on(&t, SCHED_READY, 60, 0, 5100); /* a wake-up ends no run */
    take_on(&t, SCHED_SLEEP, 50, 0, 5300);
    take_on(&t, SCHED_RUN, 51, 0, 5400);
    take_on(&t, SCHED_SLICE, 51, 0, 6400);
    take_on(&t, SCHED_RUN, 50, 0, 6400);
    take_on(&t, SCHED_SLEEP, 50, 0, 6500);
    CHECK(take_on(&t, SCHED_RUN, 7, 0, 6500));
    CHECK_INT(t.hit.cpu, 0);
    CHECK_INT(t.hit.meanwhile.ran_count, 2);
    check_ran(&t, 0, 51, 1000);
    check_ran(&t, 1, 50, 400);
    sched_trigger_release(&t);
}

TEST(a_task_that_moved_while_it_waited_waited_on_both_cpus)
{
    struct sched_trigger t = {.late_ns = 1000};
    struct sched_event moved = event(SCHED_MIGRATE, 7, 6000);
    take_on(&t, SCHED_RUN, 50, 0, 1000);
    take_on(&t, SCHED_RUN, 60, 1, 1000);
    take_on(&t, SCHED_READY, 7, 0, 5000);
    moved.other = 0;
    moved.cpu = 1;
    CHECK(!sched_trigger_check(&t, &moved));
    take_on(&t, SCHED_SLEEP, 60, 1, 6300);
    CHECK(take_on(&t, SCHED_RUN, 7, 1, 6400));
    CHECK_INT(t.hit.meanwhile.ran_count, 2);
    check_ran(&t, 0, 50, 1000);
    check_ran(&t, 1, 60, 300);
    sched_trigger_release(&t);
}

TEST(what_is_older_than_the_history_is_not_counted)
{
    struct sched_trigger t = {.late_ns = 1000};
    uint64_t now = 5000;
    take_on(&t, SCHED_READY, 7, 0, now);
    for (int i = 0; i < SCHED_HISTORY + 10; i++)
        take_on(&t, SCHED_RUN, 50 + i % 5, 0, now += 100);
    CHECK(take_on(&t, SCHED_RUN, 7, 0, now + 100));
    CHECK_INT(t.hit.meanwhile.ran_count, SCHED_RAN_TASKS);
    uint64_t fifth = (SCHED_HISTORY - 1) / 5 * 100;
    CHECK(t.hit.meanwhile.ran[0].ns >= fifth - 100 && t.hit.meanwhile.ran[0].ns <= fifth + 200);
    sched_trigger_release(&t);
}

TEST(tasks_over_the_limit_are_not_counted)
{
    struct sched_trigger t = {.late_ns = 1000};
    uint64_t now = 5000;
    take_on(&t, SCHED_READY, 7, 0, now);
    for (int i = 0; i < 1000; i++)
        take_on(&t, SCHED_RUN, 50 + i, 0, now += 100);
    CHECK(take_on(&t, SCHED_RUN, 7, 0, now + 100));
    CHECK_INT(t.hit.meanwhile.ran_count, SCHED_RAN_TASKS);
    CHECK_INT(t.hit.meanwhile.ran[0].ns, 100);
    sched_trigger_release(&t);
}

TEST(without_a_cpu_nobody_is_named)
{
    struct sched_trigger t = {.late_ns = 1000};
    take_on(&t, SCHED_RUN, 50, -1, 1000);
    take_on(&t, SCHED_READY, 7, -1, 5000);
    CHECK(take_on(&t, SCHED_RUN, 7, -1, 9000));
    CHECK_INT(t.hit.meanwhile.ran_count, 0);
    sched_trigger_release(&t);
}
