#include "unit.h"

#include "core/base/buf.h"
#include "core/timeline/delays.h"

#include <stdlib.h>
#include <string.h>

struct fixture {
    struct sched_delays d;
    struct sched_names names;
    struct sched_spans spans;
};

static struct fixture *new_fixture(uint64_t limit_ns)
{
    struct fixture *f = calloc(1, sizeof *f);
    f->d.limit_ns = limit_ns;
    sched_spans_init(&f->spans, &(struct sched_limits){0}, 1);
    return f;
}

static void free_fixture(struct fixture *f)
{
    sched_delays_release(&f->d);
    sched_names_release(&f->names);
    sched_spans_release(&f->spans);
    free(f);
}

static void add(struct fixture *f, enum sched_kind kind, int32_t pid, int16_t cpu, uint64_t time_ns)
{
    struct sched_event e = {.kind = (uint8_t)kind,
                            .pid = pid,
                            .cpu = cpu,
                            .other = -1,
                            .flags = kind == SCHED_READY ? SCHED_WOKEN : 0,
                            .time_ns = time_ns};
    sched_spans_add(&f->spans, &e);
    sched_delays_add(&f->d, &e, &f->names);
}

static void end(struct fixture *f, uint64_t end_ns)
{
    sched_delays_end(&f->d, &f->spans, &f->names, end_ns);
}

static void check_meanwhile(const struct fixture *f, const char *want)
{
    struct buf out = BUF_INIT;
    sched_delay_meanwhile(&f->d, &f->d.delay[0], &out);
    CHECK_STR(buf_str(&out), want);
    buf_release(&out);
}

/* 7 waits from 1000 to 11000 on CPU 1: 8 runs 79% of it, 9 20%, none 1%. */
static void wait_ten(struct fixture *f)
{
    sched_names_set(&f->names, 7, 1, "tr", 2);
    sched_names_set(&f->names, 8, 1, "cc1", 3);
    sched_names_set(&f->names, 9, 1, "make", 4);
    add(f, SCHED_RUN, 8, 1, 500);
    add(f, SCHED_RUN, 5, 0, 600);
    add(f, SCHED_READY, 7, 1, 1000);
    add(f, SCHED_SLEEP, 8, 1, 8900);
    add(f, SCHED_RUN, 9, 1, 9000);
    add(f, SCHED_SLEEP, 9, 1, 11000);
    add(f, SCHED_RUN, 7, 1, 11000);
}

TEST(a_delay_has_its_time_cpu_and_who_ran_in_shares)
{
    struct fixture *f = new_fixture(5000);
    wait_ten(f);
    end(f, 20000);
    CHECK_INT(f->d.kept, 1);
    CHECK_INT(f->d.late, 1);
    const struct sched_delay *d = &f->d.delay[0];
    CHECK_INT(d->hit.pid, 7);
    CHECK_INT(d->hit.cpu, 1);
    CHECK_INT(d->hit.time_ns, 11000);
    CHECK_INT(d->hit.since_ns, 1000);
    CHECK_INT(d->hit.took_ns, 10000);
    CHECK_STR(d->name, "tr");
    CHECK_STR(sched_delay_kind(d), "wake-up");
    check_meanwhile(f, "8 cc1 79%, 9 make 20%, idle 1%");
    free_fixture(f);
}

TEST(a_wait_within_the_limit_is_no_delay)
{
    struct fixture *f = new_fixture(10000);
    wait_ten(f);
    end(f, 20000);
    CHECK_INT(f->d.kept, 0);
    CHECK_INT(f->d.late, 0);
    free_fixture(f);
}

TEST(names_of_a_delay_are_those_of_its_time)
{
    struct fixture *f = new_fixture(5000);
    wait_ten(f);
    sched_names_set(&f->names, 8, 30000, "ld", 2);
    end(f, 40000);
    check_meanwhile(f, "8 cc1 79%, 9 make 20%, idle 1%");
    free_fixture(f);
}

TEST(others_that_ran_are_named_and_have_no_delays)
{
    struct fixture *f = new_fixture(5000);
    struct sched_event e = {.kind = SCHED_RUN, .pid = 3, .cpu = 1, .time_ns = 500, .other = -1};
    sched_names_set(&f->names, 3, 1, "other", 5);
    sched_delays_other(&f->d, &e);
    add(f, SCHED_READY, 7, 1, 1000);
    e.kind = SCHED_SLEEP;
    e.time_ns = 9000;
    sched_delays_other(&f->d, &e);
    add(f, SCHED_RUN, 7, 1, 11000);
    f->d.some_tasks = true;
    end(f, 20000);
    CHECK_INT(f->d.late, 1);
    check_meanwhile(f, "3 other 80%, not traced 20%");
    free_fixture(f);
}

