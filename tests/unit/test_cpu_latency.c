#include "unit.h"

#include "engine/hostfs/cpu_latency.h"
#include "idle_asked.h"

enum { LOOK_NS = AWAKE_CHECK_MS * 1000000 };

/* looks: so many, each with messages more than the one before. */
static void looks(struct awake *a, unsigned n, unsigned long messages)
{
    for (unsigned i = 0; i < n; i++)
        awake_check(a, a->messages + messages, a->checked_ns + LOOK_NS);
}

TEST(cpus_stay_awake_while_much_is_asked)
{
    struct awake a = {0};
    idle_denied = false;
    looks(&a, 3, 5);
    CHECK(!idle_is_shallow);
    looks(&a, 3, 1000);
    CHECK(idle_is_shallow);
    looks(&a, 5, 0); /* a compiler computes */
    CHECK(idle_is_shallow);
    looks(&a, 30, 1);
    CHECK(!idle_is_shallow);
    looks(&a, 1, 1000);
    CHECK(idle_is_shallow);
    awake_end(&a);
    CHECK(!idle_is_shallow);
}

TEST(cpu_latency_is_not_checked_before_its_interval_ends)
{
    struct awake a = {0};
    idle_denied = false;
    looks(&a, 1, 0);
    awake_check(&a, 1000, a.checked_ns + LOOK_NS - 1);
    CHECK(!idle_is_shallow);
    awake_check(&a, 1000, a.checked_ns + LOOK_NS);
    CHECK(idle_is_shallow);
    awake_end(&a);
}

TEST(cpu_latency_is_checked_once_more_after_a_pause)
{
    struct awake a = {0};
    idle_denied = false;
    looks(&a, 1, 0);
    CHECK(!a.check_due);
    uint64_t now_ns = a.checked_ns + 1000 * (uint64_t)LOOK_NS;
    awake_restart(&a, 5000, now_ns); /* over a long time */
    CHECK(a.check_due && !a.held);
    awake_check(&a, 5001, now_ns + LOOK_NS);
    CHECK(!a.check_due && !a.held);
    awake_restart(&a, 5020, now_ns + 2 * LOOK_NS);
    awake_check(&a, 6000, now_ns + 3 * LOOK_NS);
    CHECK(a.check_due && a.held);
    looks(&a, 20, 0);
    CHECK(!a.check_due && !a.held);
}

TEST(cpu_latency_request_is_not_repeated_when_denied)
{
    struct awake a = {0};
    idle_denied = true;
    idle_requests = 0;
    looks(&a, 10, 1000);
    CHECK_INT(idle_requests, 1);
    CHECK(!a.held);
    awake_end(&a);
}
