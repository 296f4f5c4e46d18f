#include "core/timeline/page_data.h"

#include "core/base/grow.h"
#include "core/base/time_ns.h"
#include "core/base/varint.h"
#include "core/containers/radix.h"
#include "export_common.h"

#include <errno.h>

enum { VERSION = 1, HAS_WAIT = 1, HAS_WAKER = 2, HAS_TAKER = 4, HOW_SHIFT = 3 };

/* The place of a run or a mark. */
struct place {
    uint32_t row; /* of spans->row; marks of CPUs: behind them, by CPU */
    uint32_t item;
};

struct data {
    const struct sched_export *w;
    struct sched_window in;
    struct buf *out;
    uint32_t *task; /* of each row */
    size_t tasks;
    struct place *place;
    struct radix_key *key;
    size_t places, place_cap, key_cap;
    uint64_t before_ns; /* times count from */
};

static bool add_place(struct data *d, uint32_t row, size_t item, uint64_t time_ns)
{
    size_t n = d->places;
    if (!grow(&d->place, &d->place_cap, n, sizeof *d->place) ||
        !grow(&d->key, &d->key_cap, n, sizeof *d->key))
        return false;
    d->place[n] = (struct place){row, (uint32_t)item};
    d->key[n] = (struct radix_key){.low = time_ns, .index = (uint32_t)n};
    d->places++;
    return true;
}

/* --- tables --- */

static int write_tasks(struct data *d)
{
    const struct sched_spans *s = d->w->spans;
    d->task = calloc(s->rows + 1, sizeof *d->task);
    if (!d->task)
        return -ENOMEM;
    for (size_t i = 0; i < s->rows; i++)
        d->task[i] = sched_row_shown(s->row[i]) ? (uint32_t)d->tasks++ : UINT32_MAX;
    put_varint(d->out, d->tasks);
    for (size_t i = 0; i < s->rows; i++) {
        if (d->task[i] == UINT32_MAX)
            continue;
        put_varint(d->out, zigzag(s->row[i]->pid));
        put_string(d->out, sched_names_get(d->w->names, s->row[i]->pid));
    }
    return 0;
}

static void write_words(struct data *d)
{
    put_varint(d->out, SCHED_KINDS);
    for (unsigned kind = 0; kind < SCHED_KINDS; kind++)
        put_string(d->out, sched_kind_name(kind));
    put_varint(d->out, d->w->names->texts);
    for (uint32_t i = 1; i <= d->w->names->texts; i++)
        put_string(d->out, sched_names_get_text(d->w->names, i));
}

/* --- runs --- */

static unsigned how_of(const struct sched_run *run)
{
    if (run->flags & SCHED_RUN_OPEN)
        return 4;
    if (run->flags & SCHED_RUN_CUT)
        return 5;
    return run->end == SCHED_SLEEP   ? 0
           : run->end == SCHED_YIELD ? 2
           : run->end == SCHED_DEAD  ? 3
                                     : 1;
}

static void write_run(struct data *d, uint32_t task, const struct sched_run *run)
{
    uint64_t start = ns_between(d->in.from_ns, run->start_ns),
             end = ns_between(d->in.from_ns, run->end_ns);
    uint64_t wait = sched_run_wait(run);
    unsigned flags = (wait ? HAS_WAIT : 0) | (run->woken_by >= 0 ? HAS_WAKER : 0) |
                     (run->ended_by >= 0 ? HAS_TAKER : 0);
    put_varints(d->out, start - d->before_ns, end > start ? end - start : 0, task,
                (uint64_t)(run->cpu + 1), flags | how_of(run) << HOW_SHIFT);
    d->before_ns = start;
    if (wait)
        put_varint(d->out, wait);
    if (run->woken_by >= 0)
        put_varint(d->out, (uint32_t)run->woken_by);
    if (run->ended_by >= 0)
        put_varint(d->out, (uint32_t)run->ended_by);
}

static int collect_runs(struct data *d)
{
    const struct sched_spans *s = d->w->spans;
    struct sched_run run;
    for (size_t r = 0; r < s->rows; r++) {
        if (d->task[r] == UINT32_MAX)
            continue;
        size_t first, count = sched_row_runs(d->w, &d->in, s->row[r], &first);
        for (size_t i = first; i < first + count; i++)
            if (sched_row_run(d->w, &d->in, s->row[r], i, &run) &&
                !add_place(d, (uint32_t)r, i, ns_between(d->in.from_ns, run.start_ns)))
                return -ENOMEM;
    }
    radix_sort(d->key, d->places);
    return 0;
}

