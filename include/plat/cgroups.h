/*
 * cgroups: the control groups of version 2, by the numbers that samples have (sample_want.cgroups):
 * a group's own file handle (name_to_handle_at(2)) is its number.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* All groups that there are now, the root first, a parent before its children, no deeper than
 * CGROUP_MAX_DEPTH (core/procfs/cgroup.h): the path in the hierarchy, "/" the root's. Where the
 * hierarchy is mounted nowhere, root looks into one of its own. False: it cannot be seen. */
bool cgroups_each(void (*emit)(void *arg, uint64_t number, const char *path), void *arg);
