/*
 * rights: a thread of a server that is root asks the kernel with the rights of the user whose
 * request it answers, so that the kernel judges as it would judge that user: by files' owners and
 * modes, and in /proc by who may trace whom.
 *
 *     r = rights_assume(&rights);      negative: the request must be refused
 *     answer it
 *     rights_restore();
 *
 * Meanwhile the thread has no capability. What it opened stays open. Other threads keep theirs.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RIGHTS_NOBODY = 65534 }; /* the user and group that own nothing */

struct rights {
    uint32_t uid, gid;
    const uint32_t *groups; /* supplementary */
    size_t count;
};

/* Whether this process may take others' rights: it is root. */
bool rights_can_change(void);
/* 0, or -errno with the thread's rights as they were. Over rights that were taken before, too. */
int rights_assume(const struct rights *r);
/* The same with the groups of a process of that user; none when it has ended. */
int rights_assume_process(uint32_t uid, uint32_t gid, uint32_t pid);
bool rights_are_own(void); /* none are taken */
void rights_restore(void); /* nothing when none were taken */
