/* Incoming events: the list of the last ones, and the one on which the view freezes. */
#include "view_private.h"

#include "core/base/buf.h"

#include <stdio.h>

static void print_hit(struct timeline *t, const struct sched_hit *hit)
{
    SCOPED_BUF text = BUF_INIT;
    timeline_print_time(t, hit->time_ns, 6, &text);
    buf_adds(&text, ": ");
    sched_hit_text(hit, t->names, &text);
    snprintf(t->input.message, sizeof t->input.message, "%s", buf_str(&text));
}

/* The time in the middle, the task's row marked. */
static void show_hit(struct timeline *t, const struct sched_hit *hit)
{
    uint64_t half = timeline_span_ns(t) / 2;
    t->view.follow = false;
    t->view.left_ns = hit->time_ns > half ? hit->time_ns - half : 0;
    t->view.has_cursor = true;
    t->view.cursor_ns = hit->time_ns;
    for (size_t i = 0; !t->view.by_cpu && i < t->view.rows.count; i++) {
        const struct sched_row *row = timeline_row(t, i);
        if (row && row->pid == hit->pid)
            t->view.rows.cursor = i;
    }
}

static void freeze_view(struct timeline *t)
{
    print_hit(t, &t->trigger.hit);
    t->frozen = true;
    show_hit(t, &t->trigger.hit);
}

/* Four times the wait are in view, or as little as can be. */
static void fit_wait(struct timeline *t, uint64_t took_ns)
{
    t->view.scale = 0;
    while (t->view.scale < TIMELINE_SCALES - 1 && timeline_span_ns(t) / 4 < took_ns)
        t->view.scale++;
}

void timeline_open_at(struct timeline *t, const struct canvas *c, uint64_t at_ns)
{
    struct sched_hit hit = sched_hit_at(t->spans, at_ns);
    fit_wait(t, hit.took_ns);
    show_hit(t, &hit);
    struct timeline_layout l = timeline_layout(t, c);
    timeline_settle(t, &l);
    show_hit(t, &hit); /* its row is known now */
    if (hit.since_ns)
        print_hit(t, &hit);
}

bool timeline_event(struct timeline *t, const struct sched_event *e)
{
    t->recent.event[t->recent.count++ % TIMELINE_LAST] = *e;
    if (t->frozen || !sched_trigger_check(&t->trigger, e))
        return false;
    freeze_view(t);
    return true;
}
