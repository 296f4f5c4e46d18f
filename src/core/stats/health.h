/*
 * stats_health: answers whether a machine is well, by the graphs of the overview: a short text for
 * each value that is beyond what a machine should have for long.
 *
 *   cpu 95%, iowait 20%, steal 10%, diskbusy 90%: at least so much
 *   load: more than two tasks a CPU
 *   avail: less than 10% of memory; swap: more than half of it
 *   cpupsi 60%, mempsi 10%, iopsi 30%: at least so much of the time some task waits
 */
#pragma once

#include "core/stats/sample.h"

#include <stdbool.h>

enum { STATS_HEALTH_RULES = 10, STATS_HEALTH_TEXT = 64 };

struct stats_health {
    size_t known;   /* rules whose graph has a value */
    size_t count;   /* texts */
    bool cpus_busy; /* one of them is of the CPUs: busy, load, or tasks that wait for one */
    char text[STATS_HEALTH_RULES][STATS_HEALTH_TEXT];
};

/* False: these are not all graphs of the overview, and nothing is said. */
bool stats_health(const struct stats_value *value, size_t count, uint32_t cpus,
                  struct stats_health *out);

/* `well: 10 of 10 checks', `well as far as is known: 2 of 10 checks', or what is not, on one line:
 * `not well: CPUs 97% busy, load 9.10 (8 of 10 checks)'. */
void stats_health_line(const struct stats_health *h, struct buf *out);
/* Behind that, if CPUs are busy and top, which may be NULL, has a process that is: `; busiest: burn
 * (1234), 98% of a CPU'. */
void stats_health_busiest(const struct stats_health *h, const struct stats_top *top,
                          struct buf *out);
