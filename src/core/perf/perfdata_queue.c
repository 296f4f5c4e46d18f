#include "perfdata_queue.h"

#include "core/base/grow.h"

#include "core/base/search.h"

#include <string.h>

void perfdata_queue_release(struct perfdata_queue *q)
{
    free(q->entry);
    free(q->spare);
    *q = (struct perfdata_queue){0};
}

void perfdata_queue_seen(struct perfdata_queue *q, uint64_t time)
{
    if (time > q->latest)
        q->latest = time;
}

bool perfdata_queue_add(struct perfdata_queue *q, struct perfdata_queued e)
{
    if (!grow(&q->entry, &q->cap, q->count, sizeof *q->entry))
        return false;
    q->entry[q->count++] = e;
    perfdata_queue_seen(q, e.time);
    return true;
}

static size_t run_end(const struct perfdata_queued *e, size_t at, size_t count)
{
    while (++at < count && e[at - 1].time <= e[at].time)
        ;
    return at < count ? at : count;
}

/* Two runs into one; of equal times the first run's come first. */
static void merge_pair(const struct perfdata_queued *a, size_t na, const struct perfdata_queued *b,
                       size_t nb, struct perfdata_queued *to)
{
    while (na && nb) {
        bool second = b->time < a->time;
        *to++ = second ? *b : *a;
        b += second, nb -= second;
        a += !second, na -= !second;
    }
    memcpy(to, na ? a : b, (na + nb) * sizeof *to);
}

/* Merges each run with its neighbour; says how many that leaves. */
static size_t merge_runs(const struct perfdata_queued *from, struct perfdata_queued *to,
                         size_t count)
{
    size_t runs = 0;
    for (size_t at = 0; at < count; runs++) {
        size_t middle = run_end(from, at, count), end = run_end(from, middle, count);
        merge_pair(from + at, middle - at, from + middle, end - middle, to + at);
        at = end;
    }
    return runs;
}

static bool make_spare(struct perfdata_queue *q)
{
    if (q->spare_cap >= q->cap)
        return true;
    struct perfdata_queued *bigger = malloc(q->cap * sizeof *bigger);
    if (!bigger)
        return false;
    free(q->spare);
    q->spare = bigger;
    q->spare_cap = q->cap;
    return true;
}

static void swap_spare(struct perfdata_queue *q)
{
    struct perfdata_queued *entry = q->entry;
    size_t cap = q->cap;
    q->entry = q->spare;
    q->cap = q->spare_cap;
    q->spare = entry;
    q->spare_cap = cap;
}

static bool sort_queue(struct perfdata_queue *q)
{
    size_t runs = 2;
    if (run_end(q->entry, 0, q->count) == q->count)
        return true;
    while (runs > 1) {
        if (!make_spare(q))
            return false;
        runs = merge_runs(q->entry, q->spare, q->count);
        swap_spare(q);
    }
    return true;
}

static size_t up_to(const struct perfdata_queue *q, uint64_t limit)
{
    return FIRST_ABOVE(q->entry, q->count, time, limit);
}

bool perfdata_queue_round(struct perfdata_queue *q, bool last, size_t *due)
{
    if (q->count && !sort_queue(q))
        return false;
    *due = last ? q->count : up_to(q, q->previous);
    q->previous = q->latest;
    return true;
}

void perfdata_queue_drop(struct perfdata_queue *q, size_t due)
{
    q->count -= due;
    if (q->count)
        memmove(q->entry, q->entry + due, q->count * sizeof *q->entry);
}
