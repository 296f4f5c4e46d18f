/*
 * sched_event: one event of the scheduler, from any source: the kernel's tracepoints, a recording
 * of ours, Plan 9's /proc/trace (FORMATS: 16 bytes an event).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The first thirteen are Plan 9's, by its numbers. */
enum sched_kind {
    SCHED_READY,    /* may run: woken (other: by whom); Plan 9: or still, it was preempted */
    SCHED_RUN,      /* runs on cpu from here */
    SCHED_DEAD,     /* is no more */
    SCHED_SLEEP,    /* waits (state: for what) */
    SCHED_USER,     /* a mark with a text, by `trace mark' or a process's ctl */
    SCHED_ADMIT,    /* became a deadline task */
    SCHED_RELEASE,  /* its next period begins */
    SCHED_YIELD,    /* gave the rest of its time away */
    SCHED_SLICE,    /* another takes its CPU (other: who): preempted; or, inferred or other -1, its
                       time is up. It may run on at once: no SCHED_READY follows */
    SCHED_DEADLINE, /* its deadline is at this time: may lie ahead of what surrounds it */
    SCHED_EXPEL,    /* is no deadline task any more */
    SCHED_INTS,     /* an interrupt begins in it (what: which) */
    SCHED_INTE,     /* and ends */
    SCHED_PLAN9,    /* number of the ones above */
    SCHED_MIGRATE = SCHED_PLAN9, /* moved to cpu (other: from which) */
    SCHED_SOFTS,                 /* a softirq begins (what: which) */
    SCHED_SOFTE,
    SCHED_CALL, /* a system call begins (what: its number), or a function (see SCHED_FUNCTIONS) */
    SCHED_RETURN,
    SCHED_FORK, /* was started (other: by whom) */
    SCHED_EXEC, /* became another program: its name follows it */
    SCHED_LOST, /* events of cpu from here back to the one before are missing (what: how many) */
    SCHED_KINDS,
    SCHED_ILLEGAL = 255, /* of a Plan 9 stream: none of Plan 9's (what: which) */
};

/* 32 bytes. What a source cannot say is 0, and -1 for pids and CPUs. */
struct sched_event {
    uint64_t time_ns; /* on the monotonic clock */
    int32_t pid;      /* the task (Linux: the thread's id). 0: an idle CPU's */
    int32_t other;    /* a pid or CPU, as the kind says */
    uint32_t arg;     /* interrupt, softirq, system call, count; of SCHED_USER the text's number. A
                          SCHED_RUN that has one starts no run (Plan 9) */
    int16_t cpu;
    uint8_t kind;     /* enum sched_kind */
    uint8_t flags;    /* SCHED_... below */
    int16_t priority; /* the kernel's: 0..99 real time (0 first), 100..139 normal, -1 deadline */
    uint8_t policy;   /* SCHED_OTHER 0, FIFO 1, RR 2, BATCH 3, IDLE 5, DEADLINE 6 */
    uint8_t state;    /* of SCHED_SLEEP: the letter that ps has: S D T t Z X I P */
    uint32_t unused;
};
enum {
    SCHED_INFERRED = 1,  /* no event said so: from parameters and switches */
    SCHED_PREEMPTED = 2, /* of SCHED_READY: it did not sleep, it was preempted */
    SCHED_WOKEN = 4,     /* of SCHED_READY: it was woken. If it runs, it runs on (Plan 9's Ready
                            ends a run) */
    SCHED_COMPAT = 8,    /* of SCHED_CALL, SCHED_RETURN, SCHED_EXEC: a 32-bit program's, whose calls
                            have numbers of their own on a 64-bit machine */
};

/* A SCHED_CALL or SCHED_RETURN whose arg is this or more is of a function of the kernel: arg less
 * this is the number of the text that is its name. */
#define SCHED_FUNCTIONS UINT32_C(0x80000000)

/* "Ready", "Run", ...; NULL for what is no kind. */
const char *sched_kind_name(unsigned kind);

/* Whether an event replaces a switch that the kernel left out: a Run or Sleep that is inferred.
 * It happened at its time at the latest. */
bool sched_is_inferred_switch(const struct sched_event *e);

/* Whether an event ends its task's run: Sleep, Yield, Ready, Slice, and Dead. */
bool sched_ends_run(unsigned kind);

struct buf;
/* As trace(1) prints times: the largest of s, ms, us and ns that is less than it, three decimals
 * (ns without), rounded. */
void sched_time_text(struct buf *out, int64_t ns);

/* trace -v: `pid time Name`, newline; of a death a second line that a task died; of what is no kind
 * that it is illegal (which trace always prints, as it does the second line: sched_always_text). */
void sched_event_line(struct buf *out, const struct sched_event *e);
void sched_always_text(struct buf *out, const struct sched_event *e);
