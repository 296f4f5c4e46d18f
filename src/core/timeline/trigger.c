#include "core/timeline/trigger.h"

#include "core/base/buf.h"
#include "core/text/shown.h"
#include "core/timeline/timeline_model.h"
#include "core/trace/task_names.h"

#include <inttypes.h>

void sched_trigger_release(struct sched_trigger *t)
{
    sched_history_release(&t->history);
    imap_release(&t->ready);
    imap_release(&t->due);
    imap_release(&t->released);
}

void sched_trigger_forget(struct sched_trigger *t)
{
    sched_trigger_release(t);
    t->run_since_ns = 0;
}

static bool set_hit(struct sched_trigger *t, enum sched_hit_kind kind, const struct sched_event *e,
                    uint64_t since_ns)
{
    t->hit = (struct sched_hit){.kind = kind,
                                .pid = e->pid,
                                .time_ns = e->time_ns,
                                .since_ns = since_ns,
                                .cpu = e->cpu,
                                .took_ns = e->time_ns > since_ns ? e->time_ns - since_ns : 0};
    return true;
}

/* With who ran where it waited. */
static bool set_waited(struct sched_trigger *t, const struct sched_event *e, uint64_t since_ns)
{
    struct sched_wait wait = {e->pid, e->cpu, since_ns, e->time_ns};
    t->hit.since_ns = since_ns;
    sched_history_ran(&t->history, &wait, &t->hit.meanwhile);
    return true;
}

/* The time stored for a pid, to be set; NULL when the table is full. */
static uint64_t *time_slot(struct imap *m, int32_t pid)
{
    if (m->used >= SCHED_TRIGGER_TASKS && !imap_get(m, (uint32_t)pid))
        return NULL;
    return imap_at(m, (uint32_t)pid);
}

static void keep_time(struct imap *m, int32_t pid, uint64_t time_plus_one)
{
    uint64_t *at = time_plus_one || imap_get(m, (uint32_t)pid) ? time_slot(m, pid) : NULL;
    if (at)
        *at = time_plus_one;
}

static bool has_run(struct sched_trigger *t, const struct sched_event *e)
{
    if (!t->run_pid || e->pid != t->run_pid)
        return false;
    uint64_t since = t->run_since_ns;
    if (e->kind == SCHED_RUN)
        t->run_since_ns = e->time_ns + 1;
    if (!sched_ends_run(e->kind) || !since)
        return false;
    t->run_since_ns = 0;
    return set_hit(t, SCHED_HIT_RUN, e, since - 1);
}

/* A task that is runnable already may be woken again: it waits since the first time. */
static bool is_late(struct sched_trigger *t, const struct sched_event *e)
{
    if (!t->late_ns)
        return false;
    uint64_t since = imap_get(&t->ready, (uint32_t)e->pid);
    if (e->kind == SCHED_READY && !(e->flags & SCHED_PREEMPTED) && !since)
        keep_time(&t->ready, e->pid, e->time_ns + 1);
    if (e->kind != SCHED_RUN && (e->kind == SCHED_READY || !sched_ends_run(e->kind)))
        return false;
    keep_time(&t->ready, e->pid, 0);
    return e->kind == SCHED_RUN && !sched_is_inferred_switch(e) && since &&
           e->time_ns > since - 1 && e->time_ns - (since - 1) > t->late_ns &&
           set_hit(t, SCHED_HIT_LATE, e, since - 1) && set_waited(t, e, since - 1);
}

/* Whether the event shows that the task's work of this period is not over. */
static bool is_unfinished(const struct sched_event *e, uint64_t due_ns)
{
    return e->kind == SCHED_RELEASE ? e->time_ns >= due_ns
                                    : (e->kind == SCHED_RUN || sched_ends_run(e->kind)) &&
                                          e->kind != SCHED_DEAD && e->time_ns > due_ns;
}

static bool has_missed(struct sched_trigger *t, const struct sched_event *e)
{
    if (!t->missed)
        return false;
    uint64_t released = imap_get(&t->released, (uint32_t)e->pid);
    if (e->kind == SCHED_RELEASE || e->kind == SCHED_DEAD)
        keep_time(&t->released, e->pid, e->kind == SCHED_RELEASE ? e->time_ns + 1 : 0);
    if (e->kind == SCHED_DEADLINE) {
        keep_time(&t->due, e->pid, e->time_ns + 1);
        return false;
    }
    uint64_t due = imap_get(&t->due, (uint32_t)e->pid);
    if (!due)
        return false;
    bool missed = is_unfinished(e, due - 1);
    if (missed || e->kind == SCHED_SLEEP || e->kind == SCHED_YIELD || e->kind == SCHED_DEAD ||
        e->kind == SCHED_EXPEL)
        keep_time(&t->due, e->pid, 0);
    return missed && set_hit(t, SCHED_HIT_MISSED, e, due - 1) &&
           set_waited(t, e, (released ? released : due) - 1);
}

void sched_trigger_other(struct sched_trigger *t, const struct sched_event *e)
{
    if (t->late_ns || t->missed)
        sched_history_add(&t->history, e);
}

bool sched_trigger_check(struct sched_trigger *t, const struct sched_event *e)
{
    sched_trigger_other(t, e);
    bool ran = has_run(t, e), late = is_late(t, e), missed = has_missed(t, e);
    return ran || late || missed;
}

struct sched_hit sched_hit_at(const struct sched_spans *s, uint64_t at_ns)
{
    struct sched_hit hit = {.kind = SCHED_HIT_LATE,
                            .pid = -1,
                            .cpu = -1,
                            .time_ns = at_ns,
                            .took_ns = SCHED_HIT_AROUND_NS};
    struct sched_run run;
    if (!sched_run_near(s, at_ns, &run))
        return hit;
    hit.pid = run.row->pid;
    hit.cpu = run.cpu;
    hit.time_ns = run.start_ns;
    if (sched_run_wait(&run))
        hit.took_ns = sched_run_wait(&run);
    hit.since_ns = run.start_ns - hit.took_ns;
    return hit;
}

void sched_hit_text(const struct sched_hit *hit, const struct sched_names *names, struct buf *out)
{
    static const char *const did[] = {"has run", "waited to run", "missed its deadline by"};
    shown_printf(out, "%" PRId32 " %s %s ", hit->pid, sched_names_get(names, hit->pid),
                 did[hit->kind]);
    sched_time_text(out, (int64_t)hit->took_ns);
    if (hit->cpu >= 0)
        buf_printf(out, " on CPU %d", hit->cpu);
    const struct sched_meanwhile *m = &hit->meanwhile;
    for (size_t i = 0; i < m->ran_count; i++) {
        shown_printf(out, "%s%" PRId32 " %s%s ", i ? ", " : "; meanwhile ", m->ran[i].pid,
                     sched_names_get(names, m->ran[i].pid), i ? "" : " ran");
        sched_time_text(out, (int64_t)m->ran[i].ns);
    }
}
