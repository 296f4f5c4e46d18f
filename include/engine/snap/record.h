/*
 * snap_record: records the whole machine with all that psuite has, at once: samples, the scheduler,
 * statistics and what works here, into the bytes of one file (core/snap/file.h).
 *
 * Each part is psuite again, as a process of its own, whose recording comes over a socket: a part
 * that is refused, or fails, is missing, and the notes say why. All are ended together; they end
 * with this process, however that ends.
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"
#include "plat/child.h"

#include <stdbool.h>
#include <stdint.h>

struct snap_want {
    char *const *command; /* record while it runs; NULL: none */
    double seconds;       /* 0: to the command's end, or to an interrupt */
    uint64_t hz;          /* samples a second; 0: tprof's default */

    /* Takes the bytes that have come and empties the buffer: 0, or -errno, which ends the
     * recording. */
    int (*write)(void *arg, struct buf *bytes);
    /* Some ten times a second; may be NULL. */
    void (*round)(void *arg);
    void *arg;
};

struct snap_recorded {
    struct buf notes;     /* as SNAP_NOTES */
    bool executed;        /* the command became itself */
    struct child_end end; /* how it ended */
};

/* 0: the file is whole, with the parts that there are. Else -errno and f: nothing could be
 * recorded, or the command not executed (-ENOENT and the like), or what write returned (f is not
 * filled then). The notes are to be released either way. */
int snap_record(const struct snap_want *want, struct snap_recorded *out, struct fail *f);
