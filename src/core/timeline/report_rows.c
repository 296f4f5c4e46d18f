#include "report_parts.h"

#include "core/base/sort.h"

#include <stdlib.h>

static int most_first(const void *pa, const void *pb)
{
    const struct sched_shown *a = pa, *b = pb;
    return ORDER(b->key, a->key) ?: ORDER(a->row->number, b->row->number);
}

static struct sched_shown make_shown(const struct sched_report *r, const struct sched_row *row,
                                     bool by_wakeups)
{
    struct sched_run open;
    struct sched_shown s = {row, row->stats.run_ns, row->stats.runs, 0};
    if (sched_run_open(row, r->end_ns, &open)) {
        s.run_ns += open.end_ns - open.start_ns;
        s.runs++;
    }
    s.key = by_wakeups ? row->stats.wakeup.count : s.run_ns;
    return s;
}

struct sched_shown *sched_shown(const struct sched_report *r, bool by_wakeups, size_t *count)
{
    const struct sched_spans *s = r->spans;
    struct sched_shown *list = malloc((s->rows + 1) * sizeof *list);
    *count = 0;
    for (size_t i = 0; list && i < s->rows; i++) {
        struct sched_shown one = make_shown(r, s->row[i], by_wakeups);
        if (by_wakeups ? one.key : one.runs + one.row->stats.sleeps + one.row->stats.wakeup.count)
            list[(*count)++] = one;
    }
    if (list)
        sort_array(list, *count, sizeof *list, most_first);
    return list;
}
