/*
 * stats_record: a recording of samples for replay: text with one value per line, so that any tool
 * can read and cut it.
 *
 *     psuite stats 1 SECONDS          the version and the interval
 *     at MILLISECONDS                 a sample, since 1970
 *     source CPUS AGE_MS NAME         its sources, the same in all samples
 *     GRAPH VALUE FULL NATURAL TOTAL  what struct stats_value has; or
 *     GRAPH - FULL WHY                an absent one
 *     part NATURAL TOTAL NAME         of the graph above, what it is of a CPU, disk or interface
 *     end                             a sample without it was cut off, and is left out
 *
 * Lines of other words are passed over.
 */
#pragma once

#include "core/base/fail.h"
#include "core/stats/sample.h"

#include <stddef.h>
#include <stdint.h>

enum { STATS_RECORD_SOURCES = 64, STATS_RECORD_TEXT = 320, STATS_RECORD_PARTS = 8192 };

void stats_record_head(double interval, struct buf *out);
void stats_record_sample(const struct stats_sample *s, struct buf *out);

/* A recording that is read. It keeps a number of 8 bytes a sample, and one sample. */
struct stats_replay {
    const char *text; /* the caller's, for as long */
    size_t len;
    double interval;
    size_t *start; /* of each whole sample */
    size_t samples, cap;
    const struct stats_choice *graph_filter; /* the graphs that are read; NULL: all */
    struct stats_replay_source *source;      /* STATS_RECORD_SOURCES of the sample read last */
    struct stats_source_sample *source_sample;
    struct stats_part
        *part; /* STATS_RECORD_PARTS of it, of all sources; those beyond are left out */
    size_t parts;
};

/* -EINVAL: no recording of ours, or of a later version; -ENOMEM. name: for the failure. */
int stats_replay_open(struct stats_replay *r, const char *text, size_t len, const char *name,
                      struct fail *f);
void stats_replay_release(struct stats_replay *r);

/* The sample of that index, which is there. It lives until the next. Numbers that are none, or not
 * finite, are absent. */
void stats_replay_sample(struct stats_replay *r, size_t index, struct stats_sample *out);
