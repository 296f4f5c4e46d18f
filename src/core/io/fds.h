/*
 * io_fds: tables of descriptors, and the opens they share: dup and fork make several descriptors of
 * one open, which is closed with the last of them.
 */
#pragma once

#include "core/io/files.h"

enum { IO_NO_FILE = -1 };

struct io_open {
    uint32_t refs; /* of a free one the next free one's number */
    int file;      /* of io_counts; IO_NO_FILE */
    bool did_io;
};

struct io_fds {
    struct io_files *files;
    uint32_t *open; /* by descriptor: the number of its io_open; 0: not known, or closed */
    size_t fds, users;
};

struct io_files {
    struct io_counts *counts;
    struct io_files_ops ops;
    struct io_uncounted uncounted;
    struct io_open *open; /* the first is none */
    size_t opens, cap;
    uint32_t free; /* 0: none */
};

/* The open of fd, asked for when it is not known; NULL: of nothing, or not followed. Valid until
 * the next one is made. */
struct io_open *io_fds_lookup(struct io_fds *d, int tid, int fd);
/* fd was opened now. */
void io_fds_opened(struct io_fds *d, int tid, int fd);
/* copy is the same open as fd. */
void io_fds_dup(struct io_fds *d, int tid, int fd, int copy);
void io_fds_close(struct io_fds *d, int fd);
void io_fds_close_range(struct io_fds *d, uint32_t first, uint32_t last);
