#include "engine/hostfs/cpu_latency.h"

#include "core/base/time_ns.h"
#include "plat/idle.h"

/* A compiler asks for its headers, and computes for tens of ms. */
enum { IDLE_CHECKS = 10 };

static void hold_awake(struct awake *a)
{
    a->handle = idle_disable_deep();
    a->held = a->handle >= 0;
    a->refused = !a->held;
}

void awake_end(struct awake *a)
{
    if (a->held)
        idle_allow_deep(a->handle);
    a->held = false;
}

void awake_check(struct awake *a, unsigned long messages, uint64_t now_ns)
{
    if (now_ns - a->checked_ns < AWAKE_CHECK_MS * NS_PER_MS)
        return;
    bool many = messages - a->messages >= AWAKE_BUSY_COUNT;
    a->messages = messages;
    a->checked_ns = now_ns;
    a->idle_checks = many ? 0 : a->idle_checks + 1;
    if (many && !a->held && !a->refused)
        hold_awake(a);
    else if (a->idle_checks > IDLE_CHECKS)
        awake_end(a);
    a->check_due = a->held;
}

void awake_restart(struct awake *a, unsigned long messages, uint64_t now_ns)
{
    if (a->check_due || a->refused)
        return;
    a->messages = messages;
    a->checked_ns = now_ns;
    a->check_due = true;
}
