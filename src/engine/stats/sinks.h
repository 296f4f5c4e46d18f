/* stats_also: what receives the samples of a run of stats: recordings and servers. */
#ifndef PSUITE_ENGINE_STATS_SINKS_H
#define PSUITE_ENGINE_STATS_SINKS_H

#include "engine/stats/run.h"

/* Handles of the sources, then those of each beside. */
struct stats_waits {
    struct wait_on on[STATS_HANDLES_MOST];
    size_t n, from[STATS_ALSO_MOST + 1];
};

/* False when one of them ends the run. */
bool stats_also_tell(const struct stats_also *also, size_t n, const struct stats_sample *s,
                     struct fail *f);
void stats_also_gather(struct stats_waits *waits, const struct stats_watch *w,
                       const struct stats_also *also, size_t n);
/* How long all of them and the sources can wait. */
int stats_also_wait_ms(const struct stats_watch *w, const struct stats_also *also, size_t n);
void stats_also_ready(const struct stats_waits *waits, const struct stats_also *also, size_t n);

#endif
