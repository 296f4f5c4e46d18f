/*
 * usage: what processes, added up by their names, and control groups of version 2 (cgroups(7)) use,
 * as lines of OpenMetrics behind those of core/stats/sample.h.
 *
 * CPU times of processes are counters since the first round: a process that has ended stays counted
 * up to its last round. Of more than USAGE_NAMES names the others are "(other)".
 */
#pragma once

#include "core/containers/intern.h"
#include "core/stats/usage_times.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

enum { USAGE_NAMES = 512, USAGE_CGROUPS = 512, USAGE_CGROUP_DEPTH = 3 };

/* --- processes --- */

struct usage_process {
    int pid;
    const char *name; /* any bytes */
    char state;       /* of core/procfs/proc_stat.h */
    uint64_t started; /* when, in any unit: another process may get its id */
    uint64_t cpu_ns, threads, resident_bytes;
};

struct usage_row;

struct usage_processes { /* starts as zeroes */
    struct intern names; /* a row's number is its name's */
    struct usage_row *row;
    size_t row_cap;
    struct usage_times times;
    bool failed; /* memory ended */
};

/* A round: begin, each process that there is, end. */
void usage_begin(struct usage_processes *u);
void usage_add(struct usage_processes *u, const struct usage_process *p);
void usage_end(struct usage_processes *u);
void usage_release(struct usage_processes *u);

void usage_openmetrics(const struct usage_processes *u, struct buf *out);

/* --- control groups --- */

/* What there is no file for is UINT64_MAX. */
struct usage_cgroup {
    char *path; /* "/" and so on, below where they are mounted */
    uint64_t cpu_us, throttled_us, memory_bytes, processes, read_bytes, written_bytes, oom_kills;
};

/* From the texts of cpu.stat, memory.current, pids.current, io.stat and memory.events; NULL: there
 * is none. */
struct usage_cgroup_texts {
    const char *cpu_stat, *memory_current, *pids_current, *io_stat, *memory_events;
};
void usage_cgroup_read(const struct usage_cgroup_texts *from, struct usage_cgroup *out);

void usage_cgroups_openmetrics(const struct usage_cgroup *group, size_t groups, struct buf *out);
