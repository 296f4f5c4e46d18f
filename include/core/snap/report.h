/*
 * snap_report: what is in a snap: for people, and as JSON.
 */
#pragma once

#include "core/snap/contents.h"
#include "core/text/json.h"

/* "snap of HOST, 10.003 s", and a line for each recording, for what is lost, and for each note. */
void snap_report_text(const struct snap_contents *c, struct buf *out);

/*
 * Members of an open object: "host", "machine", "kernel", "cpus", "command" (null: none),
 * "start_ms" (since 1970), "length_ns", "clock_set_ns", "truncated", "ended";
 * "samples":{"count","shown","lost","throttled","hz","method","sampled"} or null;
 * "scheduler":{"events","lost"} or null; "stats":{"count","interval_s"} or null;
 * "notes":[TEXT, ...].
 */
void snap_report_json(const struct snap_contents *c, struct json *j);
