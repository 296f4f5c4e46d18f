/* In words: what is at the cursor, what has just happened; and where the next of it is. */
#include "view_private.h"

#include "core/base/buf.h"
#include "core/base/time_ns.h"

#include <inttypes.h>
#include <string.h>

void timeline_print_time(const struct timeline *t, uint64_t time_ns, int decimals, struct buf *out)
{
    uint64_t origin = sched_origin(t->spans),
             since = time_ns > origin ? time_ns - origin : origin - time_ns;
    uint64_t unit = NS_PER_S;
    buf_printf(out, "%s%" PRIu64, time_ns < origin ? "-" : "", since / unit);
    if (decimals)
        buf_addc(out, '.');
    for (since %= unit; decimals > 0; decimals--, since %= unit)
        buf_addc(out, (char)('0' + since / (unit /= 10)));
    buf_addc(out, 's');
}

static void print_task(const struct timeline *t, int32_t pid, struct buf *out)
{
    if (pid == 0)
        buf_adds(out, "an interrupt");
    else
        buf_printf(out, "%" PRId32 " %s", pid, sched_names_get(t->names, pid));
}

static const char *end_word(const struct sched_run *run)
{
    if (run->flags & SCHED_RUN_OPEN)
        return "runs still";
    if (run->flags & SCHED_RUN_CUT)
        return "its end was not seen";
    switch (run->end) {
    case SCHED_SLEEP:
        return run->state == 'D' ? "then waited for a device" : "then slept";
    case SCHED_SLICE:
    case SCHED_READY:
        return "then was preempted";
    case SCHED_YIELD:
        return "then yielded";
    case SCHED_DEAD:
        return "then ended";
    default:
        return "then stopped";
    }
}

static void describe_run(const struct timeline *t, const struct sched_run *run, struct buf *out)
{
    if (t->view.by_cpu && run->row) {
        print_task(t, run->row->pid, out);
        buf_addc(out, ' ');
    }
    sched_run_text(out, run);
    if (run->woken_by >= 0 && !(run->flags & SCHED_RUN_STAYED)) {
        buf_adds(out, ", woken by ");
        print_task(t, run->woken_by, out);
    }
    buf_printf(out, ", %s", end_word(run));
    if (run->ended_by > 0) {
        buf_adds(out, " by ");
        print_task(t, run->ended_by, out);
    }
}

static void describe_mark(const struct timeline *t, const struct sched_mark *mark, struct buf *out)
{
    const char *call = sched_names_call(t->names, mark->kind, mark->arg, mark->flags);
    buf_adds(out, sched_kind_name(mark->kind));
    if (mark->flags & SCHED_INFERRED)
        buf_adds(out, " (inferred)");
    if (mark->kind == SCHED_USER && mark->arg)
        buf_printf(out, " %s", sched_names_get_text(t->names, mark->arg));
    else if (mark->kind == SCHED_LOST)
        buf_printf(out, " %" PRIu32 " events", mark->arg);
    else if (mark->kind == SCHED_SLICE && mark->other >= 0) {
        buf_adds(out, " by ");
        print_task(t, mark->other, out);
    } else if (mark->kind == SCHED_MIGRATE)
        buf_printf(out, " from CPU %" PRId32 " to %d", mark->other, mark->cpu);
    else if (call)
        buf_printf(out, " %s", call);
    else if (mark->arg)
        buf_printf(out, " %" PRIu32, mark->arg);
}

/* The first marks in the cursor's column; at most two, so that a line holds them. */
static void describe_marks(const struct timeline *t, uint64_t from_ns, uint64_t to_ns,
                           struct buf *out)
{
    const struct sched_list *list = timeline_marks(t, t->view.rows.cursor);
    struct sched_range range = sched_marks_between(t->spans, list, from_ns, to_ns);
    for (size_t i = 0; i < range.count && i < 2; i++) {
        buf_adds(out, i ? ", " : "");
        describe_mark(t, sched_mark_at(t->spans, list, range.first + i), out);
    }
    if (range.count > 2)
        buf_printf(out, ", %zu more", range.count - 2);
    if (range.count)
        buf_adds(out, "; ");
}

