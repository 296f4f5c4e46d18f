/*
 * root_command: runs a command in a root directory that is served by a separate process. How the
 * root is mounted, and over which protocol it is served, is left open.
 */
#pragma once

#include "engine/hostfs/fuse_loop.h"
#include "engine/iostats/iostats.h"
#include "plat/child.h"

struct served_root {
    void (*serve)(void *start); /* a struct hostfs_start; in a process of its own */
    int (*hold)(char *const argv[], int pass, struct child *out, struct fail *f); /* plat/mount.h */
};

/* Runs the command to its end and appends the server's report; as struct iostats_backend's run. */
int root_command(const struct served_root *root, const struct iostats_want *want,
                 struct journal *journal, struct buf *report, struct iostats_result *result,
                 struct fail *f);
