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
 * A name space keeps every name that it was given. A file server of a kernel, whose names come and
 * go, has ninep_files_tree: it gives paths back, and reads directories by parts.
 *
 * Names are bounded by memory alone: their number is that of the names that the kernel holds.
 * Bounded by a number are calls under way (NINEP_JOBS), open files (NINEP_OPEN), and the listing
 * that a name space asks for (NINEP_LIST_MAX bytes).
 */
#pragma once

#include "core/ninep/client.h"
#include "core/ns/ns.h"

enum {
    NINEP_JOBS = 64,
    NINEP_OPEN = 8192,
    NINEP_LIST_MAX = 64 << 20,
    NINEP_READ_MAX = 1 << 20, /* bytes of one read, by several messages where one is shorter */
};

struct ninep_files; /* opaque */

/* handle: the connection's, for those that wait. The client stays the caller's, and must outlive
 * the files or be disconnected before; NULL: there is none yet. NULL: no memory. */
struct ninep_files *ninep_files_new(struct ninep_client *client, int handle);
void ninep_files_free(struct ninep_files *files); /* what end calls; NULL: nothing */

/* Who has the connection. */
struct ninep_owner {
    void *arg;
    void (*end)(void *arg); /* what a name space ends, instead of the files; NULL: these */
    /* NULL, or it makes calls wait. Of one that gave -EINPROGRESS or -ENOTCONN: what it is to give;
     * -EINPROGRESS: something has come, and it is made again. 0: only what was asked for is sent.
     */
    long (*wait)(void *arg, long r, struct fail *f);
};
void ninep_files_set_owner(struct ninep_files *files, const struct ninep_owner *owner);

/* Names outlive the connection. Calls under way end with it, and are made again on the next one. An
 * open file is -ENOTCONN from then on, and can only be closed. */
void ninep_files_connect(struct ninep_files *files, struct ninep_client *client);
void ninep_files_disconnect(struct ninep_files *files);

struct ns_server ninep_files_server(struct ninep_files *files);
/* For one file server, instead: what walk, look and hold answered is held until forget. The path in
 * a stat is the server's number of the file. It has no end. */
struct ns_server ninep_files_tree(struct ninep_files *files);
