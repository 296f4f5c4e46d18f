/*
 * perfdata_runs: puts records into the order of their times the way perf does it. perf ends a round
 * with each sweep over its rings; what a round brought up to the latest time of the round before
 * cannot be overtaken any more.
 *
 * The records of one ring are together in a round, and in order already. So only such runs are
 * kept, not records, and they are merged by a heap: time is linear in the records, times the
 * logarithm of the rings.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Records that follow each other in the file, or among the unpacked ones. */
struct perfdata_run {
    uint64_t time;    /* of the first record */
    long event;       /* whose it is: for who adds it */
    uint64_t at, end; /* offsets in the file or in the unpacked bytes */
    uint64_t read;    /* as at, up to which its pages were said to be read */
    bool unpacked;    /* which of them */
};

struct perfdata_runs {
    struct perfdata_run *run; /* in the order of their coming */
    size_t count, cap;
    bool open;                 /* the last run may go on */
    uint64_t last;             /* time of its last record */
    uint64_t latest, previous; /* times seen: so far, and up to the last round */
    struct perfdata_first {
        uint64_t time;
        size_t run;
    } * heap; /* during a round: those that are not at their end */
    size_t heaped, heap_cap;
};

void perfdata_runs_release(struct perfdata_runs *q);

/* A record at its place, whose time is part->time. False when memory ends. */
bool perfdata_runs_add(struct perfdata_runs *q, const struct perfdata_run *part);
/* The same of a record that continues the last run; false: it does not. */
static inline bool perfdata_runs_extend(struct perfdata_runs *q, uint64_t at, size_t len,
                                        uint64_t time, bool unpacked)
{
    struct perfdata_run *run = q->open ? &q->run[q->count - 1] : NULL;
    if (!run || run->end != at || run->unpacked != unpacked || q->last > time)
        return false;
    run->end = at + len;
    q->last = time;
    if (time > q->latest)
        q->latest = time;
    return true;
}

/* A record that is not handed on: the run that it is in need not end there. time 0: none. */
void perfdata_runs_skip(struct perfdata_runs *q, const struct perfdata_run *part);

/* Ends a round, or all of them: *due is the time up to which records are handed on. False when
 * memory ends. */
bool perfdata_runs_begin(struct perfdata_runs *q, bool last, uint64_t *due);

/* The run whose first record comes before those of all others, if it is due; NULL: none. */
struct perfdata_run *perfdata_runs_first(struct perfdata_runs *q, uint64_t due);

/* Another run's first record comes before a record of this time of the first run. */
static inline bool perfdata_runs_overtaken(const struct perfdata_runs *q, uint64_t time)
{
    const struct perfdata_first *a = &q->heap[0], *other = &q->heap[1];
    if (q->heaped < 2)
        return false;
    if (q->heaped > 2 && other[1].time <= other->time &&
        (other[1].time < other->time || other[1].run < other->run))
        other++;
    return other->time < time || (other->time == time && other->run < a->run);
}

/* The first run begins with a later record, or has come to its end. */
void perfdata_runs_moved(struct perfdata_runs *q);

/* Behind a round: forgets the runs that are at their end. */
void perfdata_runs_end(struct perfdata_runs *q);