static int write_runs(struct data *d)
{
    const struct sched_spans *s = d->w->spans;
    int r = collect_runs(d);
    put_varint(d->out, d->places);
    for (size_t i = 0; i < d->places && r == 0; i++) {
        const struct place *at = &d->place[d->key[i].index];
        struct sched_run run = {0};
        sched_row_run(d->w, &d->in, s->row[at->row], at->item, &run);
        write_run(d, d->task[at->row], &run);
    }
    return r;
}

/* --- marks --- */

static const struct sched_list *marks_of(const struct data *d, size_t row)
{
    const struct sched_spans *s = d->w->spans;
    return row < s->rows ? &s->row[row]->marks : &s->cpu[row - s->rows].marks;
}

static void write_mark(struct data *d, uint32_t task, const struct sched_mark *mark)
{
    uint64_t time = ns_between(d->in.from_ns, mark->time_ns);
    put_varints(d->out, zigzag((int64_t)(time - d->before_ns)), mark->kind, task,
                (uint64_t)(mark->cpu + 1), zigzag(mark->other), mark->arg);
    d->before_ns = time;
}

static int collect_marks(struct data *d)
{
    const struct sched_spans *s = d->w->spans;
    d->places = 0;
    for (size_t r = 0; r < s->rows + s->cpus; r++) {
        if (r < s->rows && d->task[r] == UINT32_MAX)
            continue;
        const struct sched_list *list = marks_of(d, r);
        struct sched_range in = sched_marks_between(s, list, d->in.from_ns, d->in.to_ns);
        for (size_t i = in.first; i < in.first + in.count; i++)
            if (!add_place(d, (uint32_t)r, i,
                           ns_between(d->in.from_ns, sched_mark_at(s, list, i)->time_ns)))
                return -ENOMEM;
    }
    radix_sort(d->key, d->places);
    return 0;
}

static int write_marks(struct data *d)
{
    const struct sched_spans *s = d->w->spans;
    int r = collect_marks(d);
    d->before_ns = 0;
    put_varint(d->out, d->places);
    for (size_t i = 0; i < d->places && r == 0; i++) {
        const struct place *at = &d->place[d->key[i].index];
        write_mark(d, at->row < s->rows ? d->task[at->row] : (uint32_t)d->tasks,
                   sched_mark_at(s, marks_of(d, at->row), at->item));
    }
    return r;
}

static void write_losses(struct data *d)
{
    const struct sched_spans *s = d->w->spans;
    SCOPED_BUF losses = BUF_INIT;
    size_t count = 0;
    for (size_t c = 0; c < s->cpus; c++) {
        struct sched_range in =
            sched_marks_between(s, &s->cpu[c].marks, d->in.from_ns, d->in.to_ns);
        for (size_t i = in.first; i < in.first + in.count; i++) {
            const struct sched_mark *mark = sched_mark_at(s, &s->cpu[c].marks, i);
            if (mark->kind != SCHED_LOST)
                continue;
            uint64_t start = ns_between(d->in.from_ns, sched_loss_start(s, mark)),
                     end = ns_between(d->in.from_ns, mark->time_ns);
            put_varints(&losses, c + 1, start, end - start, mark->arg);
            count++;
        }
    }
    put_varint(d->out, count);
    buf_add(d->out, losses.data, losses.len);
    if (buf_error(&losses))
        d->out->err = -ENOMEM;
}

int sched_page_data(const struct sched_export *w, struct buf *bytes, struct sched_page_count *count)
{
    struct data d = {.w = w, .in = sched_window(w), .out = bytes};
    put_varints(bytes, VERSION, d.in.to_ns - d.in.from_ns, w->spans->cpus);
    write_words(&d);
    int r = write_tasks(&d);
    if (r == 0)
        r = write_runs(&d);
    *count = (struct sched_page_count){d.tasks, d.places};
    if (r == 0)
        r = write_marks(&d);
    if (r == 0)
        write_losses(&d);
    free(d.task);
    free(d.place);
    free(d.key);
    return r ? r : buf_error(bytes);
}
