/*
 * perfdata_queue: the places of records, put into the order of their times the way perf does it.
 * perf ends a round with each sweep over its rings; what a round brought up to the latest time of
 * the round before cannot be overtaken any more.
 *
 * The records of one ring are in order already, so the queue is a few runs, which are merged: time
 * is linear in the records, times the logarithm of the rings.
 */
#ifndef PSUITE_CORE_PERF_PERFDATA_QUEUE_H
#define PSUITE_CORE_PERF_PERFDATA_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perfdata_queued {
    uint64_t time;
    uint64_t at : 47;      /* the record's offset in the file or among the unpacked ones */
    uint64_t unpacked : 1; /* which of them */
    uint64_t event : 16;
};

struct perfdata_queue {
    struct perfdata_queued *entry, *spare;
    size_t count, cap, spare_cap;
    uint64_t latest, previous; /* times seen: so far, and up to the last round */
};

void perfdata_queue_release(struct perfdata_queue *q);

/* False when memory ends. */
bool perfdata_queue_add(struct perfdata_queue *q, struct perfdata_queued e);
/* A record that is not kept was seen. */
void perfdata_queue_seen(struct perfdata_queue *q, uint64_t time);

/* Ends a round: so many entries, from the first, are due in this order; all of them when it is the
 * last. Their number is put in *due. False when memory ends. The caller drops them before the next
 * addition. */
bool perfdata_queue_round(struct perfdata_queue *q, bool last, size_t *due);
void perfdata_queue_drop(struct perfdata_queue *q, size_t due);

#endif
