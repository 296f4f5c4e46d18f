/* What lies in a span of time. */
#include "model_private.h"

#include "core/base/search.h"
#include "range_list.h"

const struct sched_run *sched_run_at(const struct sched_spans *s, const struct sched_list *list,
                                     size_t i)
{
    return sched_run_numbered(s, *sched_list_item(list, i));
}

const struct sched_mark *sched_mark_at(const struct sched_spans *s, const struct sched_list *list,
                                       size_t i)
{
    return sched_mark_numbered(s, *sched_list_item(list, i));
}

static uint64_t run_start(const struct sched_spans *s, const struct sched_list *l, size_t i)
{
    return sched_run_at(s, l, i)->start_ns;
}

static uint64_t run_end(const struct sched_spans *s, const struct sched_list *l, size_t i)
{
    return sched_run_at(s, l, i)->end_ns;
}

static uint64_t mark_time(const struct sched_spans *s, const struct sched_list *l, size_t i)
{
    return sched_mark_at(s, l, i)->time_ns;
}

typedef uint64_t key(const struct sched_spans *s, const struct sched_list *l, size_t i);

/* The first whose key is not less; count when there is none. */
static size_t first_from(const struct sched_spans *s, const struct sched_list *l, key *of,
                         uint64_t min)
{
    return FIRST_WHERE(l->count, i, of(s, l, i) >= min);
}

static struct sched_range make_range(size_t first, size_t end)
{
    return (struct sched_range){first, end > first ? end - first : 0};
}

struct sched_range sched_runs_between(const struct sched_spans *s, const struct sched_list *list,
                                      uint64_t from_ns, uint64_t to_ns)
{
    size_t end = first_from(s, list, run_start, to_ns);
    return make_range(first_from(s, list, run_end, from_ns < UINT64_MAX ? from_ns + 1 : from_ns),
                      end);
}

struct sched_range sched_marks_between(const struct sched_spans *s, const struct sched_list *list,
                                       uint64_t from_ns, uint64_t to_ns)
{
    return make_range(first_from(s, list, mark_time, from_ns),
                      first_from(s, list, mark_time, to_ns));
}

bool sched_run_open(const struct sched_row *row, uint64_t now_ns, struct sched_run *out)
{
    if (!row->running)
        return false;
    *out = (struct sched_run){.start_ns = row->since_ns,
                              .end_ns = now_ns > row->since_ns ? now_ns : row->since_ns,
                              .ready_ns = row->ready_ns,
                              .woken_by = row->woken_by,
                              .ended_by = -1,
                              .cpu = row->cpu,
                              .priority = row->priority,
                              .flags = SCHED_RUN_OPEN | (row->stayed ? SCHED_RUN_STAYED : 0)};
    return true;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static void take_nearer(uint64_t at_ns, uint64_t *nearest, const struct sched_run *run,
                        struct sched_row *row, struct sched_run *out)
{
    uint64_t d = distance(run->start_ns, at_ns);
    if (d >= *nearest)
        return;
    *nearest = d;
    *out = *run;
    out->row = row;
}

bool sched_run_near(const struct sched_spans *s, uint64_t at_ns, struct sched_run *out)
{
    uint64_t nearest = SCHED_NEAR_NS + 1, from = at_ns > SCHED_NEAR_NS ? at_ns - SCHED_NEAR_NS : 0;
    struct sched_run open;
    for (size_t i = 0; i < s->rows; i++) {
        struct sched_row *row = s->row[i];
        struct sched_range in = sched_runs_between(s, &row->runs, from, at_ns + SCHED_NEAR_NS + 1);
        for (size_t k = 0; k < in.count; k++)
            take_nearer(at_ns, &nearest, sched_run_at(s, &row->runs, in.first + k), row, out);
        if (sched_run_open(row, at_ns, &open))
            take_nearer(at_ns, &nearest, &open, row, out);
    }
    return nearest <= SCHED_NEAR_NS;
}
