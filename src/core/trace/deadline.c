#include "core/trace/deadline.h"

#include "core/base/grow.h"

#include <string.h>

struct sched_deadline_task {
    struct sched_parameters params;
    int32_t pid;
    bool admitted, known;             /* known: its parameters */
    bool waits;                       /* for the release that follows */
    uint64_t release_ns, deadline_ns; /* of its period; 0: not known */
    uint64_t used_ns, run_ns;         /* run time of the period; runs since, or 0 */
};

void sched_deadlines_release(struct sched_deadlines *d)
{
    imap_release(&d->index);
    free(d->task);
    d->task = NULL;
    d->tasks = d->cap = d->waiting = 0;
}

static struct sched_deadline_task *task_of(const struct sched_deadlines *d, int32_t pid)
{
    uint64_t at = imap_get(&d->index, (uint32_t)pid);
    return at ? &d->task[at - 1] : NULL;
}

static struct sched_deadline_task *add_task(struct sched_deadlines *d, int32_t pid)
{
    uint64_t *at = NULL;
    if (d->tasks < SCHED_DEADLINE_TASKS_MAX && grow(&d->task, &d->cap, d->tasks, sizeof *d->task))
        at = imap_at(&d->index, (uint32_t)pid);
    if (!at)
        return NULL;
    d->task[d->tasks] = (struct sched_deadline_task){.pid = pid};
    *at = ++d->tasks;
    return &d->task[d->tasks - 1];
}

static bool has_priority(const struct sched_event *e)
{
    return e->pid > 0 && e->priority != INT16_MIN &&
           (e->kind == SCHED_READY || e->kind == SCHED_RUN || e->kind == SCHED_SLEEP ||
            e->kind == SCHED_SLICE || e->kind == SCHED_DEAD || e->kind == SCHED_MIGRATE);
}

static void emit_inferred(const struct sched_deadline_task *t, unsigned kind, uint64_t time_ns,
                          const struct sched_event *like, sched_emit_fn *emit, void *arg)
{
    struct sched_event e = {.time_ns = time_ns,
                            .pid = t->pid,
                            .other = -1,
                            .cpu = like->cpu,
                            .kind = (uint8_t)kind,
                            .flags = SCHED_INFERRED,
                            .priority = -1,
                            .policy = 6};
    emit(arg, &e);
}

/* --- periods --- */

static void begin_period(struct sched_deadline_task *t, uint64_t release_ns,
                         const struct sched_event *like, sched_emit_fn *emit, void *arg)
{
    t->release_ns = release_ns;
    t->deadline_ns = release_ns + t->params.deadline_ns;
    t->used_ns = 0;
    emit_inferred(t, SCHED_RELEASE, release_ns, like, emit, arg);
    emit_inferred(t, SCHED_DEADLINE, t->deadline_ns, like, emit, arg);
}

/* Whether the run time that is left does not fit before the deadline at the task's bandwidth. */
static bool is_overflowing(const struct sched_deadline_task *t, uint64_t now_ns)
{
    uint64_t left = t->params.runtime_ns > t->used_ns ? t->params.runtime_ns - t->used_ns : 0;
    return (double)left * (double)t->params.period_ns >
           (double)(t->deadline_ns - now_ns) * (double)t->params.runtime_ns;
}

static bool begins_at_wakeup(const struct sched_deadline_task *t, uint64_t now_ns)
{
    return t->known && !t->waits &&
           (!t->release_ns || now_ns >= t->deadline_ns || is_overflowing(t, now_ns));
}

static void stop_waiting(struct sched_deadlines *d, struct sched_deadline_task *t)
{
    d->waiting -= t->waits;
    t->waits = false;
}

static uint64_t next_release(const struct sched_deadline_task *t)
{
    return t->release_ns + t->params.period_ns;
}

