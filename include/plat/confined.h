/*
 * confined: runs a library on foreign bytes in a process of its own that can do nothing but compute
 * and answer.
 */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"

#include <stddef.h>

struct confined_limits {
    size_t memory_bytes; /* that it may allocate, with what this process has */
    unsigned seconds;    /* of its CPU time; three times as long on the clock */
    size_t answer_bytes;
};

/*
 * Runs work(arg, out, why) in a child process, which has this process's memory as it is, no
 * descriptors, and no system calls but those that allocate memory and write its answer (where the
 * kernel has seccomp). What it leaves in out is appended to answer: bytes of a process that foreign
 * data may have taken over, to be checked as those of a file. Returns what work returned; or, with
 * f set, -ETIMEDOUT when a limit of time is reached, -EFAULT when it was ended by a signal (f->what
 * names it), -EBADMSG when it ended without an answer. Never waits longer than its limit. One
 * thread.
 */
int confined_run(int (*work)(void *arg, struct buf *out, struct fail *why), void *arg,
                 const struct confined_limits *limits, struct buf *answer, struct fail *f);
