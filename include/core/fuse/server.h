/*
 * fuse_server: answers the kernel's FUSE requests from a tree of files.
 *
 *     s = fuse_server_new(&tree);
 *     fuse_server_serve(s, request, len, &out, &f);       what one read of /dev/fuse gave
 *     while ((n = fuse_reply_length(&out, at)) != 0)     each reply is one write
 *         write n bytes of out from at; at += n
 *
 * A call that the tree answers with -EAGAIN or -EINPROGRESS is kept, up to a limit, and tried again
 * by fuse_server_retry when one of fuse_server_handles is ready; an interrupt of who asked ends it
 * with EINTR. The others are answered meanwhile. A file opened with O_NONBLOCK gives EAGAIN,
 * though not while the answer is on its way.
 *
 * Files have the modes and lengths that the tree says and one owner; they can be read, written and
 * emptied, not made, removed or changed. Their bytes are not kept by the kernel: each read asks.
 * Names and attributes are kept for as long as the tree says.
 */
#pragma once

#include "core/ns/served.h"

enum {
    FUSE_SERVER_IO = 1 << 20,                    /* bytes read or written at once */
    FUSE_SERVER_REQUEST = FUSE_SERVER_IO + 4096, /* the largest request: room for a read */
    FUSE_SERVER_FILES = 8192,                    /* open at once */
    FUSE_SERVER_WAITING = 64,                    /* requests kept */
};

struct fuse_server; /* opaque */

/* The tree is copied; its files must outlive the server. NULL: no memory. */
struct fuse_server *fuse_server_new(const struct ns_served *tree);

/* Before each request: with whose rights the calls of the tree are made from now on. 0, or a
 * negative errno: it is refused so. 1: with ours, though it is another user's; what is guarded
 * (struct ns_stat) is refused. Without one all requests are the owner's. */
typedef int fuse_caller_fn(uint32_t uid, uint32_t gid, uint32_t pid);
void fuse_server_set_caller_fn(struct fuse_server *s, fuse_caller_fn *caller_fn);

/* Closes what is open. What the kernel still knows is not given back: a tree ends with it. NULL:
 * nothing. */
void fuse_server_free(struct fuse_server *s);

/* Serves a request, and appends its reply if there is one: 0; -EPROTO when the bytes are no
 * request; -ENOMEM. */
int fuse_server_serve(struct fuse_server *s, const void *request, size_t len, struct buf *out,
                      struct fail *f);
/* Tries all kept requests again: 0 or -ENOMEM. */
int fuse_server_retry(struct fuse_server *s, struct buf *out, struct fail *f);

/* Answers them all with an error (-errno): what they wait for does not come. */
void fuse_server_refuse(struct fuse_server *s, int error, struct buf *out);

/* Handles for plat/wait.h on which kept requests wait, at most room: how many; a kept request
 * without a handle is to be tried again from time to time. */
size_t fuse_server_handles(const struct fuse_server *s, int *handle, size_t cap);
size_t fuse_server_waiting(const struct fuse_server *s); /* requests kept */

/* The length of the reply at `at`; 0: there is no more. */
size_t fuse_reply_length(const struct buf *out, size_t at);
