/*
 * ktrace: the state of the tracing device of trace(3), as its manual page in the seed and Plan 9's
 * kernels (9atom) have it: ranges of the kernel's text by name, threads that are watched, whether
 * it runs, and a log of events.
 *
 * The words of tracectl are
 *   all                        records calls in interrupts and of all threads, too; starts
 *   size N                     a log of 2^N events, empty
 *   logsize N                  the same in events, as the state has it
 *   start, stop                stop undoes `all', too
 *   trace START END new NAME   a range, switched off: hexadecimal, full or as offsets from ktzero
 *   trace NAME on|off|remove
 *   watch PID                  records this thread, too; 0: all threads
 * Several lines may come at once; those that begin with # are comments. The state is printed as
 * words that make it again.
 *
 * A full log drops new events, and counts them.
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"
#include "core/ktrace/event.h"

enum {
    KTRACE_NAME_BYTES = 16, /* with its NUL: longer names are cut */
    KTRACE_MAX_RANGES = 256,
    KTRACE_MAX_WATCHED = 64,
    KTRACE_LOG_EVENTS = 8192,
    KTRACE_MAX_LOG_BITS = 20, /* 64 MB */
};

struct ktrace_range {
    uint64_t start, end;
    char name[KTRACE_NAME_BYTES];
    bool on;
};

struct ktrace {
    uint64_t ktzero, etext; /* the caller's to set: ranges lie in [ktzero, etext] */
    struct ktrace_range range[KTRACE_MAX_RANGES];
    size_t ranges;
    uint64_t watched[KTRACE_MAX_WATCHED]; /* ascending */
    size_t watches;
    bool active, all;
    unsigned changes;         /* of what is to be probed: active, and the ranges that are on */
    struct ktrace_event *log; /* NULL: no event came yet */
    size_t log_events;
    uint64_t produced, consumed;   /* of the log */
    uint64_t entries, exits;       /* that came */
    uint64_t dropped, interrupted; /* for want of room; in interrupts */
};

void ktrace_init(struct ktrace *k);
void ktrace_release(struct ktrace *k);

/* One message: 0, or -EINVAL and so on with the device's words in f. Of several lines those before
 * the one that failed are done. */
int ktrace_command(struct ktrace *k, const char *message, struct fail *f);

/* Puts an event into the log, if it is one to be recorded now. */
void ktrace_add(struct ktrace *k, const struct ktrace_event *e);

/* Takes whole lines, as many as wait and fit: how many bytes. */
size_t ktrace_read(struct ktrace *k, char *out, size_t len);

/* tracectl's text. */
void ktrace_state_text(const struct ktrace *k, struct buf *out);
