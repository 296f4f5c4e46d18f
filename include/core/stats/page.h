/*
 * stats_page: the web page of stats: one HTML file with its own style and scripts
 * (src/core/stats/page, built in), which loads nothing but /events of the same server.
 */
#pragma once

#include <stdbool.h>

struct buf;

/* scale: of all graphs, over 0; log, fit: whether their axes start logarithmic, and their scales
 * fit. */
void stats_page_write(double scale, bool log, bool fit, struct buf *out);
