/*
 * Waiting for the next stop. A thread that was let go on stops again within microseconds where it
 * does much I/O; to sleep meanwhile, and be woken on a CPU that has fallen asleep, costs several
 * times of what the stop itself does. So we look a little while before we sleep; each time in vain
 * makes us look less often. On one CPU that would only keep the thread from it.
 */
#include "iotrace.h"
#include "plat/clock.h"

#include <errno.h>
#include <sched.h>
#include <sys/wait.h>

enum { LOOK_NS = 50000, MOST_PASSED = 64 };

static pid_t look(int *status)
{
    uint64_t end_ns = clock_mono_ns() + LOOK_NS;
    pid_t got;
    do
        got = wait4(-1, status, __WALL | WNOHANG, NULL);
    while (got == 0 && clock_mono_ns() < end_ns);
    return got;
}

/* So many waits pass without looking. */
static bool looks(struct iotrace *t)
{
    if (t->alone)
        return false;
    if (t->passed < t->patience) {
        t->passed++;
        return false;
    }
    t->passed = 0;
    return true;
}

pid_t iotrace_wait(struct iotrace *t, int *status)
{
    if (looks(t)) {
        pid_t got = look(status);
        if (got) {
            t->patience = 0;
            return got;
        }
        t->patience = t->patience ? 2 * t->patience : 1;
        if (t->patience > MOST_PASSED)
            t->patience = MOST_PASSED;
    }
    return wait4(-1, status, __WALL, NULL);
}
