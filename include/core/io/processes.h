/*
 * io_processes: the file operations of a command by process: opens, failures, bytes, time.
 *
 *     struct io_process *p = io_processes_begin(all, &id);    its first thread
 *     io_process_share(p); io_process_end(p);                 another thread of it; each that ends
 *     io_process_done(p, &done)                               each operation
 *     io_processes_text(all, ...)
 *
 * A process that ended keeps its row; a later one of the same pid has its own.
 */
#pragma once

#include "core/io/report.h"

#include <stdint.h>

enum { IO_PROCESS_ROWS = 1 << 16, IO_PROCESS_NAME = 16 }; /* more processes share a last row */

struct io_processes; /* opaque; memory by processes: some 160 bytes each */
struct io_process;

struct io_process_id {
    int32_t pid, parent; /* parent 0: not known */
    const char *name;    /* the program's, at most IO_PROCESS_NAME - 1 bytes are kept */
};

struct io_processes *io_processes_new(void); /* NULL: no memory */
void io_processes_free(struct io_processes *all);

/* The living process of that pid, or a new row, for one more of its threads. Never NULL. */
struct io_process *io_processes_begin(struct io_processes *all, const struct io_process_id *id);
void io_process_end(struct io_process *p); /* one of its threads ended */
/* It executes another program now. */
void io_process_rename(struct io_process *p, const char *name);
/* done's request and reply are the bytes that a write and a read moved. */
void io_process_done(struct io_process *p, const struct io_done *done);

/* Appends a row for each process: pid, opens, failed calls, reads and writes with their bytes, the
 * time in all calls in milliseconds, and the program, sorted by options->sort: by bytes, or as it
 * says; and a row with the sums. Of the options it takes size, sort, backend, uncounted and
 * truncated. */
void io_processes_text(const struct io_processes *all, const struct io_report_options *options,
                       struct buf *out);
/* The same as one object of `iostats'. */
void io_processes_json(const struct io_processes *all, const struct io_report_options *options,
                       struct buf *out);
