/*
 * report_delays: the list of delays, below the head of a report, and as JSON.
 */
#pragma once

#include "core/timeline/report.h"

void sched_delays_print(const struct sched_report *r, const struct report_part *part,
                        struct buf *out);
/* Members of an object that is open. Times are the monotonic clock's. */
void sched_delays_json(const struct sched_delays *d, struct json *j);
