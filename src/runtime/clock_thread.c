#include "runtime.h"

#include <string.h>
#include <time.h>

bool rt_thread_clock_start(bool user, char note[96])
{
    if (user)
        strncpy(note, "no counter of user time: elapsed time", 95);
    return !user;
}

uint64_t rt_thread_clock(void)
{
    const struct rt_thread *t = psprof_tls.thread;
    return rt_clock_ns(CLOCK_THREAD_CPUTIME_ID) + (t ? t->clock_base : 0) + 1;
}

void rt_thread_clock_begin(struct rt_thread *t)
{
    t->clock_base = t->slot->last_ticks;
}

void rt_thread_clock_end(struct rt_thread *t)
{
    (void)t;
}
