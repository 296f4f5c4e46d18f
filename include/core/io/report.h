/*
 * io_report: prints io_counts in iostats(4)'s lines (FORMATS 10) or as JSON.
 *
 * In a path control characters are shown as \ and three octal digits, so that a row is a line.
 */
#pragma once

#include "core/io/counts.h"
#include "core/text/report_fit.h"

enum io_sort {
    IO_SORT_CLOSED, /* in the order in which they were closed first, as Plan 9 has them */
    IO_SORT_BYTES,  /* read and written, most first */
    IO_SORT_READ,
    IO_SORT_WRITTEN,
    IO_SORT_OPENS,
    IO_SORT_CALLS, /* reads and writes */
    IO_SORT_NAME,
    IO_SORTS,
};

/* The order by its name (closed bytes read written opens calls name); IO_SORTS when it is none. */
enum io_sort io_sort_by_name(const char *name);

struct io_report_options {
    bool plan9;   /* whole milliseconds only, and 10000 as the fastest of what was never timed */
    bool tree;    /* directories with the sums of what is below them, instead of the plain rows */
    bool latency; /* shares and a histogram of the times, a message type */
    struct report_size size; /* rows: of files, the others are one row */
    enum io_sort sort;
    const char *path;           /* only files whose paths match, as fnmatch(3) has it; NULL: all */
    bool sorted;                /* sort was asked for, and is not the default */
    const char *backend;        /* how it was counted: "fuse" ... */
    const char *unit;           /* what a count is: "messages", "calls" */
    bool calls;                 /* system calls were counted: no message has bytes, they are n/a */
    const char *failed_backend; /* the way that was tried before, and why not; NULL: none was */
    const char *uncounted;      /* what that way cannot see; NULL: nothing */
    const char *truncated;      /* which other file is not whole, and why; NULL: none is not */
};

/* Appends the report, cut to its size as core/text/report_fit.h says; buf_error is set when out of
 * memory. The last line, about the way, is there when there is a way and it is not Plan 9's. */
void io_report_text(const struct io_counts *counts, const struct io_report_options *options,
                    struct buf *out);
/* The same as members of one object of `iostats'; the applet's exit status is not in it. */
void io_report_json(const struct io_counts *counts, const struct io_report_options *options,
                    struct buf *out);

/* A line of the log that -d writes: when since origin_ns, how long, which message with how many
 * bytes each way, of which file, and how it failed. */
struct io_log {
    uint64_t origin_ns;
    const struct io_done *done;
    const char *path;  /* NULL: none is meant */
    const char *error; /* NULL: none */
};
void io_log_line(const struct io_log *line, struct buf *out);
/* Whether a file begins as a log does, or is empty. */
bool io_log_detect(const char *bytes, size_t len);
