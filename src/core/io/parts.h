/*
 * io_parts: what io_counts keeps, for those that report it.
 */
#pragma once

#include "core/containers/intern.h"
#include "core/io/counts.h"
#include "latency.h"

struct io_kind {
    uint64_t count, errors;
    uint64_t timed; /* of count: those that the times below are of */
    uint64_t low_ns, high_ns, total_ns;
    uint64_t request, reply; /* bytes; of replies that are no error's */
    struct io_latency latency;
};

struct io_file {
    uint64_t opens; /* closed ones that did I/O */
    uint64_t reads, read_bytes, writes, written_bytes;
    uint64_t order; /* of its first such close; 0: none, no row */
};

struct io_counts {
    struct io_kind kind[IO_MESSAGES];
    uint64_t protocol;                  /* bytes, all and both ways */
    uint64_t read_bytes, written_bytes; /* of the files' data */
    uint64_t closes;                    /* files that have a row */
    uint64_t lost;                      /* what memory did not suffice for */
    struct intern path;                 /* a file's number is its path's */
    struct io_file *file;
    size_t cap;
};

const char *io_message_name(enum io_message m);
void io_kind_add(struct io_kind *to, const struct io_kind *from);
