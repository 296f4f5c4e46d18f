/* verdict: in words, whether each further command of a series takes longer than the first one. */
#pragma once

#include "core/time/report.h"

/* A line a command, and one that tells what its figures mean. Commands are shown by their words, or
 * by their numbers where two have the same words, or where a line would be wider than that. */
void verdicts_write(const struct time_report *r, size_t width, struct buf *out);

/* `1.0971 ± 0.0043': a ratio, not its inverse, with half of its 95% interval. */
void verdict_ratio(const struct paired_estimate *e, struct buf *out);
