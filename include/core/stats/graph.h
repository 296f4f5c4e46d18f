/*
 * stats_graph: the graphs of stats(1): their names, units and full scales (FORMATS 9, the manual of
 * Plan 9), and which letters of the command line they are. Those behind Plan 9's are ours.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order of Plan 9's menu; then ours. */
enum stats_graph {
    STATS_BATTERY_LEFT,
    STATS_CONTEXT,
    STATS_ETHER,
    STATS_ETHER_ERR,
    STATS_ETHER_IN,
    STATS_ETHER_OUT,
    STATS_FAULT,
    STATS_IDLE,
    STATS_IN_INTR,
    STATS_INTR,
    STATS_LOAD,
    STATS_MEM,
    STATS_SWAP_USED,
    STATS_SYSCALL,
    STATS_TLB_MISS,
    STATS_TLB_PURGE,
    STATS_SIGNAL,
    STATS_TEMP,
    STATS_CPU_BUSY,
    STATS_CPU_USER,
    STATS_CPU_SYSTEM,
    STATS_CPU_IOWAIT,
    STATS_CPU_IRQ,
    STATS_CPU_STEAL,
    STATS_DISK_READ,
    STATS_DISK_WRITE,
    STATS_DISK_OPS,
    STATS_DISK_BUSY,
    STATS_NET_IN,
    STATS_NET_OUT,
    STATS_MEM_AVAILABLE,
    STATS_MEM_PROGRAMS,
    STATS_MEM_CACHED,
    STATS_MEM_KERNEL,
    STATS_MEM_FREE,
    STATS_CPU_PRESSURE,
    STATS_MEM_PRESSURE,
    STATS_MEM_STALL,
    STATS_IO_PRESSURE,
    STATS_IO_STALL,
    STATS_GRAPHS
};

struct stats_graph_info {
    const char *name;    /* as the menu and the screen have it: "802.11b" */
    const char *unit;    /* of values by the second: "switches/s" */
    const char *summary; /* in a few words, for help */
    const char *metric;  /* its name in OpenMetrics; a counter's is without "_total" */
    bool rate;           /* a value is what came in an interval; else what is there now */
    bool by_cpu;         /* the full scale is one CPU's times how many there are */
    const char *part;    /* what it has a value of each of: "cpu", "disk"; NULL: it has none */
};

const struct stats_graph_info *stats_graph_info(enum stats_graph graph);
/* False: there is none of that name. */
bool stats_graph_named(const char *name, size_t len, enum stats_graph *out);

enum { STATS_LETTER_MAX = 6 };

/* The letter that adds one graph alone; a blank: there is none. */
char stats_graph_letter(enum stats_graph graph);

/* The graphs of one letter, in their order: how many, 0 when it is no such letter. */
size_t stats_letter_graphs(char letter, enum stats_graph out[STATS_LETTER_MAX]);

/* The graphs of a view: each once, in the order in which they were added. */
struct stats_choice {
    enum stats_graph graph[STATS_GRAPHS];
    size_t count;
};
bool stats_chosen(const struct stats_choice *c, enum stats_graph graph);
/* Adds what is not there; false when it was. */
bool stats_choose(struct stats_choice *c, enum stats_graph graph);
/* Drops it, unless it is the last one: false. */
bool stats_drop(struct stats_choice *c, enum stats_graph graph);

/* Adds the graphs of the overview, which answer whether a machine is well
 * (src/core/stats/health.h). */
void stats_choose_overview(struct stats_choice *c);
bool stats_has_overview(const struct stats_choice *c);
