/*
 * runs: calls as they are entered and left, by run (one call of the start function and all below
 * it, on one thread), merged into a topo. Runs may overlap. A run is merged when it is left, as a
 * whole or not at all: one whose record contradicts itself is dropped and counted with the reason.
 *
 * The events of the runs that are merged can be kept as text, too (the form "events" of
 * core/topo/read.h): those of a run follow each other.
 */
#pragma once

#include "core/base/buf.h"
#include "core/containers/intern.h"
#include "core/topo/topo.h"

struct topo_run;

enum { TOPO_RUN_CALLS_MAX = 1 << 21 }; /* of all runs that are open at a time */

struct topo_runs {
    struct topo *topo;
    struct intern runs; /* struct topo_run, by their numbers */
    size_t calls;       /* of the runs that are open */
    struct intern names;
    struct buf *events; /* the caller's to set; NULL: not kept */
    int err;
};

struct topo_entry {
    uint64_t run;                  /* any number */
    uint64_t call;                 /* from 0 in each run, in order of entry */
    uint64_t thread, depth, start; /* depth: the start function's is 0 */
    const char *name;
};

void topo_runs_init(struct topo_runs *r, struct topo *t); /* t is initialised and outlives it */
void topo_runs_release(struct topo_runs *r);

void topo_runs_enter(struct topo_runs *r, const struct topo_entry *e);
/* total: between entry and exit. */
void topo_runs_exit(struct topo_runs *r, uint64_t run, const char *name, uint64_t call,
                    uint64_t total);
/* Of a run that is known to be incomplete. */
void topo_runs_drop(struct topo_runs *r, uint64_t run, enum topo_reason reason);
/* Forgets a run without counting it, as one that goes on when there are enough. */
void topo_runs_forget(struct topo_runs *r, uint64_t run);
/* Whether a run was merged or dropped. */
bool topo_runs_ended(const struct topo_runs *r, uint64_t run);

/* Runs that are not left yet are dropped as unfinished. 0 or -ENOMEM; topo_finish is next. */
int topo_runs_end(struct topo_runs *r);
