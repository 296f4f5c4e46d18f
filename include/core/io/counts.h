/*
 * io_counts: counts a command's file operations as iostats(4) does: operations by kind, and the
 * bytes read and written of each file, for every tracing method.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order of the report. */
enum io_message {
    IO_VERSION,
    IO_AUTH,
    IO_ATTACH,
    IO_FLUSH,
    IO_WALK,
    IO_OPEN,
    IO_CREATE,
    IO_READ,
    IO_WRITE,
    IO_CLUNK,
    IO_REMOVE,
    IO_STAT,
    IO_WSTAT,
    IO_MESSAGES,
};

/* One operation as it ended. */
struct io_done {
    enum io_message message;
    bool error;                /* counts in the protocol's bytes, in no row, and is not timed */
    uint64_t start_ns, end_ns; /* on one clock */
    uint64_t request, reply;   /* bytes of the message each way, as 9P2000 would have them; of a way
                                  that counts calls the bytes moved, and 0 */
};

struct io_counts; /* opaque; memory by files, not by operations */

struct io_counts *io_counts_new(void); /* NULL: no memory */
void io_counts_free(struct io_counts *counts);
void io_counts_done(struct io_counts *counts, const struct io_done *done);
/* How many operations were counted. */
uint64_t io_counts_operations(const struct io_counts *counts);

/* A file by its path (any bytes but NUL; "/fd/0" 1 2 are the standard three): its number, the same
 * for the same path; or -ENOMEM. */
int io_counts_file(struct io_counts *counts, const char *path, size_t len);
/* Of a file by its number, "" of a negative one; the table's, valid while it lasts. */
const char *io_counts_path(const struct io_counts *counts, int file);
/* An open of the file that did I/O is counted when it is closed. */
void io_counts_read(struct io_counts *counts, int file, uint64_t bytes);
void io_counts_written(struct io_counts *counts, int file, uint64_t bytes);
void io_counts_closed(struct io_counts *counts, int file, bool did_io);

/* Adds all that others have counted, files by their paths. */
void io_counts_add(struct io_counts *counts, const struct io_counts *others);
