/*
 * ktrace_event: the entry or the exit of a function of the kernel, and its line in trace(3)'s
 * `trace' (the seed's manual page): eight fields with a blank between, in hexadecimal digits.
 */
#ifndef PSUITE_CORE_KTRACE_EVENT_H
#define PSUITE_CORE_KTRACE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KTRACE_LINE_BYTES = 121, KTRACE_ARGS = 4 };
#define KTRACE_NO_PID UINT64_MAX

struct ktrace_event {
    uint64_t pc;               /* the function's first byte; of an exit its last instruction */
    uint64_t time;             /* in ticks or ns, as its source says */
    uint64_t pid;              /* the thread; KTRACE_NO_PID outside of any */
    uint64_t arg[KTRACE_ARGS]; /* of an exit the first is what it returned */
    uint32_t function;         /* which, as its source counts them */
    bool exit, interrupt;      /* it happened in an interrupt */
};

/* Its line with the newline, and without a NUL. */
void ktrace_line(const struct ktrace_event *e, char out[KTRACE_LINE_BYTES]);

#endif
