/*
 * threads: the threads that a tracer holds, by id, each with a record of the tracer's own.
 *
 *     struct threads held = {0};
 *     struct tracee *x = threads_add(&held, tid, sizeof *x);   all zero
 *     x = threads_find(&held, tid);
 *     for (size_t i = held.count; i-- > 0;)                    x may be removed meanwhile
 *         x = threads_at(&held, i);
 *     threads_remove(&held, tid);
 *
 * A sorted array: finding is a binary search, and the kernel's ids mostly grow, so that a new one
 * goes to the end. A thread that is removed leaves nothing behind: the table is as large as the
 * most threads that were held at a time, however many come and go.
 */
#pragma once

#include <stddef.h>

struct threads_slot {
    int tid;
    void *record;
};

struct threads {
    struct threads_slot *slot; /* by ascending tid */
    size_t count, cap;
};

void *threads_find(const struct threads *t, int tid); /* NULL: not held */
/* A record of so many zero bytes for a thread that is not held yet; it stays where it is until it
 * is removed. NULL when memory ends. */
void *threads_add(struct threads *t, int tid, size_t bytes);
void threads_remove(struct threads *t, int tid); /* frees the record; harmless when not held */
void threads_release(struct threads *t);         /* with all records */

/* Calls hold for every thread of a process that is not held, until there is none, as threads come
 * and go meanwhile: it holds it, or fails by -errno; 0, too, for one that has ended. 0, or -errno
 * of hold, or when the process is gone. */
int threads_hold_all(const struct threads *t, int pid, int (*hold)(void *arg, int tid), void *arg);

static inline void *threads_at(const struct threads *t, size_t i)
{
    return t->slot[i].record;
}
