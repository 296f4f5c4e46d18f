/*
 * sampling: runs a sampling from its start to its end: a command, or a process that runs already.
 */
#ifndef PSUITE_ENGINE_SAMPLING_H
#define PSUITE_ENGINE_SAMPLING_H

#include "core/fail.h"
#include "core/sampled.h"
#include "engine/symbols.h"
#include "plat/child.h"

struct sampling_want {
    char *const *command; /* run this, and follow what it starts; NULL: */
    int pid;              /* sample this process */
    const char
        *binary; /* the main module's symbols are read from this file; NULL: from what is mapped */
    struct debugfile_search search; /* of debug files */
    bool children;                  /* of pid, too */
    enum sampled_by by;
    uint64_t hz;
    double seconds; /* 0: to the end */

    /* Called after each round of reading, some ten times a second; may be NULL. */
    void (*round)(void *arg, const struct sampled *so_far);
    void *arg;
};

struct sampling {
    struct sampled sampled; /* want.hz is what was really given */
    struct sampler *sampler;
    struct perfrec_format format; /* of its records */
    struct child child;           /* when a command was given */
    bool child_runs;              /* it had not ended when the sampling did: sampling_wait */
    bool executed;                /* the command became what it is */
    struct child_end end;         /* else how it ended */
    int interrupted;              /* by this signal, 0 none */
    uint64_t user_before_ms;      /* of a process: user time it had already */
    char method[64];
    struct order *order;
    struct symbols symbols;
    struct debugfile_search search;
    const char *binary;
};

/* Samples until the target ends, seconds have passed or an interrupt comes (which goes to the
 * command first). 0, or -errno and f: nothing was sampled. -ENOENT and the like with a command: it
 * could not be executed. Either way the caller calls sampling_release. */
int sampling_run(const struct sampling_want *want, struct sampling *s, struct fail *f);

/* Waits for a command that outlives its sampling, and hands it what interrupts us meanwhile. */
int sampling_wait(struct sampling *s, struct fail *f);

void sampling_release(struct sampling *s);

#endif
