/* Rows of tasks that died: how many are kept, with how large histograms. */
#include "model_private.h"

#include "core/base/scope.h"
#include "core/base/sort.h"
#include "core/trace/task_names.h"
#include "range_list.h"

#include <stdlib.h>

static size_t octaves_of(const struct sched_row *row)
{
    return sched_latency_octaves(&row->stats.wakeup) + sched_latency_octaves(&row->stats.stayed);
}

void sched_free_row(struct sched_row *row)
{
    sched_latency_release(&row->stats.wakeup);
    sched_latency_release(&row->stats.stayed);
    sched_list_release(&row->runs);
    sched_list_release(&row->marks);
    free(row);
}

void sched_note_dead(struct sched_spans *s, struct sched_row *row)
{
    if (row->dead)
        return;
    row->dead = true;
    s->dead++;
    s->dead_octaves += octaves_of(row);
}

static void drop_row(struct sched_spans *s, struct sched_row *row)
{
    sched_forget_row(s, row);
    for (size_t c = 0; c < s->cpus; c++)
        if (s->cpu[c].row == row) /* its end was lost there */
            s->cpu[c].row = NULL;
    if (s->names && !sched_row_of(s, row->pid))
        sched_names_retire(s->names, row->pid);
    s->dropped.rows++;
    s->dropped.run_ns += row->stats.run_ns;
    sched_free_row(row);
}

static int by_run_ns(const void *pa, const void *pb)
{
    uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;
    return ORDER(a, b);
}

/* What half of the dead ran at most; all, where memory ends. */
static uint64_t median_run_ns(const struct sched_spans *s)
{
    SCOPED_FREE uint64_t *ns = malloc((s->dead + 1) * sizeof *ns);
    size_t n = 0;
    for (size_t i = 0; ns && i < s->rows && n < s->dead; i++)
        if (s->row[i]->dead)
            ns[n++] = s->row[i]->stats.run_ns;
    sort_array(ns, n, sizeof *ns, by_run_ns);
    return n ? ns[(n - 1) / 2] : UINT64_MAX;
}

static void forget_dead(struct sched_spans *s, const struct sched_row *row)
{
    size_t octaves = octaves_of(row);
    s->dead--;
    s->dead_octaves -= octaves < s->dead_octaves ? octaves : s->dead_octaves;
}

/* Several at once, as each look is at all rows: the oldest; where no runs are kept, and statistics
 * alone matter, the half that ran least. */
static bool drop_dead_rows(struct sched_spans *s)
{
    uint64_t max_ns = s->limits.runs ? UINT64_MAX : median_run_ns(s);
    size_t drop = s->limits.runs ? 1 + s->dead / 8 : (s->dead + 1) / 2, kept = 0, before = s->rows;
    for (size_t i = 0; i < before; i++) {
        struct sched_row *row = s->row[i];
        if (drop && row->dead && row->stats.run_ns <= max_ns) {
            forget_dead(s, row);
            drop_row(s, row);
            drop--;
        } else {
            s->row[kept++] = row;
        }
    }
    s->rows = kept;
    return kept < before;
}

static bool is_full(const struct sched_spans *s)
{
    return s->rows >= s->limits.rows;
}

static bool has_too_many_dead(const struct sched_spans *s)
{
    return s->dead >= s->limits.dead || s->dead_octaves >= s->max_dead_octaves;
}

bool sched_reserve_row(struct sched_spans *s)
{
    while ((is_full(s) || has_too_many_dead(s)) && drop_dead_rows(s))
        ;
    return !is_full(s);
}