TEST(what_the_history_does_not_have_is_not_known)
{
    struct fixture *f = new_fixture(5000);
    add(f, SCHED_READY, 7, 1, 1000);
    add(f, SCHED_RUN, 8, 1, 6000);
    add(f, SCHED_SLEEP, 8, 1, 11000);
    add(f, SCHED_RUN, 7, 1, 11000);
    end(f, 20000);
    check_meanwhile(f, "8  50%, not known 50%");
    free_fixture(f);
}

TEST(a_task_that_still_waits_is_a_delay)
{
    struct fixture *f = new_fixture(5000);
    add(f, SCHED_RUN, 7, 1, 300);
    add(f, SCHED_SLEEP, 7, 1, 500);
    add(f, SCHED_RUN, 8, 1, 500);
    add(f, SCHED_READY, 7, 1, 1000);
    add(f, SCHED_READY, 6, 1, 19000);
    end(f, 20000);
    CHECK_INT(f->d.waiting, 1);
    CHECK_INT(f->d.delay[0].hit.pid, 7);
    CHECK_INT(f->d.delay[0].hit.took_ns, 19000);
    CHECK_STR(sched_delay_kind(&f->d.delay[0]), "waiting");
    check_meanwhile(f, "8  100%");
    free_fixture(f);
}

TEST(a_missed_deadline_is_a_delay_with_its_own_runs)
{
    struct fixture *f = new_fixture(5000);
    sched_names_set(&f->names, 7, 1, "control", 7);
    add(f, SCHED_RUN, 8, 1, 500);
    add(f, SCHED_RELEASE, 7, 1, 1000);
    add(f, SCHED_DEADLINE, 7, 1, 9000);
    add(f, SCHED_SLEEP, 8, 1, 6000);
    add(f, SCHED_RUN, 7, 1, 6000);
    add(f, SCHED_SLEEP, 7, 1, 11000);
    end(f, 20000);
    CHECK_INT(f->d.missed, 1);
    CHECK_INT(f->d.kept, 1);
    CHECK_INT(f->d.delay[0].hit.took_ns, 2000);
    CHECK_INT(f->d.delay[0].hit.since_ns, 1000);
    CHECK_STR(sched_delay_kind(&f->d.delay[0]), "deadline");
    check_meanwhile(f, "7 control 50%, 8  50%");
    free_fixture(f);
}

TEST(what_was_waited_for_before_a_loss_is_forgotten)
{
    struct fixture *f = new_fixture(5000);
    add(f, SCHED_READY, 7, 1, 1000);
    add(f, SCHED_LOST, -1, 1, 2000);
    add(f, SCHED_RUN, 7, 1, 11000);
    end(f, 20000);
    CHECK_INT(f->d.kept, 0);
    free_fixture(f);
}

/* Waits of 2000 + i * 7919 % COUNT: each once, in no order. */
static void wait_often(struct fixture *f, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t at = 1000000 + 100000 * (uint64_t)i, took = 2000 + i * 7919 % count;
        add(f, SCHED_READY, 7, 1, at);
        add(f, SCHED_RUN, 7, 1, at + took);
        add(f, SCHED_SLEEP, 7, 1, at + took + 1);
    }
}

static void check_longest(const struct sched_delays *d, uint64_t longest_ns, size_t count)
{
    CHECK_INT(d->kept, count);
    for (size_t i = 0; i < count; i++)
        CHECK_INT(d->delay[i].hit.took_ns, longest_ns - i);
}

TEST(the_longest_delays_are_kept_and_all_counted)
{
    struct fixture *f = new_fixture(1000);
    enum { COUNT = 5 * SCHED_DELAYS_KEPT };
    wait_often(f, COUNT);
    end(f, UINT64_C(1) << 40);
    CHECK_INT(f->d.late, COUNT);
    check_longest(&f->d, 2000 + COUNT - 1, SCHED_DELAYS_KEPT);
    free_fixture(f);
}

TEST(without_a_limit_the_longest_are_found)
{
    struct fixture *f = new_fixture(0);
    wait_often(f, 1000);
    end(f, UINT64_C(1) << 40);
    check_longest(&f->d, 2999, SCHED_DELAYS_LONGEST);
    free_fixture(f);
}
