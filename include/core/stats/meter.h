/*
 * stats_meter: what is known of one source: its newest numbers, and how far its counters came since
 * the readings before.
 *
 *     stats_meter_add(&m, STATS_SYSSTAT, text, len, now_ns);   of each file that was read;
 *     stats_meter_set_missing(&m, STATS_SWAP, "file does not exist");  of each that could not be;
 *     stats_meter_value(&m, STATS_CONTEXT, 1.0, &v);            for each graph
 *     stats_meter_next(&m);                                     behind the last one of a sample
 *
 * Counters are followed by CPU, disk and interface, so that one that comes, goes or comes again
 * adds nothing by that. One that went backwards (core/stats/counter.h) leaves a gap in its graph.
 * Rates are by the time that really passed. A file that was neither taken nor lacking since the
 * last sample did not answer: its rates are 0, its levels hold (FORMATS 9).
 *
 * Memory: 72 bytes a CPU, STATS_MAX_CPUS at most; rows of core/stats/rows.h, and 48 bytes a part.
 */
#pragma once

#include "core/stats/counter.h"
#include "core/stats/parse.h"
#include "core/stats/rows.h"
#include "core/stats/sample.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STATS_MAX_CPUS = 4096 };

enum stats_file {
    STATS_SYSSTAT,
    STATS_SWAP,
    STATS_ETHER_STATS,
    STATS_IFSTATS,
    STATS_APM, /* /mnt/apm/battery: if it is there, it is the battery */
    STATS_BATTERY,
    STATS_CPUTEMP,
    STATS_CPUSTAT, /* this and what follows have rows (core/stats/rows.h) */
    STATS_DISKSTAT,
    STATS_NETSTAT,
    STATS_MEMSTAT,
    STATS_PRESSURE,
    STATS_FILES,
    STATS_ROW_FILES = STATS_FILES - STATS_CPUSTAT
};

/* The files of a graph, as bits. */
unsigned stats_graph_files(enum stats_graph graph);

enum { STATS_COUNTERS = SYSSTAT_TLB_FLUSHES - SYSSTAT_SWITCHES + 1, STATS_WHY = 320 };

struct stats_file_state {
    bool answered;              /* since the last sample */
    bool missing;               /* it could not be read: why */
    uint64_t at_ns, elapsed_ns; /* when it was taken, and since the time before; 0: the first */
    char why[STATS_WHY];
};

struct stats_cpu {
    uint64_t id, generation;
    uint64_t count[STATS_COUNTERS];
    uint32_t absent;
};

struct stats_meter {
    struct stats_file_state file[STATS_FILES];
    struct stats_cpu *cpu;
    size_t cpus, cpu_cap;
    uint64_t generation;
    struct stats_counter counter[STATS_COUNTERS], in, out;
    struct stats_level {
        uint64_t sum;
        size_t cpus; /* that say */
    } level[SYSSTAT_COLUMNS - SYSSTAT_LOAD];
    char absent_why[SYSSTAT_COLUMNS][STATS_WHY]; /* empty: it is not known */
    bool has_absent;                             /* a column is absent: see stats_meter_absent */
    struct stats_swap swap;
    struct stats_ether ether;
    uint64_t battery;
    int dbm, celsius;
    struct stats_rows rows[STATS_ROW_FILES]; /* from STATS_CPUSTAT on */
    struct {
        struct stats_part *at;
        size_t cap;
    } part[STATS_GRAPHS];
};

/* All zero is one that knows nothing. */
void stats_meter_release(struct stats_meter *m);

void stats_meter_add(struct stats_meter *m, enum stats_file file, const char *text, size_t len,
                     uint64_t now_ns);
/* why: cut behind a word to STATS_WHY. */
void stats_meter_set_missing(struct stats_meter *m, enum stats_file file, const char *why);

/* Why columns are absent: the text of #c/absent. Worth reading once, when has_absent is true. */
void stats_meter_absent(struct stats_meter *m, const char *text, size_t len);

/* interval: seconds, over 0. v->why and v->part live until m changes. */
void stats_meter_value(struct stats_meter *m, enum stats_graph graph, double interval,
                       struct stats_value *v);
void stats_meter_next(struct stats_meter *m);
