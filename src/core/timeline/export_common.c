#include "export_common.h"

enum { TOGETHER = 1 << 16 };

struct sched_window sched_window(const struct sched_export *w)
{
    struct sched_window in = {sched_origin(w->spans), w->spans->last_ns};
    if (w->from_ns > in.from_ns)
        in.from_ns = w->from_ns;
    if (w->to_ns && w->to_ns < in.to_ns)
        in.to_ns = w->to_ns;
    if (in.to_ns <= in.from_ns)
        in.to_ns = in.from_ns + 1;
    return in;
}

int sched_export_flush(const struct sched_export *w, bool all)
{
    int r = buf_error(w->out);
    if (r == 0 && w->flush && w->out->len && (all || w->out->len >= TOGETHER))
        r = w->flush(w->arg, w->out);
    return r;
}

bool sched_row_shown(const struct sched_row *row)
{
    return row && row->pid > 0;
}

size_t sched_row_runs(const struct sched_export *w, const struct sched_window *in,
                      const struct sched_row *row, size_t *first)
{
    struct sched_range range = sched_runs_between(w->spans, &row->runs, in->from_ns, in->to_ns);
    *first = range.first;
    return range.count + row->running;
}

/* Cut to the window's end: what is open has none of its own. */
bool sched_row_run(const struct sched_export *w, const struct sched_window *in,
                   const struct sched_row *row, size_t i, struct sched_run *out)
{
    if (i < row->runs.count)
        *out = *sched_run_at(w->spans, &row->runs, i);
    else if (!sched_run_open(row, in->to_ns, out))
        return false;
    out->row = (struct sched_row *)row;
    return out->start_ns < in->to_ns && out->end_ns >= out->start_ns;
}

void sched_add_dropped(const struct sched_spans *s, struct buf *out)
{
    SCOPED_BUF list = BUF_INIT;
    sched_dropped_text(&s->dropped, &list);
    if (list.len)
        buf_printf(out, "; %s left out", buf_str(&list));
}

uint64_t sched_lost(const struct sched_spans *s)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < s->cpus; i++)
        sum += s->cpu[i].lost;
    return sum;
}

size_t sched_cpus_seen(const struct sched_spans *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->cpus; i++)
        n += s->cpu[i].seen;
    return n;
}

uint64_t sched_loss_start(const struct sched_spans *s, const struct sched_mark *mark)
{
    uint64_t known = sched_origin(s);
    if (mark->cpu < 0 || (size_t)mark->cpu >= s->cpus)
        return mark->time_ns;
    const struct sched_list *runs = &s->cpu[mark->cpu].runs_here;
    struct sched_range before = sched_runs_between(s, runs, 0, mark->time_ns);
    if (before.count)
        known = sched_run_at(s, runs, before.first + before.count - 1)->end_ns;
    return known < mark->time_ns ? known : mark->time_ns;
}
