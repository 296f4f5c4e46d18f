/* time_runs: the runs of the time applet made, and gathered into its report. */
#pragma once

#include "applets/time_commands.h"
#include "core/time/plan.h"
#include "core/time/report.h"
#include "plat/runs.h"

#include <stdbool.h>

struct applet;

struct time_runs {
    struct time_report report; /* commands, warmups and gate_ratio are set before */
    struct time_plan plan;
    struct time_commands commands;
    const char *setup, *cleanup; /* run once by a shell, before and after all; may be NULL */
    struct count_event event[TIME_COUNTERS];
    size_t events;
    bool series; /* the interrupt key ends it with a report; progress is shown */
    bool ignore_failure, show_output;
    unsigned long made; /* runs, warm-ups included */
    int status;         /* out: what psuite exits with: of the last run that failed, or 0 */
};

/* Makes the runs. Returns 0, or the exit status after having said why nothing can be reported. */
int time_runs_make(const struct applet *a, struct time_runs *t);
