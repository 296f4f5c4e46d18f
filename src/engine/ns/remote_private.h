/* ns_remote_parts: what a machine is to those that talk to it and to those that open its files. */
#pragma once

#include "engine/ns/remote.h"

#include "core/ninep/files.h"
#include "remote_link.h"

#include <stdint.h>

struct ns_remote {
    struct remote_link link;
    char *aname;                 /* NULL: the server's one tree */
    struct ninep_client *client; /* NULL: it is not called */
    struct ninep_files *files;   /* its names outlive a connection */
    struct ns_server inner;      /* of files: as a name space, or for one file server */
    struct buf in;
    unsigned generation; /* the connection: open files are of one */
    unsigned reached;    /* how often it was */
    bool attached;
    bool ending;       /* its command broke off, and is about to tell why by its end */
    uint64_t since_ns; /* waited for: since when, or when it last said something; 0: it is not */
    size_t part_len;   /* bytes of a reply that has begun, when it was last timed */
    uint64_t retry_ns; /* when it is dialled again */
    unsigned backoff_s;
    char why[LAST_LINE_MAX + 1]; /* empty: nothing has failed since it was reached */
};
