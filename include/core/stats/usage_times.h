/*
 * usage_times: the CPU time of each process between two readings of all of them.
 *
 * A process is known by its id and start: of one that got the id of another, all of its time is
 * new, and so is that of one that was not there before. In the first round nothing is new.
 */
#pragma once

#include "core/containers/imap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct usage_known;

struct usage_times {    /* starts as zeroes */
    struct imap of_pid; /* a process's number + 1 in known */
    struct usage_known *known;
    size_t count, cap;
    uint64_t round;
};

/* A round: begin, each process that there is, end. */
void usage_times_begin(struct usage_times *t);
/* since_ns: what it has used since the round before. False: memory ended. started has any unit. */
bool usage_times_add(struct usage_times *t, int pid, uint64_t started, uint64_t cpu_ns,
                     uint64_t *since_ns);
void usage_times_end(struct usage_times *t);
void usage_times_release(struct usage_times *t);