void timeline_describe(const struct timeline *t, const struct timeline_layout *l, struct buf *out)
{
    uint64_t from = t->view.cursor_ns, to = from + l->span_ns / (uint64_t)l->width;
    struct sched_run run;
    timeline_print_time(t, from, 6, out);
    buf_addc(out, ' ');
    if (t->view.rows.cursor >= t->view.rows.count)
        return;
    timeline_name(t, t->view.rows.cursor, out);
    buf_adds(out, ": ");
    describe_marks(t, from, to, out);
    bool has = timeline_run(t, t->view.rows.cursor,
                            timeline_run_after(t, t->view.rows.cursor, from), &run);
    if (has && run.start_ns < to)
        describe_run(t, &run, out);
    else if (has && !t->view.by_cpu && run.ready_ns && run.ready_ns < to)
        buf_adds(out, "runnable, waits for a CPU");
    else
        buf_adds(out, t->view.by_cpu ? "idle" : "asleep");
}

/* --- the next event --- */

static bool is_nearer(int direction, uint64_t a, bool have, uint64_t than)
{
    return !have || (direction > 0 ? a < than : a > than);
}

/* The next start of a run of the row. */
static bool step_run(const struct timeline *t, size_t shown, int direction, uint64_t from_ns,
                     uint64_t *out)
{
    struct sched_run run;
    size_t i = timeline_run_after(t, shown, from_ns);
    if (direction < 0) {
        if (timeline_run(t, shown, i, &run) && run.start_ns < from_ns)
            return *out = run.start_ns, true;
        return i > 0 && timeline_run(t, shown, i - 1, &run) && (*out = run.start_ns, true);
    }
    for (; timeline_run(t, shown, i, &run); i++)
        if (run.start_ns > from_ns)
            return *out = run.start_ns, true;
    return false;
}

static bool mark_has(const struct timeline *t, const struct sched_mark *mark, const char *words)
{
    SCOPED_BUF text = BUF_INIT;
    describe_mark(t, mark, &text);
    return strcasestr(buf_str(&text), words);
}

/* The next mark; of words those that have them. */
static bool step_mark(const struct timeline *t, size_t shown, int direction, uint64_t from_ns,
                      const char *words, uint64_t *out)
{
    const struct sched_list *list = timeline_marks(t, shown);
    struct sched_range range = direction > 0
                                   ? sched_marks_between(t->spans, list, from_ns + 1, UINT64_MAX)
                                   : sched_marks_between(t->spans, list, 0, from_ns);
    for (size_t i = 0; i < range.count; i++) {
        size_t at = direction > 0 ? range.first + i : range.first + range.count - 1 - i;
        const struct sched_mark *mark = sched_mark_at(t->spans, list, at);
        if (words ? mark_has(t, mark, words) : timeline_has_arrow(mark->kind))
            return *out = mark->time_ns, true;
    }
    return false;
}

bool timeline_step(const struct timeline *t, size_t shown, int direction, uint64_t from_ns,
                   uint64_t *time_ns)
{
    uint64_t run = 0, mark = 0;
    bool runs = step_run(t, shown, direction, from_ns, &run);
    bool marks = step_mark(t, shown, direction, from_ns, NULL, &mark);
    if (!runs && !marks)
        return false;
    *time_ns = marks && is_nearer(direction, mark, runs, run) ? mark : run;
    return true;
}

bool timeline_find(const struct timeline *t, int direction, uint64_t from_ns, size_t *shown,
                   uint64_t *time_ns)
{
    bool have = false;
    for (size_t i = 0; i < t->view.rows.count; i++) {
        uint64_t at = 0;
        bool found = timeline_named(t, i, t->input.search)
                         ? timeline_step(t, i, direction, from_ns, &at)
                         : step_mark(t, i, direction, from_ns, t->input.search, &at);
        if (found && is_nearer(direction, at, have, *time_ns)) {
            *shown = i;
            *time_ns = at;
            have = true;
        }
    }
    return have;
}
