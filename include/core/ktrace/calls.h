/*
 * ktrace_calls: pairs entries and exits of functions into calls, by thread, with their depth.
 *
 * Calls of a thread are handed on in the order of their entries, when the outermost has returned;
 * of more than KTRACE_MAX_WAITING of a thread, those that have returned are handed on before. An
 * exit belongs to the innermost open entry of its function; entries inside of that have no exit,
 * because it was lost, and they are dropped and counted. So is an exit without an entry. A stack
 * belongs to the innermost open call, if it begins in that function; and texts do, if they are at
 * the addresses of its arguments.
 */
#pragma once

#include "core/containers/intern.h"
#include "core/ktrace/event.h"

enum { KTRACE_MAX_DEPTH = 64, KTRACE_MAX_WAITING = 4096 };

struct ktrace_call {
    uint64_t pid, start, end; /* times in the unit of the events */
    uint64_t pc;              /* the function's first byte */
    uint64_t arg[KTRACE_MAX_ARGS], returned;
    char *text[KTRACE_MAX_ARGS + 1]; /* what an argument, and at last what was returned, points to;
                                        NULL: not known */
    uint64_t *frame;                 /* its stack: NULL: not known */
    uint32_t frames;
    uint32_t function;
    uint16_t depth; /* 0: in no other call that is traced */
    bool ended;     /* false: it had not returned when the tracing ended */
};

/* The call, with what it points to, is valid during this only. */
typedef void ktrace_call_fn(void *arg, const struct ktrace_call *c);

struct ktrace_thread;
struct ktrace_calls {
    struct intern threads; /* struct ktrace_thread, by pid */
    uint64_t unpaired;     /* entries without an exit, and exits without an entry */
    int err;               /* -ENOMEM: events were dropped */
    ktrace_call_fn *emit;
    void *arg;
};

void ktrace_calls_init(struct ktrace_calls *c, ktrace_call_fn *emit, void *arg);
void ktrace_calls_release(struct ktrace_calls *c);

/* In order of time. more: NULL: there is no more. */
void ktrace_calls_add(struct ktrace_calls *c, const struct ktrace_event *e,
                      const struct ktrace_more *more);

/* Hands on what waits, and what has not returned. */
void ktrace_calls_end(struct ktrace_calls *c);
