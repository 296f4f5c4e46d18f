/* json_parts: what the object of runs and those of running processes share. */
#pragma once

#include "core/text/json.h"
#include "core/time/report.h"

/* The member `counters': name, unit and state of each. */
void time_json_counters(struct json *j, const struct time_report *r);

/* The member `counts': of each that was counted, by its name. */
void time_json_counts(struct json *j, const struct time_report *r, const struct time_run *run);
