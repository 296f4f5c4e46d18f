/*
 * tree_ids: the ids that the kernel judges a thread's file operations by, as one thread changes its
 * own: libc's calls change those of all threads.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { TREE_MAX_GROUPS = 65536 }; /* NGROUPS_MAX */

/* A process's supplementary groups, none when it is gone: how many, at *out, which the caller
 * frees. -ENOMEM; -E2BIG: its status is longer than any can be. */
long tree_process_groups(uint32_t pid, uint32_t **out);

/* 0 or -errno: -EPERM also where the kernel says nothing of having changed nothing. */
int tree_set_groups(const uint32_t *groups, size_t count);
int tree_set_fsgid(uint32_t gid);
int tree_set_fsuid(uint32_t uid);
