/*
 * A measurement adds its checks with what is expected, then measures and judges them. Checks that
 * it leaves pending are not verified.
 */
#pragma once

#include "core/doctor/finding.h"
#include "engine/selftest/selftest.h"

#include <stdint.h>

struct selftest {
    const struct selftest_want *want;
    struct selftest_report *report;
    struct machine machine;
    const char *doing; /* what is measured, for the progress */
    uint64_t start_ns;
    size_t first; /* of the measurement's checks */
};

typedef void selftest_measure(struct selftest *t);

selftest_measure measure_counters; /* counters.c */
selftest_measure measure_faults, measure_switches;
selftest_measure measure_shares, measure_chains; /* shares.c */
selftest_measure measure_waits;                  /* waits.c */
selftest_measure measure_trace;                  /* scheduler.c */
selftest_measure measure_io;                     /* io.c */
selftest_measure measure_losses;                 /* losses.c */
selftest_measure measure_timer;                  /* timer.c */
selftest_measure measure_cost;                   /* cost.c */

/* --- selftest.c --- */

/* Called several times a second: shows the progress, and looks for an interrupt. Whether there was
 * one. */
bool selftest_tend(struct selftest *t);
/* Whether no further measurement should begin: the time is over, or there was an interrupt. */
bool selftest_is_late(struct selftest *t);

/* The checks of this measurement that are pending get this reason. Of a failure: what doctor finds
 * of perf events, if these do not work here, else the failure itself. */
void selftest_fail_pending(struct selftest *t, const struct fail *f);
void selftest_finding_pending(struct selftest *t, const struct finding *found);

/* How many per cent part is of whole; NAN of 0. */
double selftest_pct(double part, double whole);
