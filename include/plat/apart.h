/*
 * apart: starts a daemon: a process with a session of its own, and with no descriptors but those it
 * is given. It may have several threads, with a lock.
 */
#pragma once

#include "core/base/fail.h"
#include "core/base/scope.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A pair of ends of a socket, closed by an exec. */
int apart_pair(int out[2], struct fail *f);
void apart_close(int end);

/* Runs run(arg) there, with the handles kept; it ends when run returns. */
int apart_start(void (*run)(void *arg), void *arg, const int *keep, size_t n, struct fail *f);
/* The same with all signals blocked from its first instruction on: what cleans up after us is not
 * ended by what ends us. */
int apart_start_guardian(void (*run)(void *arg), void *arg, const int *keep, size_t n,
                         struct fail *f);

/* Whole messages over a pair's end: 0, or -errno; -ECONNRESET when the other side is gone. */
int apart_send(int end, const void *bytes, size_t len);
int apart_receive(int end, void *bytes, size_t len);
/* Whether anything had come, which is gone now. Does not wait. */
bool apart_drain(int end);

/* How many threads are worth it. */
unsigned crew_size(void);
/* Starts a thread; 0 or -errno. It ends when run returns. */
int crew_start(void (*run)(void *arg), void *arg);
void crew_sleep_ms(unsigned ms);
/* Whether all threads but this one sleep; true where the system does not say. */
bool crew_asleep(void);

struct lock; /* opaque */
struct lock *lock_new(void);
void lock_free(struct lock *l);            /* NULL: nothing */
struct lock *lock_acquire(struct lock *l); /* l */
void lock_release(struct lock *l);

/* `SCOPED_LOCK held = lock_acquire(l)' is released where its scope ends. */
#define SCOPED_LOCK SCOPED(lock_end) struct lock *
static inline void lock_end(struct lock **l)
{
    lock_release(*l);
}
