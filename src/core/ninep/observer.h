/*
 * ninep_watch: the fids of an observed conversation, with their files.
 */
#pragma once

#include "core/io/counts.h"
#include "core/ninep/wire.h"
#include "id_map.h"

struct ninep_watched {
    char *path; /* NULL: not known */
    int file;   /* of io_counts; negative: none */
    bool opened, did_io;
};
struct ninep_watch {
    struct io_counts *counts;
    struct ninep_map fids;
};

/* The path that names below a fid's lead to, ".." by the letters: the caller frees it. NULL: not
 * known, too long, or no memory. */
char *ninep_watch_path(const struct ninep_watch *w, uint32_t fid, const struct ninep_text *names,
                       size_t count);

/* Of a fid, "" the root's; NULL: not known. Holds until the fid walks or is gone. */
const char *ninep_watch_name(const struct ninep_watch *w, uint32_t fid);

void ninep_watch_walked(struct ninep_watch *w, uint32_t fid, char *path); /* takes over path */
void ninep_watch_opened(struct ninep_watch *w, uint32_t fid);
void ninep_watch_read(struct ninep_watch *w, uint32_t fid, uint64_t bytes);
void ninep_watch_written(struct ninep_watch *w, uint32_t fid, uint64_t bytes);
/* A file that was removed is no row of the report. */
void ninep_watch_drop(struct ninep_watch *w, uint32_t fid, bool removed);
/* The files of all that is open are those of other counts. */
void ninep_watch_uncounted(struct ninep_watch *w);
void ninep_watch_drop_all(struct ninep_watch *w);
