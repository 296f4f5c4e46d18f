/* Plan 9's stream of a process whose events a kernel's recorded pages have, as a server reads it.
 */
#include "unit.h"

#include "core/trace/plan9.h"
#include "dev/devices.h"
#include "engine/trace/stream.h"
#include "plat/clock.h"

#include <errno.h>
#include <stdlib.h>

BEFORE(play)
{
    char path[512];
    snprintf(path, sizeof path, "%s/applets/ns/traced.scenario", unit_folder());
    setenv("PSUITE_FAKE", path, 1);
}

static int give(struct ns *ns, const char *text, struct fail *f)
{
    struct ns_file *file;
    int r = ns_open(ns, "/proc/141/ctl", NS_WRITE, &file, f);
    if (r < 0)
        return r;
    r = (int)ns_write(file, 0, text, strlen(text), f);
    ns_close(file);
    return r;
}

/* The scenario's clock goes on as it is read: so many rounds, so much time. */
static void pass(struct ns *ns, uint64_t ns_time)
{
    for (uint64_t end = clock_mono_ns() + ns_time; clock_mono_ns() < end;)
        ns_run_timers(ns);
}

/* --- in this order: the scenario's clock goes on, and the process lives for 1.1 s --- */

TEST(a_stream_is_read_once_and_waits_for_more)
{
    struct ns ns = NS_INIT;
    struct ns_file *file;
    struct fail f;
    uint8_t bytes[5 * SCHED_PLAN9_BYTES + 7];
    struct sched_event e;
    uint64_t offset = 0, late = 0, last_ns = 0;
    long n;
    CHECK_INT(devices_bind(&ns, &f), 0);
    CHECK_INT(ns_open(&ns, "#p/trace", NS_READ, &file, &f), 0);
    CHECK_INT(give(&ns, "trace\n", &f), 6);
    CHECK(ns_run_timers(&ns) > 0);
    CHECK_INT(ns_read(file, 0, bytes, sizeof bytes, &f), -EAGAIN); /* its time is yet to come */
    pass(&ns, 200000000);
    CHECK_INT(ns_read(file, 0, bytes, sizeof bytes, &f), 5 * SCHED_PLAN9_BYTES);
    sched_plan9_read(bytes, sched_plan9_big(bytes, sizeof bytes), &e);
    CHECK_INT(e.pid, 141);
    CHECK_INT(e.kind, SCHED_READY);
    while ((n = ns_read(file, offset, bytes, sizeof bytes, &f)) > 0) {
        CHECK_INT(n % SCHED_PLAN9_BYTES, 0);
        offset += (uint64_t)n;
        sched_plan9_read(bytes, false, &e);
        late += e.time_ns < last_ns;
        last_ns = e.time_ns;
    }
    CHECK_INT(n, -EAGAIN);
    CHECK(offset > 0);
    CHECK_INT(late, 0);
    CHECK_INT(give(&ns, "trace", &f), 5); /* off */
    ns_close(file);
    ns_release(&ns);
}

TEST(what_comes_when_the_ring_is_full_is_dropped_and_counted)
{
    struct tracing_stream *s = tracing_stream_new();
    struct fail f;
    CHECK_INT(tracing_stream_add(s, 141, &f), 0);
    for (int i = 0; i < TRACING_STREAM_EVENTS + 64; i++) {
        tracing_stream_mark(s, 141);
        if (i % 32 == 31) /* what was marked is in the stream with the second round */
            tracing_stream_tend(s), tracing_stream_tend(s);
    }
    CHECK_INT(tracing_stream_state(s).waiting, TRACING_STREAM_EVENTS);
    CHECK(tracing_stream_state(s).dropped >= 64);
    CHECK(tracing_stream_tend(s) > 0);
    tracing_stream_free(s); /* while it runs */
}

TEST(a_mark_stands_at_its_time_and_off_ends_the_tracing)
{
    struct tracing_stream *s = tracing_stream_new();
    struct fail f;
    struct sched_event e;
    uint8_t bytes[SCHED_PLAN9_BYTES];
    uint64_t marked_ns, last_ns = 0;
    int users = 0, late = 0;
    CHECK_INT(tracing_stream_add(s, 99, &f), -ESRCH);
    CHECK_INT(tracing_stream_add(s, 141, &f), 0);
    CHECK(tracing_stream_has(s, 141));
    CHECK(!tracing_stream_has(s, 115));
    while (tracing_stream_state(s).waiting < 20 && tracing_stream_tend(s) > 0)
        ;
    tracing_stream_mark(s, 115); /* not traced */
    tracing_stream_mark(s, 141);
    marked_ns = clock_mono_ns();
    while (tracing_stream_state(s).tasks && tracing_stream_state(s).waiting < 200)
        tracing_stream_tend(s);
    tracing_stream_drop(s, 141);
    CHECK(!tracing_stream_has(s, 141));
    while (tracing_stream_read(s, bytes, sizeof bytes, &f) == SCHED_PLAN9_BYTES) {
        sched_plan9_read(bytes, false, &e);
        late += e.time_ns < last_ns;
        last_ns = e.time_ns;
        users += e.kind == SCHED_USER && e.pid == 141 && e.time_ns < marked_ns;
    }
    CHECK_INT(users, 1);
    CHECK_INT(late, 0);
    CHECK_INT(tracing_stream_state(s).dropped, 0);
    tracing_stream_free(s);
}

/* --- what needs no event --- */

TEST(what_is_no_message_of_tracing)
{
    static const char *const bad[] = {"trace 2", "trace  1", "tracer", "event 1", "trace 1 0"};
    struct ns ns = NS_INIT;
    struct fail f;
    CHECK_INT(devices_bind(&ns, &f), 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_INT(give(&ns, bad[i], &f), -EINVAL);
        CHECK_STR(ns_error(&f), "bad process or channel control request");
    }
    CHECK_INT(give(&ns, "trace 0", &f), 7); /* of what is not traced: nothing */
    CHECK_INT(give(&ns, "event", &f), 5);
    CHECK_INT(ns_run_timers(&ns), -1);
    ns_release(&ns);
}

TEST(one_opener_at_a_time)
{
    struct ns ns = NS_INIT;
    struct ns_file *file, *other;
    struct fail f;
    uint8_t bytes[64];
    CHECK_INT(devices_bind(&ns, &f), 0);
    CHECK_INT(ns_open(&ns, "#p/trace", NS_BOTH, &file, &f), -EACCES);
    CHECK_INT(ns_open(&ns, "#p/trace", NS_READ, &file, &f), 0);
    CHECK_INT(ns_open(&ns, "/proc/trace", NS_READ, &other, &f), -EINVAL);
    CHECK_STR(ns_error(&f), "already open");
    CHECK_INT(ns_read(file, 0, bytes, sizeof bytes, &f), 0); /* nobody is traced */
    CHECK_INT(ns_read(file, 0, bytes, 15, &f), -EINVAL);
    ns_close(file);
    CHECK_INT(ns_open(&ns, "/proc/trace", NS_READ, &other, &f), 0);
    ns_close(other);
    ns_release(&ns);
}
