#include "perfdata_runs.h"

#include "core/base/grow.h"

void perfdata_runs_release(struct perfdata_runs *q)
{
    free(q->run);
    free(q->heap);
    *q = (struct perfdata_runs){0};
}

static void see_time(struct perfdata_runs *q, uint64_t time)
{
    if (time > q->latest)
        q->latest = time;
}

/* The run that a record continues; NULL: none. */
static struct perfdata_run *run_before(const struct perfdata_runs *q,
                                       const struct perfdata_run *part)
{
    struct perfdata_run *last = q->open ? &q->run[q->count - 1] : NULL;
    return last && last->end == part->at && last->unpacked == part->unpacked ? last : NULL;
}

void perfdata_runs_skip(struct perfdata_runs *q, const struct perfdata_run *part)
{
    struct perfdata_run *before = run_before(q, part);
    see_time(q, part->time);
    if (before)
        before->end = part->end;
}

static bool add_run(struct perfdata_runs *q, const struct perfdata_run *part)
{
    if (!GROW_ADD(q->run, q->cap, q->count, *part))
        return false;
    q->open = true;
    return true;
}

bool perfdata_runs_add(struct perfdata_runs *q, const struct perfdata_run *part)
{
    struct perfdata_run *before = run_before(q, part);
    see_time(q, part->time);
    if (before && q->last <= part->time)
        before->end = part->end;
    else if (!add_run(q, part))
        return false;
    q->last = part->time;
    return true;
}

/* --- a heap of their first records --- */

/* Of equal times the record that came first is first. */
static bool is_before(const struct perfdata_first *a, const struct perfdata_first *b)
{
    return a->time != b->time ? a->time < b->time : a->run < b->run;
}

static void sink(struct perfdata_runs *q, size_t i)
{
    struct perfdata_first *heap = q->heap;
    const struct perfdata_first first = heap[i];
    const size_t from = i, count = q->heaped;
    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && is_before(&heap[child + 1], &heap[child]))
            child++;
        if (!is_before(&heap[child], &first))
            break;
        heap[i] = heap[child];
    }
    if (i != from)
        heap[i] = first;
}

bool perfdata_runs_begin(struct perfdata_runs *q, bool last, uint64_t *due)
{
    if (!grow_to(&q->heap, &q->heap_cap, q->count, sizeof *q->heap))
        return false;
    for (size_t i = 0; i < q->count; i++)
        q->heap[i] = (struct perfdata_first){q->run[i].time, i};
    q->heaped = q->count;
    for (size_t i = q->heaped / 2; i-- > 0;)
        sink(q, i);
    *due = last ? UINT64_MAX : q->previous;
    q->open = false;
    q->previous = q->latest;
    return true;
}

struct perfdata_run *perfdata_runs_first(struct perfdata_runs *q, uint64_t due)
{
    return q->heaped && q->heap[0].time <= due ? &q->run[q->heap[0].run] : NULL;
}

void perfdata_runs_moved(struct perfdata_runs *q)
{
    const struct perfdata_run *run = &q->run[q->heap[0].run];
    q->heap[0].time = run->time;
    if (run->at == run->end)
        q->heap[0] = q->heap[--q->heaped];
    sink(q, 0);
}

void perfdata_runs_end(struct perfdata_runs *q)
{
    size_t kept = 0;
    for (size_t i = 0; i < q->count; i++)
        if (q->run[i].at < q->run[i].end)
            q->run[kept++] = q->run[i];
    q->count = kept;
}
