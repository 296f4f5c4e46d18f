/*
 * restart: hides a tracer's stops from system calls. A thread that is stopped, or seized, in a call
 * may come out of it early. Most calls the kernel restarts by itself. Those that return EINTR
 * (signal(7): "never restarted") are made to run again here, when nothing has happened in them yet.
 * A write that waited for space, and was cut short, goes on with its rest: its end is waited for,
 * to give it the total result.
 *
 *     struct restart r = {0};                 one for each thread
 *     restart_stopped(&r, tid, &regs)         at a stop that the tracer asked for
 *     restart_signalled(&r, tid, signal)      at a signal that is about to be delivered
 *     restart_passed(&r, tid)                 at the start or the end of a call
 *     restart_needs_call_stop(&r) ? PTRACE_SYSCALL : PTRACE_CONT
 *
 * In all of them the thread is in a ptrace-stop of the calling thread.
 */
#pragma once

#include "tracee_cpu.h"

enum restart_state {
    RESTART_NONE,
    RESTART_CALL,        /* the call runs again from the start */
    RESTART_REST,        /* the rest of a write is about to begin */
    RESTART_REST_ENTERED /* and has begun */
};

struct restart {
    enum restart_state state;
    uint64_t arg[3];     /* what the call was first given */
    uint64_t done;       /* of a write that goes on: bytes written already */
    uint64_t handler_sp; /* stack pointer of the call over which a handler was started */
};

/* What was done, for counting. */
enum restart_result {
    RESTART_NOTHING,    /* no call, or one that was not cut short; or the kernel refused */
    RESTART_EINTR_KEPT, /* EINTR stays, as the call could not safely be repeated */
    RESTARTED_CALL,
    RESTARTED_REST
};

enum restart_result restart_stopped(struct restart *r, int tid, const struct tracee_regs *regs);
enum restart_result restart_signalled(struct restart *r, int tid, int signal);
void restart_passed(struct restart *r, int tid);

/* Whether the thread has to stop at its next call. */
static inline bool restart_needs_call_stop(const struct restart *r)
{
    return r->state == RESTART_REST || r->state == RESTART_REST_ENTERED;
}

/* restart_calls.c: which calls EINTR leaves as they were, and which write from a buffer whose
 * address and length are the second and third argument. */
bool restart_can_repeat_call(long call);
bool restart_is_write_call(long call);
