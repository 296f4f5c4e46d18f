/* Which rows are shown, and what belongs to one: a task's, or a CPU's. */
#include "core/base/grow.h"
#include "core/base/sort.h"
#include "view_private.h"

#include "core/base/buf.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void timeline_init(struct timeline *t, struct sched_spans *spans, const struct sched_names *names)
{
    *t = (struct timeline){.spans = spans,
                           .names = names,
                           .source = "",
                           .view.follow = true,
                           .view.scale = TIMELINE_SCALE_FIRST};
}

void timeline_release(struct timeline *t)
{
    free(t->shown.row);
    sched_trigger_release(&t->trigger);
}

/* --- one row --- */

struct sched_row *timeline_row(const struct timeline *t, size_t shown)
{
    bool there =
        !t->view.by_cpu && shown < t->view.rows.count && t->shown.row[shown] < t->spans->rows;
    return there ? t->spans->row[t->shown.row[shown]] : NULL;
}

struct sched_cpu *timeline_cpu(const struct timeline *t, size_t shown)
{
    return t->view.by_cpu && shown < t->view.rows.count ? &t->spans->cpu[t->shown.row[shown]]
                                                        : NULL;
}

static const struct sched_list *runs_of(const struct timeline *t, size_t shown)
{
    const struct sched_cpu *cpu = timeline_cpu(t, shown);
    return cpu ? &cpu->runs_here : &timeline_row(t, shown)->runs;
}

const struct sched_list *timeline_marks(const struct timeline *t, size_t shown)
{
    const struct sched_cpu *cpu = timeline_cpu(t, shown);
    return cpu ? &cpu->marks : &timeline_row(t, shown)->marks;
}

static struct sched_row *runs_now(const struct timeline *t, size_t shown)
{
    const struct sched_cpu *cpu = timeline_cpu(t, shown);
    struct sched_row *row = cpu ? cpu->row : timeline_row(t, shown);
    return row && row->running ? row : NULL;
}

bool timeline_run(const struct timeline *t, size_t shown, size_t i, struct sched_run *out)
{
    const struct sched_list *runs = runs_of(t, shown);
    struct sched_row *open = runs_now(t, shown);
    if (i < runs->count)
        *out = *sched_run_at(t->spans, runs, i);
    else if (i > runs->count || !open || !sched_run_open(open, t->now_ns, out))
        return false;
    else
        out->row = open;
    return true;
}

size_t timeline_run_after(const struct timeline *t, size_t shown, uint64_t time_ns)
{
    const struct sched_list *runs = runs_of(t, shown);
    struct sched_range range = sched_runs_between(t->spans, runs, time_ns, UINT64_MAX);
    return range.count ? range.first : runs->count;
}

static void name_of(const struct timeline *t, uint32_t number, struct buf *out)
{
    if (t->view.by_cpu)
        return buf_printf(out, "CPU %" PRIu32, number);
    int32_t pid = t->spans->row[number]->pid;
    buf_printf(out, "%" PRId32 " %s", pid, sched_names_get(t->names, pid));
}

void timeline_name(const struct timeline *t, size_t shown, struct buf *out)
{
    name_of(t, t->shown.row[shown], out);
}

static bool has_words(const struct timeline *t, uint32_t number, const char *words)
{
    SCOPED_BUF name = BUF_INIT;
    name_of(t, number, &name);
    return strcasestr(buf_str(&name), words);
}

bool timeline_named(const struct timeline *t, size_t shown, const char *words)
{
    return has_words(t, t->shown.row[shown], words);
}

/* --- all of them --- */

/* Dead tasks remain while some of their events are visible. The idle task is shown by CPUs only. */
static bool is_shown(const struct timeline *t, const struct timeline_layout *l, uint32_t number)
{
    if (t->view.by_cpu)
        return t->spans->cpu[number].seen;
    const struct sched_row *row = t->spans->row[number];
    return row && row->pid && (!row->dead || row->last_ns >= l->left_ns) &&
           (!t->input.filter[0] || has_words(t, number, t->input.filter));
}

static int by_order(const void *pa, const void *pb, void *arg)
{
    const struct timeline *t = arg;
    uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    int order = 0;
    if (t->view.order == TIMELINE_RAN && !t->view.by_cpu)
        order = ORDER(t->spans->row[b]->stats.run_ns, t->spans->row[a]->stats.run_ns);
    else if (t->view.order == TIMELINE_NAME && !t->view.by_cpu)
        order = strcmp(sched_names_get(t->names, t->spans->row[a]->pid),
                       sched_names_get(t->names, t->spans->row[b]->pid));
    return order ?: ORDER(a, b);
}

/* The marked row stays the same one where it can. */
static void restore_selection(struct timeline *t, uint32_t number, int lines)
{
    for (size_t i = 0; i < t->view.rows.count; i++)
        if (t->shown.row[i] == number)
            t->view.rows.cursor = i;
    list_go(&t->view.rows, t->view.rows.cursor, lines);
}

void timeline_settle(struct timeline *t, const struct timeline_layout *l)
{
    size_t count = t->view.by_cpu ? t->spans->cpus : t->spans->rows;
    uint32_t marked =
        t->view.rows.cursor < t->view.rows.count ? t->shown.row[t->view.rows.cursor] : UINT32_MAX;
    t->view.rows.count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (is_shown(t, l, i))
            (void)GROW_ADD(t->shown.row, t->shown.cap, t->view.rows.count, i);
    if (t->view.rows.count)
        qsort_r(t->shown.row, t->view.rows.count, sizeof *t->shown.row, by_order, t);
    restore_selection(t, marked, l->rows);
}
