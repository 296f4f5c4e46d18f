/*
 * stats_usage: what psuite's own files of #c (core/procfs/usage_text.h) say of a machine, and how
 * far their counters came since the reading before.
 *
 * Shares of CPU time are of all CPUs together. Disks and interfaces are summed up; how busy they
 * are is told of the busiest disk. What is not in a file reads 0.
 */
#ifndef PSUITE_CORE_STATS_USAGE_H
#define PSUITE_CORE_STATS_USAGE_H

#include "core/stats/counter.h"
#include "core/stats/graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum stats_usage_file {
    STATS_CPUSTAT,
    STATS_DISKSTAT,
    STATS_NETSTAT,
    STATS_MEMSTAT,
    STATS_PRESSURE,
    STATS_USAGE_FILES
};

enum {
    STATS_CPU_KINDS = 8, /* user nice system idle iowait irq softirq steal */
    STATS_MAX_DISKS = 64,
    STATS_DISK_NAME = 32,
    STATS_RESOURCES = 3 /* cpu, memory, io */
};

struct stats_usage_level {
    uint64_t before;
    uint64_t since; /* the reading before */
    bool known;     /* both readings are there */
};

struct stats_disk {
    char name[STATS_DISK_NAME];
    struct stats_usage_level busy_ms;
};

struct stats_usage {
    struct stats_usage_level cpu_ms[STATS_CPU_KINDS];
    struct stats_disk disk[STATS_MAX_DISKS];
    size_t disks;
    struct {
        struct stats_counter counter;
        uint64_t now;
        bool read;
    } disk_read, disk_written, net_in, net_out;        /* bytes */
    uint64_t total, available, cached;                 /* bytes of memory */
    struct stats_usage_level stalled[STATS_RESOURCES]; /* us in which some task waited */
    bool has_stalled;                                  /* the reading before is there */
};

/* Which file a graph is made from; false: none of these. */
bool stats_usage_file(enum stats_graph graph, enum stats_usage_file *file);

/* Takes a file's text, which need not end in a NUL. NULL, or why it is none. */
const char *stats_usage_add(struct stats_usage *u, enum stats_usage_file file, const char *text,
                            size_t len);

/* The counter of a graph that is a rate. */
const struct stats_counter *stats_usage_counter(const struct stats_usage *u,
                                                enum stats_graph graph);

/* The value of one that is none: %, or bytes. elapsed_ns: between the readings. NULL, or why there
 * is none. */
const char *stats_usage_level(const struct stats_usage *u, enum stats_graph graph,
                              uint64_t elapsed_ns, double *value);

#endif
