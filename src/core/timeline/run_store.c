/* The stores of runs and marks: the oldest go for new ones. */
#include "model_private.h"

#include "core/base/buf.h"
#include "core/text/counted.h"
#include "range_list.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MAX_DISPLACEMENT = 64 }; /* places that a mark may lie out of order in its list */

/* Twice as many items; where the limit is reached or memory ends, that many from now on, and the
 * oldest goes. Numbers keep their places, as nothing was dropped before the last growth. */
static bool reserve_item(struct sched_spans *s, struct sched_store *store, size_t each,
                         size_t *limit, void (*drop)(struct sched_spans *s))
{
    if (store->count < store->cap)
        return true;
    size_t more = store->cap ? store->cap * 2 : 1024;
    void *bigger = more <= *limit ? realloc(store->item, more * each) : NULL;
    if (bigger) {
        store->item = bigger;
        store->cap = more;
    } else {
        *limit = store->cap;
        if (store->count)
            drop(s);
    }
    return store->count < store->cap;
}

/* --- lists --- */

static void remove_at(struct sched_list *l, size_t i)
{
    for (; i > 0; i--)
        *sched_list_item(l, i) = *sched_list_item(l, i - 1);
    sched_list_drop(l);
}

/* The oldest is the first, or nearly. */
static void remove_number(struct sched_list *l, uint32_t number)
{
    for (size_t i = 0; i < l->count && i <= MAX_DISPLACEMENT; i++)
        if (*sched_list_item(l, i) == number)
            return remove_at(l, i);
}

/* --- runs --- */

static void drop_run(struct sched_spans *s)
{
    const struct sched_run *old = sched_run_numbered(s, s->run.first);
    if (old->row)
        remove_number(&old->row->runs, s->run.first);
    if (old->cpu >= 0 && (size_t)old->cpu < s->cpus)
        remove_number(&s->cpu[old->cpu].runs_here, s->run.first);
    s->run.first++;
    s->run.count--;
    s->dropped.runs++;
}

void sched_keep_run(struct sched_spans *s, const struct sched_run *run)
{
    if (s->watch && s->watch->run)
        s->watch->run(s->watch->arg, run);
    if (!s->limits.runs ||
        !reserve_item(s, &s->run, sizeof(struct sched_run), &s->limits.runs, drop_run)) {
        s->dropped.runs++;
        return;
    }
    uint32_t number = s->run.first + s->run.count++;
    *sched_run_numbered(s, number) = *run;
    if (!sched_list_add(&run->row->runs, number))
        s->unplaced++;
    if (run->cpu >= 0 && (size_t)run->cpu < s->cpus &&
        !sched_list_add(&s->cpu[run->cpu].runs_here, number))
        s->unplaced++;
}

/* --- marks --- */

static void drop_mark(struct sched_spans *s)
{
    const struct sched_mark *old = sched_mark_numbered(s, s->mark.first);
    if (old->row)
        remove_number(&old->row->marks, s->mark.first);
    if (old->cpu >= 0 && (size_t)old->cpu < s->cpus)
        remove_number(&s->cpu[old->cpu].marks, s->mark.first);
    s->mark.first++;
    s->mark.count--;
    s->dropped.marks++;
}

/* Deadlines lie ahead: what comes after them goes before them. */
static bool add_in_order(struct sched_spans *s, struct sched_list *l, uint32_t number)
{
    uint64_t time = sched_mark_numbered(s, number)->time_ns;
    size_t i = l->count;
    while (i > 0 && l->count - i <= MAX_DISPLACEMENT &&
           sched_mark_numbered(s, *sched_list_item(l, i - 1))->time_ns > time)
        i--;
    if (l->count - i > MAX_DISPLACEMENT || !sched_list_add(l, number))
        return false;
    for (size_t to = l->count - 1; to > i; to--)
        *sched_list_item(l, to) = *sched_list_item(l, to - 1);
    *sched_list_item(l, i) = number;
    return true;
}

void sched_keep_mark(struct sched_spans *s, struct sched_row *row, struct sched_cpu *cpu,
                     const struct sched_mark *mark)
{
    struct sched_mark seen = *mark;
    seen.row = row;
    if (s->watch && s->watch->mark)
        s->watch->mark(s->watch->arg, &seen);
    if (!s->limits.marks ||
        !reserve_item(s, &s->mark, sizeof(struct sched_mark), &s->limits.marks, drop_mark)) {
        s->dropped.marks++;
        return;
    }
    uint32_t number = s->mark.first + s->mark.count++;
    struct sched_mark *to = sched_mark_numbered(s, number);
    *to = *mark;
    to->row = row;
    if (row && !add_in_order(s, &row->marks, number)) {
        to->row = NULL;
        s->unplaced++;
    }
    if (cpu && !add_in_order(s, &cpu->marks, number))
        s->unplaced++;
}

void sched_forget_row(struct sched_spans *s, struct sched_row *row)
{
    for (size_t i = 0; i < row->runs.count; i++)
        sched_run_numbered(s, *sched_list_item(&row->runs, i))->row = NULL;
    for (size_t i = 0; i < row->marks.count; i++)
        sched_mark_numbered(s, *sched_list_item(&row->marks, i))->row = NULL;
    sched_list_release(&row->runs);
    sched_list_release(&row->marks);
}

/* --- what was dropped --- */

static void add_count(struct buf *out, size_t start, uint64_t n, const char *what)
{
    if (n)
        buf_printf(out, "%s%s", out->len > start ? ", " : "", counted(n, what).text);
}

void sched_dropped_text(const struct sched_dropped *d, struct buf *out)
{
    size_t start = out->len;
    add_count(out, start, d->runs, "older run");
    add_count(out, start, d->marks, "older mark");
    add_count(out, start, d->rows, "ended task");
}
