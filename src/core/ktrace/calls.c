#include "core/ktrace/calls.h"

#include "core/base/grow.h"

#include <errno.h>
#include <stdlib.h>

/* Calls that wait, in the order of their entries; open has the places of those that have not
 * returned, the innermost last. */
struct ktrace_thread {
    struct ktrace_call *call;
    size_t calls, cap;
    uint32_t open[KTRACE_MAX_DEPTH];
    size_t depth;
};

void ktrace_calls_init(struct ktrace_calls *c, ktrace_call_fn *emit, void *arg)
{
    *c = (struct ktrace_calls){.emit = emit, .arg = arg};
}

void ktrace_calls_release(struct ktrace_calls *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->thread[i].call);
    free(c->thread);
    imap_release(&c->threads);
    *c = (struct ktrace_calls){.err = 0};
}

static struct ktrace_thread *thread_of(struct ktrace_calls *c, uint64_t pid)
{
    uint64_t at = imap_get(&c->threads, pid);
    if (at)
        return &c->thread[at - 1];
    uint64_t *slot =
        grow(&c->thread, &c->cap, c->count, sizeof *c->thread) ? imap_at(&c->threads, pid) : NULL;
    if (!slot) {
        c->err = -ENOMEM;
        return NULL;
    }
    c->thread[c->count] = (struct ktrace_thread){.calls = 0};
    *slot = ++c->count;
    return &c->thread[c->count - 1];
}

/* Those that are open stay. */
static void emit_ended(struct ktrace_calls *c, struct ktrace_thread *t)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->calls; i++) {
        if (t->call[i].ended) {
            c->emit(c->arg, &t->call[i]);
            continue;
        }
        t->open[kept] = (uint32_t)kept;
        t->call[kept++] = t->call[i];
    }
    t->calls = kept;
}

static void add_entry(struct ktrace_calls *c, struct ktrace_thread *t, const struct ktrace_event *e)
{
    if (t->calls >= KTRACE_MAX_WAITING)
        emit_ended(c, t);
    if (t->depth == KTRACE_MAX_DEPTH ||
        !grow_within(&t->call, &t->cap, t->calls, KTRACE_MAX_WAITING + KTRACE_MAX_DEPTH,
                     sizeof *t->call)) {
        c->unpaired++;
        return;
    }
    struct ktrace_call *call = &t->call[t->calls];
    *call = (struct ktrace_call){
        .pid = e->pid, .start = e->time, .function = e->function, .depth = (uint16_t)t->depth};
    memcpy(call->arg, e->arg, sizeof call->arg);
    t->open[t->depth++] = (uint32_t)t->calls++;
}

/* Its calls inside are all later: what follows moves up, one level less deep. */
static void drop_call(struct ktrace_calls *c, struct ktrace_thread *t, size_t at)
{
    t->calls--;
    memmove(&t->call[at], &t->call[at + 1], (t->calls - at) * sizeof *t->call);
    for (size_t i = at; i < t->calls; i++)
        t->call[i].depth--;
    c->unpaired++;
}

static void add_exit(struct ktrace_calls *c, struct ktrace_thread *t, const struct ktrace_event *e)
{
    size_t level = t->depth;
    while (level && t->call[t->open[level - 1]].function != e->function)
        level--;
    if (!level) {
        c->unpaired++;
        return;
    }
    while (t->depth > level)
        drop_call(c, t, t->open[--t->depth]);
    struct ktrace_call *call = &t->call[t->open[--t->depth]];
    call->end = e->time;
    call->returned = e->arg[0];
    call->ended = true;
    if (!t->depth)
        emit_ended(c, t);
}

void ktrace_calls_add(struct ktrace_calls *c, const struct ktrace_event *e)
{
    struct ktrace_thread *t = thread_of(c, e->pid);
    if (t && e->exit)
        add_exit(c, t, e);
    else if (t)
        add_entry(c, t, e);
}

void ktrace_calls_end(struct ktrace_calls *c)
{
    for (size_t i = 0; i < c->count; i++) {
        struct ktrace_thread *t = &c->thread[i];
        for (size_t n = 0; n < t->calls; n++)
            c->emit(c->arg, &t->call[n]);
        t->calls = t->depth = 0;
    }
}
