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

/* Called with the state of the tree's struct ns_server; 0 or a negative errno with f filled. What
 * is NULL is answered with -EOPNOTSUPP. file is what open gave, NULL where the fid is not open. */
struct ninep_host {
    /* Whose the requests are that follow: the number of a user who attached by .u or .L, UINT32_MAX
     * where none was given. NULL: all are alike. */
    void (*set_user)(void *state, uint32_t uid);
    /* ino is one number a file, whatever names it has, and with version its qid. Symbolic links are
     * not followed, here and elsewhere. */
    int (*getattr)(void *state, void *file, uint64_t path, struct ns_attr *out, struct fail *f);
    int (*setattr)(void *state, void *file, uint64_t path, const struct ns_change *change,
                   struct fail *f);
    /* Makes a file and opens it, as open with how would. */
    int (*create)(void *state, uint64_t directory, const char *name,
                  const struct ninep_new_file *file, unsigned how, uint64_t *path, void **opened,
                  struct fail *f);
    /* Makes a directory, symbolic link, device, FIFO or socket. */
    int (*make)(void *state, uint64_t directory, const char *name,
                const struct ninep_new_file *file, uint64_t *path, struct fail *f);
    int (*link)(void *state, uint64_t directory, const char *name, uint64_t path, struct fail *f);
    /* How long the target is, at most room bytes, not terminated. */
    long (*readlink)(void *state, uint64_t path, char *target, size_t cap, struct fail *f);
    int (*rename)(void *state, uint64_t from, const char *name, uint64_t to, const char *newname,
                  struct fail *f);
    /* The same of a file that is known by its path. directory 0 with same: the one it is in. */
    int (*move)(void *state, uint64_t path, bool same, uint64_t directory, const char *newname,
                struct fail *f);
    int (*unlink)(void *state, uint64_t directory, const char *name, bool is_directory,
                  struct fail *f);
    int (*remove)(void *state, uint64_t path, struct fail *f);
    /* The entry at a cookie (0: the first, whatever it is, "." too): 1, or 0 at the end. It is good
     * until the next call for the file. */
    int (*readdir)(void *state, void *file, uint64_t path, uint64_t cookie, struct ns_entry *out,
                   struct fail *f);
    int (*statfs)(void *state, uint64_t path, struct ns_statfs *out, struct fail *f);
    int (*fsync)(void *state, void *file, uint64_t path, bool data_only, struct fail *f);
    /* An extended attribute, or with the name "" the names of all, each with its NUL: how long, at
     * most room bytes. */
    long (*getxattr)(void *state, uint64_t path, const char *name, void *to, size_t cap,
                     struct fail *f);
    /* len 0: removes it. flags: as setxattr(2) has them. */
    int (*setxattr)(void *state, uint64_t path, const char *name, const void *value, size_t len,
                    uint32_t flags, struct fail *f);
    /* Sets a lock: 0 got, 1 another has it; it never waits. test: *lock becomes the one that is in
     * the way, or of kind 2 (none). */
    int (*lock)(void *state, void *file, uint64_t path, struct ninep_lock *lock, bool test,
                struct fail *f);
};

struct ninep_tree {
    struct ns_served files;
    const struct ninep_host *host; /* NULL: devices */
};
