/*
 * runs: calls as they are entered and left, by run (one call of the start function and all below
 * it, on one thread), merged into a topo. Runs may overlap. A run is merged when it is left, as a
 * whole or not at all: one whose record contradicts itself is dropped and counted with the reason.
 */
#ifndef PSUITE_CORE_TOPO_RUNS_H
#define PSUITE_CORE_TOPO_RUNS_H

#include "core/containers/imap.h"
#include "core/topo/topo.h"

struct topo_run;

struct topo_runs {
    struct topo *topo;
    struct imap known; /* number of a run: index + 1 */
    struct topo_run *run;
    size_t runs, cap;
    struct intern names;
    int err;
};

void topo_runs_init(struct topo_runs *r, struct topo *t); /* t is initialised and outlives it */
void topo_runs_release(struct topo_runs *r);

/* run: any number. call: from 0 in each run, in order of entry. depth: the start function's is 0.
 */
void topo_runs_enter(struct topo_runs *r, uint64_t run, const char *name, uint64_t call,
                     uint64_t depth);
/* total: between entry and exit. */
void topo_runs_exit(struct topo_runs *r, uint64_t run, const char *name, uint64_t call,
                    uint64_t total);
/* Of a run that is known to be incomplete. */
void topo_runs_drop(struct topo_runs *r, uint64_t run, enum topo_reason reason);

/* Runs that are not left yet are dropped as unfinished. 0 or -ENOMEM; topo_finish is next. */
int topo_runs_end(struct topo_runs *r);

#endif
