/*
 * ktrace_event: the entry or the exit of a function of the kernel, and its line in trace(3)'s
 * `trace' (the seed's manual page): eight fields with a blank between, in hexadecimal digits.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* KTRACE_ARGS: of a line; KTRACE_MAX_ARGS: of a call. KTRACE_TEXT_BYTES: longer texts are cut. */
enum {
    KTRACE_LINE_BYTES = 121,
    KTRACE_ARGS = 4,
    KTRACE_MAX_ARGS = 6,
    KTRACE_MAX_FRAMES = 64,
    KTRACE_TEXT_BYTES = 255,
};
#define KTRACE_NO_PID UINT64_MAX

struct ktrace_event {
    uint64_t pc;               /* the function's first byte; of an exit its last instruction */
    uint64_t time;             /* in ticks or ns, as its source says */
    uint64_t pid;              /* the thread; KTRACE_NO_PID outside of any */
    uint64_t arg[KTRACE_ARGS]; /* of an exit the first is what it returned */
    uint32_t function;         /* which, as its source counts them */
    bool exit, interrupt;      /* it happened in an interrupt */
    uint16_t cpu;              /* where, if its source says so */
};

/* What an event has beyond its line. Texts are valid during the call only. */
struct ktrace_text {
    const char *at; /* NULL: none */
    size_t len;
};
enum ktrace_what {
    KTRACE_EDGE,  /* an entry or an exit */
    KTRACE_STACK, /* who called whom at the entry or exit before of this thread: addresses, the
                     innermost first */
    KTRACE_TEXTS, /* texts that arguments of this thread's innermost call point to: as text[i], by
                     the address in arg[i] */
};
struct ktrace_more {
    enum ktrace_what what;
    uint64_t arg[KTRACE_MAX_ARGS - KTRACE_ARGS]; /* the fifth, the sixth */
    struct ktrace_text text[KTRACE_MAX_ARGS];    /* what an argument points to; of an exit the
                                                    first is of what it returned */
    uint32_t frame_count;
    uint64_t frame[KTRACE_MAX_FRAMES];
};
typedef void ktrace_emit_fn(void *arg, const struct ktrace_event *e, const struct ktrace_more *m);

/* Its line with the newline, and without a NUL. */
void ktrace_line(const struct ktrace_event *e, char out[KTRACE_LINE_BYTES]);
