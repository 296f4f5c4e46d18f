/* time_measure: the names and units of what the time applet measures. */
#ifndef PSUITE_CORE_TIME_MEASURES_H
#define PSUITE_CORE_TIME_MEASURES_H

#include "core/base/time_unit.h"
#include "core/time/report.h"

enum time_kind time_kind_of(const struct time_report *r, size_t measure);

/* Whether a counter's row has numbers: counted in this run or series. */
bool time_counted(const struct time_report *r, size_t measure);

/* A counter that every program moves and that reads 0 nevertheless: virtual machines and some
 * boards open counters that do not count. */
bool time_dead_counter(const struct time_report *r, size_t counter, const struct time_run *run);

/* Index of the counter with that name, or r->counters. */
size_t time_counter_named(const struct time_report *r, const char *name);

#endif
