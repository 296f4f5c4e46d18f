#include "unit.h"

#include "core/base/buf.h"
#include "core/trace/deadline.h"
#include "core/trace/recording.h"

/* Run time 3, deadline 6, period 20. */
static bool ask(void *arg, int32_t pid, struct sched_parameters *out)
{
    (void)arg;
    *out = (struct sched_parameters){3000000, 6000000, 20000000};
    return pid == 5 || pid == 6;
}

static struct sched_names names;

static void put(void *arg, const struct sched_event *e)
{
    buf_printf(arg, "%s%d %s%s", ((struct buf *)arg)->len ? ", " : "", (int)(e->time_ns / 1000000),
               sched_kind_name(e->kind), e->flags & SCHED_INFERRED ? "!" : "");
}

static void event(struct sched_deadlines *d, struct buf *out, int ms, int kind, int pid, int other)
{
    struct sched_event e = {.time_ns = (uint64_t)ms * 1000000,
                            .pid = pid,
                            .other = other,
                            .kind = (uint8_t)kind,
                            .priority = pid < 7 ? -1 : 120};
    sched_deadlines_feed(d, &e, put, out);
}

TEST(a_job_in_time_and_one_that_is_too_long)
{
    struct sched_deadlines d = {.names = &names, .get_parameters = ask};
    struct buf out = BUF_INIT;
    event(&d, &out, 100, SCHED_READY, 5, 9);
    event(&d, &out, 100, SCHED_RUN, 5, -1);
    event(&d, &out, 101, SCHED_SLICE, 5, 9); /* used 1 of 3: it yielded */
    CHECK_STR(buf_str(&out),
              "100 Admit!, 100 Release!, 106 Deadline!, 100 Ready, 100 Run, 101 Yield!");
    buf_clear(&out);
    event(&d, &out, 121, SCHED_RUN, 5, -1);
    event(&d, &out, 124, SCHED_SLICE, 5, 9); /* used all */
    CHECK_STR(buf_str(&out), "120 Release!, 126 Deadline!, 121 Run, 124 Slice!");
    buf_clear(&out);
    event(&d, &out, 130, SCHED_READY, 9, 8);
    event(&d, &out, 140, SCHED_RUN, 5, -1);
    event(&d, &out, 141, SCHED_SLEEP, 5, -1);
    CHECK_STR(buf_str(&out), "130 Ready, 140 Release!, 146 Deadline!, 140 Run, 141 Sleep");
    buf_clear(&out);
    event(&d, &out, 142, SCHED_READY, 5, 8); /* has 2 left, and 4 to the deadline: too much */
    CHECK_STR(buf_str(&out), "142 Release!, 148 Deadline!, 142 Ready");
    buf_release(&out);
    sched_deadlines_release(&d);
}

TEST(preempted_by_an_earlier_deadline)
{
    struct sched_deadlines d = {.names = &names, .get_parameters = ask};
    struct buf out = BUF_INIT;
    event(&d, &out, 100, SCHED_READY, 5, 9);
    event(&d, &out, 100, SCHED_RUN, 5, -1);
    event(&d, &out, 101, SCHED_READY, 6, 9);
    buf_clear(&out);
    event(&d, &out, 101, SCHED_SLICE, 5, 6);
    CHECK_STR(buf_str(&out), "101 Slice");
    sched_names_set(&names, 18, 0, "migration/0", 11);
    event(&d, &out, 102, SCHED_RUN, 5, -1);
    event(&d, &out, 103, SCHED_SLICE, 5, 18);
    CHECK_STR(buf_str(&out), "101 Slice, 102 Run, 103 Slice");
    buf_release(&out);
    sched_names_release(&names);
    sched_deadlines_release(&d);
}

TEST(deadline_lost_by_a_policy_change_is_an_expel_event)
{
    struct sched_deadlines d = {.names = &names, .get_parameters = ask};
    struct buf out = BUF_INIT;
    event(&d, &out, 100, SCHED_RUN, 5, -1);
    struct sched_event e = {.time_ns = 101000000, .pid = 5, .kind = SCHED_SLEEP, .priority = 120};
    sched_deadlines_feed(&d, &e, put, &out);
    CHECK_STR(buf_str(&out), "100 Admit!, 100 Run, 101 Expel!, 101 Sleep");
    buf_release(&out);
    sched_deadlines_release(&d);
}

/* --- recordings --- */

static struct sched_event got[8];
static size_t events;

static void keep(void *arg, const struct sched_event *e)
{
    (void)arg;
    got[events++ & 7] = *e;
}

TEST(a_recording_is_read_as_it_was_written)
{
    static const struct sched_event want[] = {
        {.time_ns = 5000,
         .pid = 1,
         .other = 2,
         .cpu = 3,
         .kind = SCHED_READY,
         .flags = SCHED_WOKEN,
         .priority = 120},
        {.time_ns = 4000,
         .pid = -1,
         .other = -1,
         .arg = 4000000000,
         .cpu = -1,
         .kind = SCHED_LOST,
         .priority = -1,
         .policy = 6},
        {.time_ns = UINT64_MAX,
         .pid = INT32_MAX,
         .other = INT32_MIN,
         .cpu = 3,
         .kind = SCHED_SLEEP,
         .state = 'D',
         .priority = INT16_MIN},
        {.time_ns = 1,
         .pid = 1,
         .other = -1,
         .arg = 1,
         .cpu = 3,
         .kind = SCHED_USER,
         .priority = INT16_MIN},
    };
    struct sched_names told = {0}, read = {0};
    struct sched_recording_writer w;
    struct sched_recording r;
    sched_names_set(&told, 1, 0, "one", 3);
    sched_names_fork(&told, 7, 1);
    sched_names_add_text(&told, "a mark\n", 7);
    sched_recording_start(&w);
    sched_recording_fact(&w, SCHED_RECORDING_HOST, "board");
    for (size_t i = 0; i < 4; i++)
        sched_recording_event(&w, &told, &want[i]);
    sched_recording_end(&w);
    events = 0;
    const uint8_t *bytes = (const uint8_t *)w.out.data;
    CHECK_INT(sched_recording_read(bytes, w.out.len, &read, &r, keep, NULL, NULL), 0);
    CHECK_INT(events, 4);
    CHECK(memcmp(got, want, sizeof want) == 0);
    CHECK_STR(sched_names_get(&read, 1), "one");
    CHECK_INT(sched_names_parent(&read, 1), 7);
    CHECK_STR(sched_names_get_text(&read, 1), "a mark");
    CHECK_STR(buf_str(&r.fact[SCHED_RECORDING_HOST]), "board");
    CHECK(r.ended && !r.truncated);
    sched_recording_close(&r);
    for (size_t cut = 1; cut < w.out.len; cut++) {
        sched_recording_read(bytes, w.out.len - cut, &read, &r, keep, NULL, NULL);
        CHECK(!r.ended);
        sched_recording_close(&r);
    }
    sched_recording_release(&w);
    sched_names_release(&told);
    sched_names_release(&read);
}
