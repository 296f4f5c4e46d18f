/*
 * threads: the runs in a stream of entries and exits of all threads, in order of time. A run begins
 * where a thread enters the start function outside of another run. What else a thread does is
 * passed over: a tracer that follows calls of a function may go on behind its end.
 *
 * A gap in the events of a CPU drops the runs that may have been there in it. Of runs that are
 * complete the first ones are taken; those that go on then are forgotten.
 */
#pragma once

#include "core/containers/imap.h"
#include "core/topo/graph_decode.h"
#include "core/topo/runs.h"

enum { TOPO_MAX_STARTS = 64, TOPO_MAX_THREADS = 1 << 16 };

struct topo_thread;

struct topo_threads {
    struct topo_runs *runs;
    uint64_t start[TOPO_MAX_STARTS]; /* addresses of the start function */
    size_t starts;
    uint64_t want; /* runs */
    int64_t own;   /* a thread whose runs are passed over, as it is psuite itself; 0: none */

    /* The function at an address: where it begins, and its name, which stays. */
    const char *(*name)(void *arg, uint64_t address, uint64_t *begin);
    void *arg;

    struct topo_thread *thread;
    size_t threads, cap;
    struct imap known;     /* by thread: index + 1 */
    struct imap gaps;      /* by CPU: where the latest one ended */
    uint64_t next;         /* run */
    uint64_t lost, losses; /* events missing before the last run that was wanted, and the places; of
                              an unknown number only a place */
};

void topo_threads_release(struct topo_threads *t);

void topo_threads_add(struct topo_threads *t, const struct topo_event *e);
bool topo_threads_complete(const struct topo_threads *t); /* as many runs as wanted */
/* All has been added: 0 or -ENOMEM; topo_finish is next. Runs that go on are dropped as unfinished
 * unless there are enough. */
int topo_threads_end(struct topo_threads *t);
