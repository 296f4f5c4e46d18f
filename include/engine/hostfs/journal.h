/*
 * iostats_journal: each operation as it is counted, to the files that were asked for: the log (-d)
 * and Chrome's trace. Of each at most some 64 KB are held. Not locked.
 */
#ifndef PSUITE_ENGINE_HOSTFS_JOURNAL_H
#define PSUITE_ENGINE_HOSTFS_JOURNAL_H

#include "core/base/buf.h"
#include "core/io/chrome.h"
#include "engine/iostats/iostats.h"

struct journal_file {
    int handle;       /* -1: not wanted, or no longer to be written to */
    const char *name; /* the caller's */
    struct buf text;
};

struct iostats_journal {
    struct journal_file log, trace;
    struct io_chrome chrome;
    uint64_t origin_ns;
    struct buf cut; /* which file is not whole, and why */
};

/* Creates the files. On failure there is nothing to close. */
int journal_open(struct iostats_journal *j, const struct iostats_want *want, struct fail *f);
bool journal_wanted(const struct iostats_journal *j);

/* Times are from now on; title as io_chrome's. Writes nothing yet, so that it can be started again
 * for another way. */
void journal_start(struct iostats_journal *j, const char *title);
void journal_add(struct iostats_journal *j, int tid, const struct io_done *done, const char *path,
                 int error);
/* error: in words; NULL: none. */
void journal_add_words(struct iostats_journal *j, int tid, const struct io_done *done,
                       const char *path, const char *error);

/* All is written; what it was is for the report, NULL when both files are whole. */
const char *journal_end(struct iostats_journal *j);
void journal_close(struct iostats_journal *j);

#endif
