/*
 * snap_part: one of the recordings of a snap: psuite as a process of its own, by the first of
 * several commands that is not refused.
 */
#pragma once

#include "core/base/buf.h"
#include "core/snap/file.h"
#include "plat/coprocess.h"
#include "plat/wait.h"

#include <stdbool.h>
#include <stdint.h>

enum { SNAP_PART_WORDS = 16, SNAP_PART_TRIES = 3, SNAP_PART_ERRORS = 4096 };

/* A command, and what it records, in words, where that is told. */
struct snap_try {
    const char *word[SNAP_PART_WORDS];
    const char *records;
};

struct snap_part {
    enum snap_stream stream;
    const char *name; /* "samples" */
    struct snap_try trial[SNAP_PART_TRIES];
    size_t trials, next, tried; /* of them; to be tried next; was tried last */
    struct coprocess process;
    bool runs;
    bool begun;        /* something was recorded */
    uint64_t bytes;    /* so many */
    struct buf errors; /* what it says, SNAP_PART_ERRORS of it */
};

/* Starts the next command. False: there is none, or it could not be started, which is noted. */
bool snap_part_start(struct snap_part *p, struct buf *notes);
/* Reads what has come into a chunk of out. When the process has ended, the next command is started
 * if nothing was recorded; what went wrong is noted. */
void snap_part_read(struct snap_part *p, struct buf *out, struct buf *notes);
/* The handles of what it writes: two. */
void snap_part_wait(const struct snap_part *p, struct wait_on on[2]);
/* Kills it, if it runs still; which is noted. */
void snap_part_end(struct snap_part *p, struct buf *notes);
void snap_part_release(struct snap_part *p);

/* What it records by the command that was started last; NULL: not told. */
const char *snap_part_records(const struct snap_part *p);
