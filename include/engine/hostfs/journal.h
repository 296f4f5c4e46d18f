/*
 * journal: writes each counted operation to the requested files: the log (-d) and Chrome's trace.
 * At most about 64 KB of each are buffered. Not locked.
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"
#include "core/io/chrome.h"

struct journal_file {
    int handle;       /* -1: not wanted, or no longer to be written to */
    const char *name; /* the caller's */
    struct buf text;
};

struct journal {
    struct journal_file log, trace;
    struct io_chrome chrome;
    uint64_t origin_ns;
    struct buf cut; /* which file is not whole, and why */
};

/* Creates the files, for their user alone; NULL: not wanted. An earlier log of ours is replaced,
 * anything else that exists only with force. The paths must outlive the journal. On failure there
 * is nothing to close. */
int journal_open(struct journal *j, const char *log, const char *trace, bool force, struct fail *f);
bool journal_wanted(const struct journal *j);

/* Times are from now on; title as io_chrome's. Writes nothing yet, so that it can be started again
 * for another way. */
void journal_start(struct journal *j, const char *title);
void journal_add(struct journal *j, int tid, const struct io_done *done, const char *path,
                 int error);
/* error: in words; NULL: none. */
void journal_add_words(struct journal *j, int tid, const struct io_done *done, const char *path,
                       const char *error);

/* All is written; what it was is for the report, NULL when both files are whole. */
const char *journal_end(struct journal *j);
void journal_close(struct journal *j);
