/*
 * fuse_loop: serves this machine's file tree over FUSE as the root of a command, in a process of
 * its own, and counts the command's I/O. src/engine/hostfs/README.md says which file has what.
 */
#pragma once

#include "engine/hostfs/journal.h"

#include "core/io/report.h"

struct hostfs_start {
    int pass,
        control; /* ends of sockets: the connection comes from the one, orders from the other */
    const struct journal *journal; /* taken over by the server */
    bool json;
    struct io_report_options report;
};
/* Serves until the root has no user any more. start: a struct hostfs_start. */
void hostfs_fuse_serve(void *start);

struct hostfs_order {
    char kind;
    int32_t pid; /* of HOSTFS_COUNT: the held command; 0: its standard descriptors do not count */
};
/* The server answers each by an int32_t. HOSTFS_COUNT: 1, the command is to be released as
 * filtered, and its standard descriptors are counted; 0, they are not; -errno. HOSTFS_REPORT: the
 * length of the report, which follows, or -errno. */
enum { HOSTFS_COUNT = 'c', HOSTFS_REPORT = 'r' };

/* The answer to HOSTFS_REPORT goes to the control. 0 or -errno. */
int hostfs_send_report(const struct hostfs_start *start, const struct io_counts *counts,
                       const struct io_report_options *want);
