/*
 * cgroups: the paths of control groups by the numbers that samples have: those that there were when
 * one was asked for that was not known yet. Of new groups the kernel's records tell.
 */
#pragma once

#include "core/base/buf.h"
#include "core/containers/imap.h"
#include "core/containers/intern.h"

#include <stdbool.h>
#include <stdint.h>

struct cgroup_paths {
    struct imap of_number; /* 1 + the path's */
    struct intern path;
    uint64_t walked_ns; /* when all were looked at; 0: not yet */
};

void cgroup_paths_release(struct cgroup_paths *g);

/* Appends the path. False: it is the root, whose processes may be in groups of version 1 and are
 * asked; or there is no such group, or none could be seen, or it is too early to look at all again.
 */
bool cgroup_paths_find(struct cgroup_paths *g, uint64_t number, struct buf *path);
