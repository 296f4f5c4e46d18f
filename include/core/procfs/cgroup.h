/*
 * cgroup: a process's control group, and the memory that it allows, from the text of
 * /proc/PID/cgroup (cgroups(7)), one line per hierarchy:
 *
 *   0::/user.slice/a.scope              version 2
 *   4:memory:/a                         version 1, of these controllers
 *
 * The limit is in a file of the group's folder: memory.max (version 2: a number of bytes or "max"),
 * memory.limit_in_bytes (version 1). A group has no more than its parents.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct buf;

enum { CGROUP_MAX_DEPTH = 32 }; /* further parents are not looked at */

/* Appends the process's group: that of version 2 unless it is the root, else that of the first
 * hierarchy where it is not. False: there is none in the text. */
bool cgroup_path(const char *text, struct buf *out);

/* Appends the paths of the files that may hold a limit, each with a NUL behind it: where systemd,
 * Docker and others mount the hierarchies, the group's own first, then its parents'. In a container
 * that does not see its own group's path, the last of them is the group's own. */
void cgroup_memory_files(const char *text, struct buf *out);

/* The bytes of a file's text; UINT64_MAX: no limit. */
uint64_t cgroup_memory_limit(const char *text);
