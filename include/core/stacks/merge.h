/*
 * stacks_merge: stacks of many recordings, of one machine or of many, added up by function.
 *
 * Frames are distinguished by function only (no line, no address), as machines load their code
 * where they like. A file is the same one where its build-id is the same, whatever its path; files
 * of one path with different build-ids are two, and their names then end with the first digits of
 * it. What has no build-id goes by its path, as does the kernel where its build-id is not known.
 *
 * Memory: that of the distinct chains of functions, however many stacks are added. Over max_nodes
 * of them, a sample of a new chain is counted at its innermost function without callers, and over a
 * quarter more, without a function; both are counted as shortened.
 */
#pragma once

#include "core/stacks/stacks.h"

#define STACKS_NO_CGROUP "(no cgroup)" /* the group of what is in none that is known */

/* What the threads of the sum are. */
enum stacks_group {
    STACKS_GROUP_NONE,    /* there are none */
    STACKS_GROUP_MACHINE, /* the machines */
    STACKS_GROUP_CGROUP,  /* the control groups of the processes */
    STACKS_GROUP_BUILD,   /* the files of the innermost functions, with their build-ids */
};

struct stacks_merge {
    struct stacks stacks; /* the sum; its origin's words are the caller's */
    enum stacks_group by;
    /* STACKS_GROUP_CGROUP: of a process of the stacks that are added next, which have threads;
     * it returns NULL: not known. NULL: their threads are control groups. */
    const char *(*cgroup_of)(const void *arg, uint32_t pid);
    const void *arg;
    size_t max_nodes;
    size_t added;
    uint64_t shortened; /* samples without their callers */
};

void stacks_merge_init(struct stacks_merge *m, enum stacks_group by, size_t max_nodes);
void stacks_merge_release(struct stacks_merge *m);

/* Adds stacks that were sampled on a machine. -EINVAL: they count something else than those before;
 * nothing is added then. -ENOMEM. */
int stacks_merge_add(struct stacks_merge *m, const struct stacks *s, const char *machine);

/* Behind the last: files of one name get different ones. 0 or -ENOMEM. */
int stacks_merge_finish(struct stacks_merge *m);
