/*
 * ninep_tree: what core/ninep/server serves. core/ns/served.h is enough for devices, whose files
 * are there by themselves; struct ninep_host has what else the files of a machine need.
 *
 * Files are identified by path, as in core/ns/ns.h; a path that a host's call answered is held as
 * one that walk answered.
 */
#pragma once

#include "core/ninep/wire.h"
#include "core/ns/served.h"

/* A file that is made. */
struct ninep_new_file {
    uint32_t mode;         /* with its kind */
    uint32_t gid;          /* UINT32_MAX: the maker's */
    const char *target;    /* of a symbolic link */
    uint32_t major, minor; /* of a device */
    bool exclusive;        /* it must not be there */
};

/* How a host's file is opened, besides what core/ns/ns.h has: writes go to its end; and are on the
 * disk when they are answered. */
enum { NINEP_APPENDS = 0x100, NINEP_SYNCS = 0x200 };

/* Called with the state of the tree's struct ns_server; 0 or a negative errno, without a struct
 * fail, as also of a host's struct ns_calls. All are there, but of struct ns_calls neither stat nor
 * entry. file is what open gave, NULL where the fid is not open. */
struct ninep_host {
    /* Whose the requests are that follow: the number of a user who attached by .u or .L, UINT32_MAX
     * where none was given. */
    void (*set_user)(void *state, uint32_t uid);
    /* What the file is called in its directory; the root has no name, nor has what was removed:
     * name is left alone. */
    void (*name)(void *state, uint64_t path, char name[NS_NAME_MAX + 1]);
    /* ino is one number a file, whatever names it has, and with version its qid. Symbolic links are
     * not followed, here and elsewhere. */
    int (*getattr)(void *state, void *file, uint64_t path, struct ns_attr *out);
    int (*setattr)(void *state, void *file, uint64_t path, const struct ns_change *change);
    /* Makes a file and opens it, as open with how would. */
    int (*create)(void *state, uint64_t directory, const char *name,
                  const struct ninep_new_file *file, unsigned how, uint64_t *path, void **opened);
    /* Makes a directory, symbolic link, device, FIFO or socket. */
    int (*make)(void *state, uint64_t directory, const char *name,
                const struct ninep_new_file *file, uint64_t *path);
    int (*link)(void *state, uint64_t directory, const char *name, uint64_t path);
    /* How long the target is, at most cap bytes, not terminated. */
    long (*readlink)(void *state, uint64_t path, char *target, size_t cap);
    int (*rename)(void *state, uint64_t from, const char *name, uint64_t to, const char *newname);
    /* The same of a file that is known by its path. directory 0 with same: the one it is in. */
    int (*move)(void *state, uint64_t path, bool same, uint64_t directory, const char *newname);
    int (*unlink)(void *state, uint64_t directory, const char *name, bool is_directory);
    int (*remove)(void *state, uint64_t path);
    /* The entry at a cookie (0: the first, whatever it is, "." too): 1, or 0 at the end. It is good
     * until the next call for the file. */
    int (*readdir)(void *state, void *file, uint64_t path, uint64_t cookie, struct ns_entry *out);
    int (*statfs)(void *state, uint64_t path, struct ns_statfs *out);
    int (*fsync)(void *state, void *file, uint64_t path, bool data_only);
    /* An extended attribute, or with the name "" the names of all, each with its NUL: how long, at
     * most cap bytes. */
    long (*getxattr)(void *state, uint64_t path, const char *name, void *to, size_t cap);
    /* len 0: removes it. flags: as setxattr(2) has them. */
    int (*setxattr)(void *state, uint64_t path, const char *name, const void *value, size_t len,
                    uint32_t flags);
    /* Sets a lock: 0 got, 1 another has it; it never waits. test: *lock becomes the one that is in
     * the way, or of kind 2 (none). */
    int (*lock)(void *state, void *file, uint64_t path, struct ninep_lock *lock, bool test);
};

struct ninep_tree {
    struct ns_served files;
    const struct ninep_host *host; /* NULL: devices */
};
