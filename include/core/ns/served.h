/*
 * served: a tree of files as it is served to clients, over FUSE (core/fuse/server.h) or 9P
 * (core/ninep/server.h): what both do with the calls of core/ns/ns.h. Each protocol has its own
 * numbers of files and open files (nodes and handles, fids) and encodes; a struct ns_file is what
 * either has open, to be read, written and closed by core/ns/ns.h. Requests that wait are kept by
 * core/ns/kept.h.
 */
#pragma once

#include "core/ns/attr.h"
#include "core/ns/ns.h"

#include <stdbool.h>
#include <string.h>

struct ns_served {
    struct ns_server files; /* never ended by the protocol's server */
    bool writable;          /* else what would change something is -EROFS */
    bool opens_directories; /* with open, and closes them; else they are listed by entry alone */
    unsigned valid_s;       /* seconds that a client may keep names and attributes */
    uint32_t uid, gid;      /* who owns the files */
    const char *owner;      /* and by name, where names are asked for; NULL: the numbers */
};

/* Gives back a path that walks answered so many times. */
void ns_served_forget(const struct ns_served *t, uint64_t path, uint64_t times);

/* What stat says, with the tree's owner: ino is the file's path. One link, also of a directory:
 * how many directories are in it is not known. */
void ns_served_attr(const struct ns_served *t, const struct ns_stat *st, struct ns_attr *out);

/* -EISDIR, -EROFS, or what open says. */
int ns_served_open(const struct ns_served *t, uint64_t path, bool directory, unsigned how,
                   struct ns_file *out, struct fail *f);

/* A file can be made empty: -EPERM for another length. */
int ns_served_truncate(const struct ns_served *t, uint64_t path, uint64_t length, struct fail *f);

/* The entry of an open directory at a cookie, 0 first: enum ns_entry_kind. Those before
 * NS_FIRST_FILE are "." and "..", both of the directory's own path. The entry's name is st's. */
enum { NS_FIRST_FILE = 2 };
static inline bool ns_is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}
int ns_served_entry(const struct ns_served *t, const struct ns_file *directory, uint64_t cookie,
                    struct ns_stat *st, struct ns_entry *out, struct fail *f);
