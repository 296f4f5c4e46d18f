/*
 * fuse_server_parts: a conversation's state, and which file handles which part: server.c takes
 * requests and keeps those that wait, server_handles.c has the open files, server_answer.c the
 * operations.
 *
 * The kernel's number of a file is the tree's path of it, plus 1, as its root has the number 1.
 * Each lookup that the kernel was answered is a path that the tree has answered, until it is
 * forgotten.
 */
#pragma once

#include "core/fuse/server.h"
#include "core/fuse/wire.h"
#include "core/ns/kept.h"

/* An open file: the kernel's handle is the index + 1. */
struct fs_open {
    struct ns_file file;
    size_t next_free; /* of what is free; 0: none */
    bool used, directory;
};
struct fuse_server {
    struct ns_served tree;
    fuse_caller_fn *caller_fn;
    struct fs_open *open;
    size_t opens, open_cap, open_now;
    size_t free_open; /* the first free handle; 0: none */
    struct ns_waiting
        waiting; /* about: a lookup's node, of which only the attributes are not there */
};

/* The kernel knows it by so many lookups less. node 0: nothing. */
static inline void fs_forget(const struct fuse_server *s, uint64_t node, uint64_t lookups)
{
    if (node)
        ns_served_forget(&s->tree, node - 1, lookups);
}

/* --- server_handles.c --- */

/* A handle for an open file; 0: -ENFILE or no memory. */
uint64_t fs_open_new(struct fuse_server *s, const struct ns_file *file, bool directory);
struct fs_open *fs_open_at(const struct fuse_server *s, uint64_t handle);
void fs_open_close(struct fuse_server *s, struct fs_open *o);
void fs_open_close_all(struct fuse_server *s);

/* --- server_answer.c --- */

/* Appends the body of what is answered to out, or returns a negative errno: -EAGAIN, it waits, and
 * goes on with what it has found, or gives that back. */
int fs_answer(struct fuse_server *s, const struct fuse_request *req, uint64_t *found,
              struct buf *out, struct fail *f);
