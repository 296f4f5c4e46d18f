/*
 * keeper: a sampling of which the last seconds are kept (core/sample/kept.h), and written to a
 * recording each time that SIGUSR1 asks for it, and at the end: FILE, then FILE.1, FILE.2 ...
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"
#include "core/sample/kept.h"

/* What was written, or why not. */
struct keeper_written {
    const char *path;
    uint64_t samples, length_ns; /* of the time that was kept */
    bool full;                   /* which was shorter than asked for: there were too many samples */
    const struct fail *failed;   /* NULL: it was written */
};

struct keeper {
    const char *path; /* as the user named it; NULL: all is kept */
    bool force;
    size_t named;    /* names tried so far */
    struct buf last; /* the name of the file that was written last */
    struct kept kept;

    /* Called after each file; may be NULL. */
    void (*written)(void *arg, const struct keeper_written *w);
    void *arg;
};

/* Before a command is started. -errno and f when path is there or cannot be created. */
int keeper_open(struct keeper *k, const char *path, bool force, double seconds, struct fail *f);
void keeper_release(struct keeper *k);
