/* sched_outwards: what the writers of core/timeline/export.h share. */
#pragma once

#include "core/timeline/export.h"

/* What is written: the wanted part of what there is, never empty. */
struct sched_window {
    uint64_t from_ns, to_ns;
};
struct sched_window sched_window(const struct sched_export *w);

/* Hands bytes on when some have come together, or all of them. */
int sched_export_flush(const struct sched_export *w, bool all);

/* The runs of a row that reach into the window; the open one is the last. */
size_t sched_row_runs(const struct sched_export *w, const struct sched_window *in,
                      const struct sched_row *row, size_t *first);
bool sched_row_run(const struct sched_export *w, const struct sched_window *in,
                   const struct sched_row *row, size_t i, struct sched_run *out);

/* Whether it is a task whose row is written: the idle ones are not. */
bool sched_row_shown(const struct sched_row *row);

/* "; 5 older runs, 3 older marks and 1 ended task left out": what the limits dropped, if anything.
 */
void sched_add_dropped(const struct sched_spans *s, struct buf *out);
size_t sched_cpus_seen(const struct sched_spans *s);
/* The last time that is known of a mark's CPU before it: where its loss may have begun. */
uint64_t sched_loss_start(const struct sched_spans *s, const struct sched_mark *mark);
