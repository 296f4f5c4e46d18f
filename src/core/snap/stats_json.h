/* snap_stats_json: the statistics of a snap as JSON, for its page. */
#pragma once

#include "core/snap/contents.h"
#include "core/text/json.h"

/*
 * The member "graphs":{"interval_s":S,"time_ms":[T, ...],"graph":[{"name":N,"unit":U,"summary":S,
 * "values":[V, ...]} or {"name":N,"summary":S,"why":W}, ...]}. Times count from the beginning of
 * what is shown; a value is of the interval before its time, null where there is none. Of more than
 * SNAP_STATS_MAX samples the mean of neighbours is told. 0 or -ENOMEM.
 */
enum { SNAP_STATS_MAX = 4000 };
int snap_stats_json(const struct snap_contents *c, struct json *j);
