/* stats_sink: what receives the samples of a run of stats: recordings and servers. */
#pragma once

#include "engine/stats/run.h"

/* Handles of the sources, then those of each sink. */
struct stats_waits {
    struct wait_on on[STATS_MAX_HANDLES];
    size_t n, from[STATS_MAX_SINKS + 1];
};

/* False when one of them ends the run. */
bool stats_sinks_emit(const struct stats_sink *sinks, size_t n, const struct stats_sample *s,
                      struct fail *f);
void stats_sinks_handles(struct stats_waits *waits, const struct stats_watch *w,
                         const struct stats_sink *sinks, size_t n);
/* How long all of them and the sources can wait. */
int stats_sinks_wait_ms(const struct stats_watch *w, const struct stats_sink *sinks, size_t n);
void stats_sinks_ready(const struct stats_waits *waits, const struct stats_sink *sinks, size_t n);
