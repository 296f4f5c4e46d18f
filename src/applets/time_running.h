/* time_running: time -p and time -a: the counters of processes that run already, or of the machine.
 */
#pragma once

#include "core/time/report.h"
#include "plat/count.h"

#include <stdbool.h>
#include <stddef.h>

enum { TIME_MAX_PIDS = 64, TIME_MAX_SECONDS = 1000000000 };

struct applet;

enum time_running_form { RUNNING_TEXT, RUNNING_JSON, RUNNING_CSV };

struct time_running {
    int pid[TIME_MAX_PIDS];
    size_t pids;
    bool machine;
    double seconds, interval; /* 0: until they end or ^C; one report at the end */
    enum time_running_form form;
    const char *out; /* where the report goes, and its open handle; NULL: standard error */
    int handle;
    struct time_report *report; /* with its counters, one for each event */
    const struct count_event *event;
    size_t events;
};

/* PID[,PID...]; 0, or USAGE after having said what is wrong. */
int time_running_pids(const struct applet *a, const char *list, struct time_running *t);

/* Counts and reports; the exit status. */
int time_running_count(const struct applet *a, struct time_running *t);
