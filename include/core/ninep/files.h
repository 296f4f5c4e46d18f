/*
 * ninep_files: makes the files that another machine serves over 9P a server of core/ns/ns.h.
 *
 *     files = ninep_files_new(client, handle);
 *     ns_bind(&ns, "/", "", ninep_files_server(files), &f);      the name space ends it
 *     r = ns_open(&ns, "/dev/sysstat", NS_READ, &file, &f);      -EINPROGRESS
 *     ...the connection's bytes taken to and fro...
 *     r = ns_open(&ns, "/dev/sysstat", NS_READ, &file, &f);      0
 *
 * Every call may be -EINPROGRESS: it was asked for, and the same call returns the answer once it
 * has come. Answers that are not fetched are dropped when space is needed. A write has happened
 * when it was answered; what is asked for again is the one under way, so that it is not written
 * twice.
 *
 * Bounded: names NINEP_NODES, calls under way NINEP_JOBS, files NINEP_OPEN, a listing
 * NINEP_LIST_MAX bytes.
 */
#ifndef PSUITE_CORE_NINEP_FILES_H
#define PSUITE_CORE_NINEP_FILES_H

#include "core/ninep/client.h"
#include "core/ns/ns.h"

enum {
    NINEP_NODES = 4096,
    NINEP_JOBS = 64,
    NINEP_OPEN = 256,
    NINEP_LIST_MAX = 1 << 20,
};

struct ninep_files; /* opaque */

/* handle: the connection's, for those that wait. The client stays the caller's, and must outlive
 * the files. NULL: no memory. */
struct ninep_files *ninep_files_new(struct ninep_client *client, int handle);
void ninep_files_free(struct ninep_files *files); /* what end calls; NULL: nothing */

struct ns_server ninep_files_server(struct ninep_files *files);

#endif
