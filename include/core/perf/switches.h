/*
 * waits: finds the times in which threads do not run. Each switch of a thread away from its CPU is
 * paired with its next switch onto one; what lies between is a wait, handed on when it is over.
 *
 * Calls come in the order of time. At a switch away waits_out says where the thread is, and
 * waits_off, behind it, why it went; either may be missing, as records get lost.
 *
 * What is not known is not made up: a wait whose end was lost (the thread leaves a CPU, or is seen
 * running, while it should wait) is forgotten and counted. A wait during which records were lost is
 * kept and counted apart: the thread may have run in between.
 *
 * Memory: 48 bytes a thread that waits, 16 a thread that has ended, until waits_forget_ended.
 */
#pragma once

#include "core/containers/imap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WAITS_NO_LOCATION = UINT32_MAX }; /* location: not known */

/* One that is over. */
struct wait {
    uint32_t pid, tid, cpu; /* the CPU it left */
    uint32_t location;      /* the caller's own number for it */
    bool preempted;         /* it could have run on, had it a CPU; else it slept */
    bool first;             /* not the rest of one that was handed on in parts */
    uint64_t start_ns, end_ns;
};

struct waits {
    void (*on_wait)(void *arg, const struct wait *w);
    void *arg;

    struct imap of_tid;        /* to its index in open + 1, or that it has ended */
    struct waits_thread *open; /* those that wait */
    size_t count, cap;
    uint64_t forgotten; /* whose end was lost */
    uint64_t spanning;  /* that were over when records had been lost since their start */
    int err;            /* -ENOMEM once out of memory: waits were missed */
};

void waits_release(struct waits *w);

/* A thread is about to leave its CPU. */
struct waits_switch {
    uint32_t pid, tid, cpu, location;
    uint64_t time_ns;
};
void waits_out(struct waits *w, const struct waits_switch *s);

/* It leaves it; where is used only if waits_out did not say. */
void waits_off(struct waits *w, const struct waits_switch *s, bool preempted);

/* It has a CPU. */
void waits_on(struct waits *w, uint32_t tid, uint64_t time_ns);

/* It was seen running: an open wait has lost its end. */
void waits_runs(struct waits *w, uint32_t tid);

/* It was asleep already when all this began. Nothing that happened before makes it an error. */
void waits_asleep(struct waits *w, const struct waits_switch *s);

/* A thread of that number began, or ended: what it waits ends with it, and what comes behind, until
 * another one begins, is no wait. */
void waits_began(struct waits *w, uint32_t tid);
void waits_ended(struct waits *w, uint32_t tid, uint64_t time_ns);

/* A live view's memory: which threads ended before that time is no longer kept. Their last switches
 * must have been added. */
void waits_forget_ended(struct waits *w, uint64_t before_ns);

/* The caller's numbers of locations have changed: location i is now to[i]. */
void waits_renumber(struct waits *w, const uint32_t *to);

/* The locations of those that wait now. */
void waits_each_location(const struct waits *w, void (*each)(void *arg, uint32_t location),
                         void *arg);

/* Records were lost. */
void waits_lost(struct waits *w);

/* Hands on what all have waited up to now, as parts of their waits. */
void waits_until(struct waits *w, uint64_t time_ns);

/* The same at the end: none is open after it. */
void waits_end(struct waits *w, uint64_t time_ns);
