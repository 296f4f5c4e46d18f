#include "engine/hostfs/cpu_latency.h"

#include "core/base/time_ns.h"
#include "plat/idle.h"

/* A compiler asks for its headers, and computes for tens of ms. */
enum { QUIET_LOOKS = 10 };

static void hold(struct awake *a)
{
    a->handle = idle_shallow();
    a->held = a->handle >= 0;
    a->refused = !a->held;
}

void awake_end(struct awake *a)
{
    if (a->held)
        idle_deep(a->handle);
    a->held = false;
}

void awake_look(struct awake *a, unsigned long messages, uint64_t now_ns)
{
    if (now_ns - a->looked_ns < AWAKE_LOOK_MS * NS_PER_MS)
        return;
    bool many = messages - a->messages >= AWAKE_MANY;
    a->messages = messages;
    a->looked_ns = now_ns;
    a->quiet = many ? 0 : a->quiet + 1;
    if (many && !a->held && !a->refused)
        hold(a);
    else if (a->quiet > QUIET_LOOKS)
        awake_end(a);
    a->looking = a->held;
}

void awake_stir(struct awake *a, unsigned long messages, uint64_t now_ns)
{
    if (a->looking || a->refused)
        return;
    a->messages = messages;
    a->looked_ns = now_ns;
    a->looking = true;
}
