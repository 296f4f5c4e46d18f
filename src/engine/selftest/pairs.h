/*
 * pairs: runs a workload with a small and a large amount in turn, and counts each run's events. The
 * difference of the two is the workload's alone: it is without what a process's start and end cost.
 */
#pragma once

#include "plat/runs.h"
#include "private.h"

enum { PAIRS = 3, PAIRS_EVENTS = 2 };

struct pairs {
    struct count_event event[PAIRS_EVENTS];
    size_t events;
    size_t made; /* whole pairs */
    struct runs_end small[PAIRS], large[PAIRS];
};

/* Adds an event by its name. */
int pairs_add(struct pairs *p, const char *event, struct fail *f);

/* cpu NULL: on any. -EPIPE when a run failed, -ETIMEDOUT when there was no time for all. */
int pairs_run(struct selftest *t, struct pairs *p, const char *name, unsigned small, unsigned large,
              const char *cpu, struct fail *f);

/* The median of the differences, and the difference of the smallest, of an event; of anything. */
typedef double pairs_value(const struct runs_end *run, size_t event);
double pairs_count(const struct runs_end *run, size_t event); /* what an event counted */
double pairs_median(const struct pairs *p, pairs_value *value, size_t event);
double pairs_smallest(const struct pairs *p, pairs_value *value, size_t event);

/* Judges the check of a counter: not available as the counter is not, not verified when it counted
 * only part of the time. */
void pairs_judge(struct selftest *t, const struct pairs *p, size_t event, double measured,
                 struct selftest_check *c);
