#include "core/timeline/cpu_history.h"

#include "core/base/sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Tasks that are told apart in one wait; all others are one. */
enum { MAX_TASKS = 256, NO_TASK = -1 };

struct sched_change {
    uint64_t time_ns;
    int32_t pid; /* runs on cpu from here; NO_TASK: none does. With moved_from: moved to cpu */
    int16_t cpu, moved_from; /* -1: has not moved */
};

struct sum {
    struct sched_ran task[MAX_TASKS];
    size_t tasks;
    uint64_t more_ns, idle_ns; /* of tasks beyond these; of no task */
};

void sched_history_release(struct sched_history *h)
{
    free(h->change);
    *h = (struct sched_history){0};
}

static void add_change(struct sched_history *h, const struct sched_change *c)
{
    if (!h->change)
        h->change = calloc(SCHED_HISTORY, sizeof *h->change);
    if (h->change)
        h->change[h->count++ % SCHED_HISTORY] = *c;
}

void sched_history_add(struct sched_history *h, const struct sched_event *e)
{
    struct sched_change c = {e->time_ns, e->pid, e->cpu, -1};
    bool woken = e->kind == SCHED_READY && e->flags & SCHED_WOKEN;
    if (e->cpu < 0)
        return;
    if (e->kind == SCHED_MIGRATE)
        c.moved_from = (int16_t)e->other;
    else if (sched_ends_run(e->kind) && !woken)
        c.pid = NO_TASK;
    else if (e->kind != SCHED_RUN)
        return;
    add_change(h, &c);
}

/* The change `age' places back, 0 being the last one; NULL: no longer kept. */
static const struct sched_change *change_at(const struct sched_history *h, size_t age)
{
    if (age >= h->count || age >= SCHED_HISTORY)
        return NULL;
    return &h->change[(h->count - 1 - age) % SCHED_HISTORY];
}

static uint64_t *time_of(struct sum *sum, int32_t pid)
{
    if (pid <= 0)
        return &sum->idle_ns;
    for (size_t i = 0; i < sum->tasks; i++)
        if (sum->task[i].pid == pid)
            return &sum->task[i].ns;
    if (sum->tasks == MAX_TASKS)
        return &sum->more_ns;
    sum->task[sum->tasks] = (struct sched_ran){.pid = pid};
    return &sum->task[sum->tasks++].ns;
}

/* The runs on a CPU from from_ns to to_ns. */
static void add_runs(const struct sched_history *h, int16_t cpu, uint64_t from_ns, uint64_t to_ns,
                     struct sum *sum)
{
    const struct sched_change *c;
    for (size_t age = 0; to_ns > from_ns && (c = change_at(h, age)); age++) {
        if (c->cpu != cpu || c->moved_from >= 0 || c->time_ns >= to_ns)
            continue;
        uint64_t begin_ns = c->time_ns > from_ns ? c->time_ns : from_ns;
        *time_of(sum, c->pid) += to_ns - begin_ns;
        to_ns = begin_ns;
    }
}

static int compare_longest(const void *a, const void *b)
{
    const struct sched_ran *x = a, *y = b;
    return ORDER(y->ns, x->ns) ?: ORDER(x->pid, y->pid);
}

static void take_sum(const struct sum *sum, struct sched_meanwhile *out)
{
    size_t n = sum->tasks < SCHED_RAN_TASKS ? sum->tasks : SCHED_RAN_TASKS;
    *out = (struct sched_meanwhile){.ran_count = n,
                                    .others = sum->tasks - n + (sum->more_ns > 0),
                                    .others_ns = sum->more_ns,
                                    .idle_ns = sum->idle_ns};
    memcpy(out->ran, sum->task, n * sizeof *out->ran);
    for (size_t i = n; i < sum->tasks; i++)
        out->others_ns += sum->task[i].ns;
}

void sched_history_ran(const struct sched_history *h, const struct sched_wait *w,
                       struct sched_meanwhile *out)
{
    struct sum sum = {.tasks = 0};
    const struct sched_change *c;
    uint64_t to_ns = w->to_ns;
    int16_t cpu = w->cpu;
    for (size_t age = 0; (c = change_at(h, age)) && c->time_ns >= w->from_ns; age++) {
        if (c->pid != w->pid || c->moved_from < 0 || c->cpu != cpu || c->time_ns > to_ns)
            continue;
        add_runs(h, cpu, c->time_ns, to_ns, &sum);
        to_ns = c->time_ns;
        cpu = c->moved_from;
    }
    add_runs(h, cpu, w->from_ns, to_ns, &sum);
    sort_array(sum.task, sum.tasks, sizeof *sum.task, compare_longest);
    take_sum(&sum, out);
}
