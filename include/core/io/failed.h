/*
 * io_failed: system calls that named a file and failed, counted by call, error, program and file:
 * the files that a command looked for and did not find, or was not allowed to use.
 */
#pragma once

#include "core/io/report.h"

#include <stdint.h>

enum { IO_FAILED_ROWS = 1 << 18 }; /* different ones that are kept; the others are counted */

struct io_failed; /* opaque; memory by different failures, not by calls */

struct io_failure {
    const char *call; /* a name of core/io/call.h, which outlives the counts */
    int error;        /* positive */
    const char *program, *path;
};

struct io_failed *io_failed_new(void); /* NULL: no memory */
void io_failed_free(struct io_failed *failed);
void io_failed_add(struct io_failed *failed, const struct io_failure *one);

/* Appends the report: a row for each different failure, the most frequent first, or by path if
 * options->sort is IO_SORT_NAME. Of the options it takes size, sort, path, backend and truncated.
 * calls: all that were traced. buf_error is set when out of memory. */
void io_failed_text(const struct io_failed *failed, uint64_t calls,
                    const struct io_report_options *options, struct buf *out);
/* The same as one object of `iostats'. */
void io_failed_json(const struct io_failed *failed, uint64_t calls,
                    const struct io_report_options *options, struct buf *out);