/* Those whose next period has begun until now. */
static void release_waiting(struct sched_deadlines *d, const struct sched_event *e,
                            sched_emit_fn *emit, void *arg)
{
    for (size_t i = 0; d->waiting && i < d->tasks; i++) {
        struct sched_deadline_task *t = &d->task[i];
        if (!t->waits || !t->release_ns || next_release(t) > e->time_ns)
            continue;
        stop_waiting(d, t);
        begin_period(t, next_release(t), e, emit, arg);
    }
}

/* --- switches --- */

/* The kernel accounts run time more finely than switches show, and looks at it at its ticks. */
static bool used_up(const struct sched_deadline_task *t)
{
    return t->used_ns + t->params.runtime_ns / 64 + 20000 >= t->params.runtime_ns;
}

/* By one with an earlier deadline, or by the thread that stops a CPU. */
static bool is_preempted(const struct sched_deadlines *d, const struct sched_event *e)
{
    const struct sched_deadline_task *by = task_of(d, e->other);
    return (by && by->admitted) ||
           strncmp(sched_names_get(d->names, e->other), "migration/", 10) == 0;
}

static void count_run(struct sched_deadline_task *t, const struct sched_event *e)
{
    if (t->run_ns && e->time_ns > t->run_ns)
        t->used_ns += e->time_ns - t->run_ns;
    t->run_ns = e->kind == SCHED_RUN ? e->time_ns : 0;
}

/* It could run on, but does not: what that means. Who became a deadline task in the run that ends
 * here has no period that is known: that begins when it comes back. */
static void classify_slice(struct sched_deadlines *d, struct sched_deadline_task *t,
                           struct sched_event *e)
{
    if (!t->known || is_preempted(d, e))
        return;
    e->kind = t->release_ns && used_up(t) ? SCHED_SLICE : SCHED_YIELD;
    e->flags |= SCHED_INFERRED;
    t->waits = true;
    d->waiting++;
}

static void admit_task(struct sched_deadlines *d, struct sched_deadline_task *t,
                       const struct sched_event *e, sched_emit_fn *emit, void *arg)
{
    *t = (struct sched_deadline_task){.pid = t->pid, .admitted = true};
    t->known = d->get_parameters && d->get_parameters(d->arg, t->pid, &t->params) &&
               t->params.period_ns && t->params.runtime_ns && t->params.deadline_ns;
    emit_inferred(t, SCHED_ADMIT, e->time_ns, e, emit, arg);
}

static void expel_task(struct sched_deadlines *d, struct sched_deadline_task *t,
                       const struct sched_event *e, sched_emit_fn *emit, void *arg)
{
    stop_waiting(d, t);
    t->admitted = false;
    emit_inferred(t, SCHED_EXPEL, e->time_ns, e, emit, arg);
}

static void handle_deadline(struct sched_deadlines *d, struct sched_deadline_task *t,
                            const struct sched_event *e, sched_emit_fn *emit, void *arg)
{
    struct sched_event own = *e;
    if (!t->admitted)
        admit_task(d, t, e, emit, arg);
    count_run(t, e);
    if (t->waits && (e->kind == SCHED_RUN || e->kind == SCHED_MIGRATE)) {
        stop_waiting(d, t); /* its period has begun, earlier than was known */
        begin_period(t, e->time_ns, e, emit, arg);
    }
    if (e->kind == SCHED_READY && begins_at_wakeup(t, e->time_ns))
        begin_period(t, e->time_ns, e, emit, arg);
    if (e->kind == SCHED_SLICE)
        classify_slice(d, t, &own);
    emit(arg, &own);
}

void sched_deadlines_feed(struct sched_deadlines *d, const struct sched_event *e,
                          sched_emit_fn *emit, void *arg)
{
    if (!d->tasks && e->priority >= 0)
        return emit(arg, e);
    release_waiting(d, e, emit, arg);
    struct sched_deadline_task *t = has_priority(e) && d->tasks ? task_of(d, e->pid) : NULL;
    if (!t && has_priority(e) && e->priority < 0)
        t = add_task(d, e->pid);
    if (t && e->priority < 0)
        return handle_deadline(d, t, e, emit, arg);
    if (t && t->admitted)
        expel_task(d, t, e, emit, arg);
    emit(arg, e);
}
