/*
 * time_running: the report of counters of running processes or of the machine: a line a counter and
 * interval, and the totals; as text, CSV and JSON.
 */
#pragma once

#include "core/time/report.h"

#include <stdint.h>

/* What is counted, besides the report's counters. */
struct time_running_of {
    const int *pid;
    size_t pids;    /* 0: the machine */
    size_t targets; /* threads at the beginning, or CPUs */
};

/* What happened between two readings of the report's counters (before: NULL, the beginning), as a
 * run that took real_ns. Takes the counters' states from now. */
void time_span(struct time_report *r, const struct counter_reading *before,
               const struct counter_reading *now, uint64_t real_ns, struct time_run *out);

/* One interval of a series; end_ns is since the beginning. */
struct time_interval {
    unsigned long number; /* from 1 */
    uint64_t end_ns;
    struct time_run run;
};

/* A line for each counter that has a count on this machine; the first interval's have a heading. */
void time_interval_text(const struct time_report *r, const struct time_interval *i,
                        struct buf *out);
void time_interval_csv(const struct time_report *r, const struct time_interval *i, struct buf *out);
void time_interval_json(const struct time_report *r, const struct time_interval *i,
                        struct buf *out);

/* The totals. */
void time_running_text(const struct time_report *r, const struct time_running_of *of,
                       const struct time_run *run, struct buf *out);
void time_running_json(const struct time_report *r, const struct time_running_of *of,
                       const struct time_run *run, struct buf *out);
