/* time_events: the counters that -c names. */
#pragma once

#include "applets/time_runs.h"

/* Those that are counted without a list: of a command or processes, of the machine. */
extern const char time_default_events[], time_machine_events[];

/* The comma list into t's events and its report's counters; 0, or USAGE after having said what is
 * wrong. */
int time_events_parse(const struct applet *a, const char *list, struct time_runs *t);
