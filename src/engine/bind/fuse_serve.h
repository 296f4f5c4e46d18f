/*
 * fuse_serve: a tree of files served to the kernel over a FUSE connection, on one wait. Requests to
 * another machine that cannot be reached fail with EHOSTDOWN.
 */
#pragma once

#include "core/fuse/server.h"
#include "engine/ns/remote.h"

enum {
    FUSE_SERVE_WAITS = 16,     /* handles of kept requests that are watched */
    FUSE_SERVE_RETRY_MS = 100, /* for kept requests that have no handle */
};

struct fuse_served {
    int connection; /* plat/mount_at.h; stays the caller's */
    int leash; /* an end of plat/apart.h; the server ends when the other end is closed; -1: none */
    const struct ns *ns;      /* tended meanwhile */
    struct ns_remote *remote; /* of the name space, kept going; NULL: none */
    struct ns_served tree;
    fuse_caller_fn *asks; /* NULL: all requests are the owner's */
};

/* A fuse_caller_fn: the rights of the requesting user, with the groups of the process; ours for our
 * own user and root. */
int fuse_serve_asks(uint32_t uid, uint32_t gid, uint32_t pid);

/* Until nothing of it is mounted any more: 0; an interrupt, whose number it returns; the leash's
 * end: 1; else negative. */
int fuse_serve(const struct fuse_served *w, struct fail *f);
