/*
 * stats_page: stats in a browser: one HTML file with its own style and script (src/core/stats/page,
 * built in), which asks for nothing but /events, beside it.
 */
#ifndef PSUITE_CORE_STATS_PAGE_H
#define PSUITE_CORE_STATS_PAGE_H

#include <stdbool.h>

struct buf;

/* scale: of all graphs, over 0; log: whether their axes start logarithmic. */
void stats_page_write(double scale, bool log, struct buf *out);

#endif
