/*
 * place: on which CPU a traced thread goes on. A thread that is traced closely stops again within
 * microseconds. The kernel wakes it, and then the tracer, on a CPU that sleeps if there is one, and
 * to wake that costs five times of what a stop costs on one CPU. So a thread that was quick to stop
 * several times is placed: it may run only where the tracer does, and the tracer stays there, until
 * a tick, each 10 ms, finds that it has not stopped for long.
 *
 *     if (place_init(&p))                       the command needs call_filter_cpus
 *     place_tick(&p);                           between stops
 *     place_stopped(&p, &x->placed);
 *     place_resume(&p, &x->placed);             before it goes on
 *     place_forget(&p, &x->placed);             it has ended
 *
 * The program must not see it: its calls about CPUs stop first (call_filter.h), and take
 * everybody's place away until they have ended; a newborn gets the CPUs that its parent had.
 * (/proc/PID/status tells.) Nor may it outlive the tracer: what is placed must be killed with it.
 *
 * One tracer of a process has a place at a time. Its tick is SIGALRM, whose handler ends a wait.
 */
#pragma once

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

struct placed { /* of a traced thread: zeroes, and its id; stays where it is in memory */
    int tid;
    unsigned quick_stops; /* so many times it stopped soon after it went on, */
    uint64_t resumed_ns;  /* then */
    bool is_pinned;       /* it may run only where we do; before on */
    cpu_set_t cpus;
    struct placed *next, *previous; /* of those that are pinned */
};

struct place {      /* of a tracer: starts as zeroes */
    bool can_pin;   /* there is more than one CPU */
    bool is_pinned; /* on cpu; else we may run on own_cpus */
    int cpu;
    cpu_set_t own_cpus;
    struct placed *pinned;
    unsigned cpu_calls; /* in progress */
};

/* Without it, or when it returns false as there is one CPU, nothing is placed. */
bool place_init(struct place *p);
void place_tick(struct place *p);
void place_stopped(const struct place *p, struct placed *x);
void place_resume(struct place *p, struct placed *x);
void place_forget(struct place *p, struct placed *x);
/* A new thread is stopped. */
void place_child(const struct place *p, const struct placed *parent, struct placed *child);
/* A thread is in a call about CPUs until the latter. */
void place_call_begins(struct place *p);
void place_call_ends(struct place *p);
