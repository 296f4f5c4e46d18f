/*
 * interrupt N: SIGNAL N arrives at the Nth wait (from 1), default never. Handles are ready at once:
 * scripted data never makes anybody wait.
 */
#include "plat/wait.h"

#include "scenario.h"

#include <stdlib.h>

enum { INTERRUPT_HANDLE = 900, SIGNAL_INT = 2 };
static unsigned long waits;

static bool interrupted(void)
{
    const char *rest = scenario_get("interrupt");
    return rest && waits >= strtoul(rest, NULL, 10);
}

int wait_ready(struct wait_on *set, size_t n, int timeout_ms)
{
    (void)timeout_ms;
    int ready = 0;
    waits++;
    for (size_t i = 0; i < n; i++) {
        set[i].ready = set[i].handle >= 0 && (set[i].handle != INTERRUPT_HANDLE || interrupted());
        set[i].gone = false;
        ready += set[i].ready;
    }
    return ready;
}

int interrupt_open(void)
{
    return INTERRUPT_HANDLE;
}

int interrupt_take(bool *typed)
{
    if (typed)
        *typed = true;
    return interrupted() ? SIGNAL_INT : 0;
}
