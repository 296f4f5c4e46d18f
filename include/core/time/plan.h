/*
 * time_plan: how many rounds a series makes: a number, as many as fit into a time, or until a gate
 * is decided. A round is each command once. The rounds are made in batches, and the plan is asked
 * again after each.
 */
#pragma once

#include "core/time/report.h"

#include <stdbool.h>

enum { TIME_MAX_RUNS = 100000, TIME_AUTO_RUNS = 10, TIME_AUTO_S = 3 };

struct time_plan {
    unsigned long rounds; /* 0: by time */
    double seconds;       /* each command runs as long in sum, and TIME_AUTO_RUNS times at least */
    bool gate;            /* until the report's gate is decided; the others are 0 */
};

/* What -n says: a whole number, `5s', or `auto' for TIME_AUTO_S. False: neither of these. */
bool time_plan_parse(const char *text, struct time_plan *out);

/* How many rounds to make next, 0: none. 0, or -ENOMEM. */
int time_plan_next(const struct time_plan *p, const struct time_report *r, unsigned long *out);
