/*
 * sched_merge: merges the events of several sources, each in order, into one stream in order of
 * time. An event is handed on once no source can deliver an earlier one.
 */
#pragma once

#include "core/trace/decode.h"
#include "core/trace/event.h"

#include <stddef.h>

enum { SCHED_SOURCES_MAX = 4096 };

struct sched_merge {
    struct sched_source *source;
    size_t sources, cap;
    size_t waiting;
    uint64_t emitted_ns;   /* the latest that was handed on */
    uint64_t out_of_order; /* handed on behind a later one */
    uint64_t dropped;      /* for want of memory, or by the source's number */
};

void sched_merge_release(struct sched_merge *m);
void sched_merge_add(struct sched_merge *m, size_t source, const struct sched_event *e);
/* So many events there is memory for. That of a burst is given back as more of it stays unused. */
size_t sched_merge_held(const struct sched_merge *m);
/* Hands on all up to until_ns (UINT64_MAX: all). Of equal times, a source's stay together. */
void sched_merge_until(struct sched_merge *m, uint64_t until_ns, sched_emit_fn *emit, void *arg);

/* Every source that has events waiting was taken from up to here; UINT64_MAX: none has. */
uint64_t sched_merge_reached(const struct sched_merge *m);
