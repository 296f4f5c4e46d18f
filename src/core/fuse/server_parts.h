/*
 * fuse_server_parts: a conversation's state, and which file handles which part: server.c takes
 * requests and keeps those that wait, server_handles.c has the kernel's numbers, server_answer.c
 * the operations.
 */
#pragma once

#include "core/containers/imap.h"
#include "core/fuse/server.h"
#include "core/fuse/wire.h"
#include "core/ns/kept.h"

/* A file that the kernel knows: its number is the index + 1; the first is the root. */
struct fs_node {
    uint64_t path;    /* of what is free: the next free number, 0: none */
    uint64_t lookups; /* that the kernel will forget; of what is free: the free number before */
    uint32_t opens;
    bool used;
};
/* An open file: the kernel's handle is the index + 1. */
struct fs_open {
    struct ns_file file;
    size_t node; /* of what is free: the next free handle, 0: none */
    bool used, directory;
};
struct fuse_server {
    struct ns_served tree;
    fuse_caller_fn *caller_fn;
    struct fs_node *node;
    size_t nodes, node_cap, known; /* up to the highest number in use; of them, used */
    uint64_t free_node;            /* the first free number; 0: none */
    struct imap by_path;           /* path to index + 1 */
    struct fs_open *open;
    size_t opens, open_cap, open_now;
    size_t free_open; /* the first free handle; 0: none */
    struct ns_waiting
        waiting; /* about: a lookup's node, of which only the attributes are not there */
};

/* --- server_handles.c --- */

bool fs_held_init(struct fuse_server *s);
void fs_held_release(struct fuse_server *s);

/* NULL: there is no such number. Valid until the next one is made. */
struct fs_node *fs_node_at(const struct fuse_server *s, uint64_t number);
/* The number of what a walk answered, one more lookup of it; 0: no memory, the path is given back.
 */
uint64_t fs_node_lookup(struct fuse_server *s, uint64_t path);
void fs_node_forget(struct fuse_server *s, uint64_t number, uint64_t lookups);

/* A handle for an open file of a node, which is known as long; 0: -ENFILE or no memory. */
uint64_t fs_open_new(struct fuse_server *s, uint64_t number, const struct ns_file *file,
                     bool directory);
struct fs_open *fs_open_at(const struct fuse_server *s, uint64_t handle);
void fs_open_close(struct fuse_server *s, struct fs_open *o);

/* --- server_answer.c --- */

/* Appends the body of what is answered to out, or returns a negative errno: -EAGAIN, it waits, and
 * goes on with what it has found, or gives that back. */
int fs_answer(struct fuse_server *s, const struct fuse_request *req, uint64_t *found,
              struct buf *out, struct fail *f);
