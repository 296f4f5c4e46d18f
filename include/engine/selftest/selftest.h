/*
 * selftest: measures workloads whose result is known (plat/workload.h) with psuite's own counters,
 * samplers and tracers, and judges the results (core/selftest/selftest.h). It takes some 15
 * seconds on an idle machine, and ends after SELFTEST_MAX_SECONDS: what could not be measured by
 * then is not verified.
 */
#pragma once

#include "core/selftest/selftest.h"

enum { SELFTEST_MAX_SECONDS = 55 };

struct selftest_want {
    const char *version; /* psuite's, and how it was built */
    unsigned hz;         /* samples per second, where samplings have a default */
    /* Called several times a second with what is measured; may be NULL. */
    void (*progress)(void *arg, const char *what);
    void *arg;
};

/* An interrupt ends it: checks that are left are not verified. 0, or -ENOMEM when what this system
 * offers could not be examined. */
int selftest_run(const struct selftest_want *want, struct selftest_report *out);
