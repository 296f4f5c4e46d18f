/*
 * counter: one reading of an event counter of the kernel or the processor.
 */
#pragma once

#include <stdint.h>

enum { COUNTER_NAME = 32 };

enum counter_state {
    COUNTER_COUNTED,
    COUNTER_USER_ONLY, /* the kernel's part may not be counted by us */
    COUNTER_MISSING,   /* this machine has no such counter */
    COUNTER_DENIED,    /* it may have, but we are not permitted */
    COUNTER_BUSY,      /* the counter could not be had: all taken, or no more open files */
};

struct counter_reading {
    enum counter_state state;
    uint64_t count;
    uint64_t enabled_ns; /* how long it was to count, */
    uint64_t running_ns; /* and how long it did: less when several take turns on too few counters */
};

/* The count it would have had in all of the time; 0 when it never ran. */
double counter_scaled(const struct counter_reading *r);

/* Share of the time in which it counted, 0..1; 1 when there was nothing to count. */
double counter_share(const struct counter_reading *r);

/* Why there is no count ("not on this machine"), NULL when there is. */
const char *counter_reason(enum counter_state state);
