/*
 * time_ns: time in nanoseconds. The constants are signed and of 64 bits: a product with one does
 * not overflow an int, and with an unsigned 64-bit number it is unsigned.
 */
#pragma once

#include <limits.h>
#include <stdint.h>

#define NS_PER_S  INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_US INT64_C(1000)

/* From one time to a later one; 0: it is not later. */
static inline uint64_t ns_between(uint64_t from_ns, uint64_t to_ns)
{
    return to_ns > from_ns ? to_ns - from_ns : 0;
}

/* How long to wait, as poll(2) takes it: rounded up, so that end_ns has come then, and INT_MAX at
 * most. 0: it has come. */
static inline int ms_until(uint64_t now_ns, uint64_t end_ns)
{
    uint64_t left_ns = ns_between(now_ns, end_ns);
    uint64_t ms = left_ns / NS_PER_MS + (left_ns % NS_PER_MS != 0);
    return ms < INT_MAX ? (int)ms : INT_MAX;
}
