/*
 * iotrace: the parts of plat/iotrace.h.
 *
 *   iotrace.c          starting, attaching, the end
 *   iotrace_guard.c    the process that was started, which only waits
 *   iotrace_threads.c  what a traced thread has beyond its slot in threads.h
 *   iotrace_stops.c    what a stop means, and how the thread goes on
 *   iotrace_calls.c    a call's begin and end
 *   iotrace_wakeup.c   calls that taking hold of a process interrupts
 *   ARCH/iotrace.c     the same by registers, before Linux 5.3
 */
#pragma once

#include "call_filter.h"
#include "place.h"
#include "plat/iotrace.h"
#include "restart.h"
#include "threads.h"

#include <sys/ptrace.h>
#include <sys/types.h>

struct traced {
    int tid;
    void *user_data;  /* the taker's */
    bool is_reported; /* its parent reported its creation; else it waits at its first stop */
    bool is_stopped;  /* does so */
    bool in_call;     /* its end is waited for */
    bool entered;     /* without PTRACE_GET_SYSCALL_INFO: the next stop of a call is its end */
    struct io_called call;
    struct placed placed;
    struct restart restart; /* of a call that was cut short when the process was seized */
};

struct iotrace {
    struct iotrace_callbacks callbacks;
    struct threads threads; /* of struct traced */
    int pid;                /* the command or the process */
    const char *name;       /* of the command */
    bool command;           /* else a process that ran already */
    bool trace_all;         /* no filter: all calls stop */
    bool started;           /* the command was executed */
    bool quiet;             /* only kept alive: nothing is reported */
    bool has_ended;         /* pid has ended */
    int status;             /* as wait4 gave it */
    bool has_timer;
    timer_t timer; /* of iotrace_seconds.c */
    uint64_t start_ns, end_ns;
    int exec_errno_fd; /* errno of an exec that failed comes here */
    int guard_fd;      /* to the process that was started; -1: none */
    int guard_pid;
    bool use_registers; /* no PTRACE_GET_SYSCALL_INFO */
    struct place place; /* of a command with a filter: no thread outlives us */
};

/* iotrace_guard.c: goes on in a child; the caller's process never returns from here. */
int iotrace_guard(struct iotrace *t, struct fail *f);
void iotrace_guard_dismiss(struct iotrace *t, int status);
/* Signals to us are for the command; of a process, they end the watching. */
void iotrace_signals(const struct iotrace *t);

/* iotrace_threads.c */
struct traced *traced_add(struct iotrace *t, int tid); /* NULL: memory */
void traced_remove(struct iotrace *t, struct traced *x);

/* iotrace_seconds.c: while a process is traced, each second, and end_ns, ends the
 * wait for a stop. */
void iotrace_seconds_begin(struct iotrace *t, uint64_t end_ns);
void iotrace_seconds_tick(struct iotrace *t, uint64_t end_ns); /* between stops */
void iotrace_seconds_end(struct iotrace *t);

/* iotrace_stops.c: what wait4 reported of a thread. */
void iotrace_on_wait_status(struct iotrace *t, int tid, int status);
long iotrace_options(const struct iotrace *t);

/* iotrace_calls.c: whether the end of the call that begins is wanted; and that it has come. */
bool traced_call_enter(struct iotrace *t, struct traced *x);
void traced_call_exit(struct iotrace *t, struct traced *x);
/* Of a thread of which all calls stop. */
void traced_call_stop(struct iotrace *t, struct traced *x);

/* iotrace_wakeup.c: calls that taking hold of a sleeping thread ended before their time go on; x
 * has stopped for it, for a signal, or at a call's begin or end. */
void traced_woken(struct traced *x);
void traced_woken_signalled(struct traced *x, int signal);
void traced_woken_passed(struct traced *x);

/* ARCH/iotrace.c: a call by registers. */
struct iotrace_regs {
    enum io_arch arch;
    uint64_t number, arg[6];
    int64_t result;
};
int iotrace_regs_read(int tid, struct iotrace_regs *out);
