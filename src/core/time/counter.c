#include "core/time/counter.h"

#include <stddef.h>

double counter_share(const struct counter_reading *r)
{
    if (r->running_ns >= r->enabled_ns)
        return 1;
    return (double)r->running_ns / (double)r->enabled_ns;
}

double counter_scaled(const struct counter_reading *r)
{
    double share = counter_share(r);
    return share > 0 ? (double)r->count / share : 0;
}

const char *counter_reason(enum counter_state state)
{
    switch (state) {
    case COUNTER_MISSING:
        return "not on this machine";
    case COUNTER_DENIED:
        return "not permitted (/proc/sys/kernel/perf_event_paranoid)";
    case COUNTER_BUSY:
        return "all counters in use";
    case COUNTER_COUNTED:
    case COUNTER_USER_ONLY:
        break;
    }
    return NULL;
}
