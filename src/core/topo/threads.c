#include "core/topo/threads.h"

#include "core/base/grow.h"

#include <errno.h>

struct open_call {
    uint64_t number, time_ns;
};

struct topo_thread {
    uint64_t run; /* number + 1; 0: in none */
    uint64_t calls;
    int64_t base; /* depth of the start function */
    struct open_call *open;
    size_t inside, cap;
    int cpu; /* of the latest event */
    uint64_t time_ns;
};

void topo_threads_release(struct topo_threads *t)
{
    for (size_t i = 0; i < t->threads; i++)
        free(t->thread[i].open);
    free(t->thread);
    imap_release(&t->known);
    imap_release(&t->gaps);
    t->thread = NULL;
    t->threads = t->cap = 0;
}

bool topo_threads_complete(const struct topo_threads *t)
{
    return t->runs->topo->runs >= t->want;
}

/* Idle threads of all CPUs have the number 0. */
static uint64_t key_of(const struct topo_event *e)
{
    return e->pid ? (uint32_t)e->pid : UINT64_C(1) << 32 | (uint32_t)e->cpu;
}

/* NULL: no memory, or too many. */
static struct topo_thread *find_thread(struct topo_threads *t, const struct topo_event *e)
{
    uint64_t known = imap_get(&t->known, key_of(e));
    if (known)
        return &t->thread[known - 1];
    if (t->threads == TOPO_MAX_THREADS)
        return NULL;
    uint64_t *at = imap_at(&t->known, key_of(e));
    if (!at || !GROW_ADD(t->thread, t->cap, t->threads, (struct topo_thread){.cpu = e->cpu})) {
        t->runs->err = -ENOMEM;
        return NULL;
    }
    *at = t->threads;
    return &t->thread[t->threads - 1];
}

static void leave_run(struct topo_thread *thread)
{
    thread->run = thread->calls = 0;
    thread->inside = 0;
}

static void drop_run(struct topo_threads *t, struct topo_thread *thread, enum topo_reason reason)
{
    if (thread->run)
        topo_runs_drop(t->runs, thread->run - 1, reason);
    leave_run(thread);
}

/* --- gaps --- */

static void handle_gap(struct topo_threads *t, const struct topo_event *e)
{
    uint64_t *end = imap_at(&t->gaps, (uint32_t)e->cpu);
    t->losses++;
    t->lost += e->missed == TRACE_MISSED_MANY ? 0 : e->missed;
    if (!end)
        t->runs->err = -ENOMEM;
    else if (e->return_ns > *end)
        *end = e->return_ns;
    for (size_t i = 0; i < t->threads; i++)
        if (t->thread[i].cpu == e->cpu)
            drop_run(t, &t->thread[i], TOPO_LOST);
}

/* It came to this CPU, where its first events may be missing. */
static bool came_in_gap(const struct topo_threads *t, const struct topo_thread *thread,
                        const struct topo_event *e)
{
    return thread->cpu != e->cpu && thread->time_ns < imap_get(&t->gaps, (uint32_t)e->cpu);
}

/* --- calls --- */

static bool is_start(const struct topo_threads *t, uint64_t begin)
{
    for (size_t i = 0; i < t->starts; i++)
        if (t->start[i] == begin)
            return true;
    return false;
}

/* Below the start function. */
static uint64_t depth_of(const struct topo_thread *thread, const struct topo_event *e)
{
    return e->depth == TOPO_NO_DEPTH ? thread->inside : (uint64_t)(e->depth - thread->base);
}

static void enter_call(struct topo_threads *t, struct topo_thread *thread,
                       const struct topo_event *e, const char *name)
{
    topo_runs_enter(t->runs, &(struct topo_entry){.run = thread->run - 1,
                                                  .call = thread->calls,
                                                  .thread = e->pid > 0 ? (uint64_t)e->pid : 0,
                                                  .depth = depth_of(thread, e),
                                                  .start = e->time_ns,
                                                  .name = name});
    if (!GROW_ADD(thread->open, thread->cap, thread->inside,
                  (struct open_call){thread->calls++, e->time_ns}))
        t->runs->err = -ENOMEM;
}

static void handle_entry(struct topo_threads *t, struct topo_thread *thread,
                         const struct topo_event *e)
{
    uint64_t begin;
    const char *name = t->name(t->arg, e->address, &begin);
    if (!thread->run && is_start(t, begin)) {
        thread->base = e->depth;
        thread->run = ++t->next;
    }
    if (thread->run)
        enter_call(t, thread, e, name);
}

static void handle_exit(struct topo_threads *t, struct topo_thread *thread,
                        const struct topo_event *e)
{
    uint64_t begin, depth = thread->inside - 1;
    bool timed = e->depth != TOPO_NO_DEPTH;
    if (!thread->inside || (timed && depth_of(thread, e) != depth))
        return drop_run(t, thread, TOPO_NO_ENTRY);
    const struct open_call *call = &thread->open[depth];
    uint64_t from = timed ? e->call_ns : call->time_ns, to = timed ? e->return_ns : e->time_ns;
    if (to < from)
        return drop_run(t, thread, TOPO_TIMES);
    thread->inside--;
    topo_runs_exit(t->runs, thread->run - 1, t->name(t->arg, e->address, &begin), call->number,
                   to - from);
}

void topo_threads_add(struct topo_threads *t, const struct topo_event *e)
{
    if (topo_threads_complete(t))
        return;
    if (e->kind == TOPO_GAP)
        return handle_gap(t, e);
    struct topo_thread *thread = t->own && e->pid == t->own ? NULL : find_thread(t, e);
    if (!thread)
        return;
    if (thread->run && came_in_gap(t, thread, e))
        drop_run(t, thread, TOPO_LOST);
    thread->cpu = e->cpu;
    thread->time_ns = e->time_ns;
    if (e->kind == TOPO_ENTRY)
        handle_entry(t, thread, e);
    else if (thread->run)
        handle_exit(t, thread, e);
    if (thread->run && topo_runs_ended(t->runs, thread->run - 1))
        leave_run(thread);
}

int topo_threads_end(struct topo_threads *t)
{
    for (size_t i = 0; topo_threads_complete(t) && i < t->threads; i++)
        if (t->thread[i].run)
            topo_runs_forget(t->runs, t->thread[i].run - 1);
    return topo_runs_end(t->runs);
}
