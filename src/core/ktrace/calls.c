#include "core/ktrace/calls.h"

#include "core/base/grow.h"

#include <errno.h>
#include <stdlib.h>

enum { ENTRY_BYTES = 16 }; /* of a function, in which a probe of its entry is */

/* Calls that wait, in the order of their entries; open has the places of those that have not
 * returned, the innermost last. */
struct ktrace_thread {
    uint64_t pid;
    struct ktrace_call *call;
    size_t calls, cap;
    uint32_t open[KTRACE_MAX_DEPTH];
    size_t depth;
};

void ktrace_calls_init(struct ktrace_calls *c, ktrace_call_fn *emit, void *arg)
{
    *c = (struct ktrace_calls){
        .threads = {.each = sizeof(struct ktrace_thread), .key = sizeof(uint64_t)},
        .emit = emit,
        .arg = arg};
}

static void release_call(struct ktrace_call *call)
{
    for (int i = 0; i <= KTRACE_MAX_ARGS; i++)
        free(call->text[i]);
    free(call->frame);
}

void ktrace_calls_release(struct ktrace_calls *c)
{
    struct ktrace_thread *thread = c->threads.record;
    for (size_t i = 0; i < c->threads.count; i++) {
        for (size_t n = 0; n < thread[i].calls; n++)
            release_call(&thread[i].call[n]);
        free(thread[i].call);
    }
    intern_release(&c->threads);
    *c = (struct ktrace_calls){.err = 0};
}

static struct ktrace_thread *thread_of(struct ktrace_calls *c, uint64_t pid)
{
    uint32_t i = intern_find(&c->threads, &pid);
    if (i == INTERN_NONE)
        i = intern(&c->threads, &(struct ktrace_thread){.pid = pid});
    if (i != INTERN_NONE)
        return (struct ktrace_thread *)c->threads.record + i;
    c->err = -ENOMEM;
    return NULL;
}

/* Those that are open stay. */
static void emit_ended(struct ktrace_calls *c, struct ktrace_thread *t)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->calls; i++) {
        if (t->call[i].ended) {
            c->emit(c->arg, &t->call[i]);
            release_call(&t->call[i]);
            continue;
        }
        t->open[kept] = (uint32_t)kept;
        t->call[kept++] = t->call[i];
    }
    t->calls = kept;
}

/* --- what calls have beyond numbers --- */

static void copy_text(struct ktrace_calls *c, const struct ktrace_text *text, char **to)
{
    *to = text->at ? strndup(text->at, text->len) : NULL;
    if (text->at && !*to)
        c->err = -ENOMEM;
}

static void copy_more(struct ktrace_calls *c, const struct ktrace_more *more,
                      struct ktrace_call *call)
{
    memcpy(call->arg + KTRACE_ARGS, more->arg, sizeof more->arg);
    for (int i = 0; i < KTRACE_MAX_ARGS; i++)
        copy_text(c, &more->text[i], &call->text[i]);
}

/* A stack may be that of an exit, or its entry's event was lost. */
static bool begins_in(const struct ktrace_call *call, const struct ktrace_more *more)
{
    return more->frame_count && more->frame[0] - call->pc < ENTRY_BYTES;
}

static void add_stack(struct ktrace_calls *c, struct ktrace_thread *t,
                      const struct ktrace_more *more)
{
    struct ktrace_call *call = t->depth ? &t->call[t->open[t->depth - 1]] : NULL;
    size_t bytes = more->frame_count * sizeof *call->frame;
    if (!call || call->frame || !begins_in(call, more))
        return;
    call->frame = malloc(bytes);
    if (!call->frame) {
        c->err = -ENOMEM;
        return;
    }
    memcpy(call->frame, more->frame, bytes);
    call->frames = more->frame_count;
}

/* One that comes later is nearer to what the call works with. */
static void set_text(struct ktrace_calls *c, struct ktrace_call *call, uint64_t address,
                     const struct ktrace_text *text)
{
    for (int i = 0; i < KTRACE_MAX_ARGS; i++)
        if (call->arg[i] == address) {
            free(call->text[i]);
            copy_text(c, text, &call->text[i]);
        }
}

static void add_texts(struct ktrace_calls *c, const struct ktrace_thread *t,
                      const struct ktrace_event *e, const struct ktrace_more *more)
{
    struct ktrace_call *call = t->depth ? &t->call[t->open[t->depth - 1]] : NULL;
    for (int i = 0; call && i < KTRACE_MAX_ARGS; i++)
        if (more->text[i].at)
            set_text(c, call, i < KTRACE_ARGS ? e->arg[i] : more->arg[i - KTRACE_ARGS],
                     &more->text[i]);
}

/* --- entries and exits --- */

static void add_entry(struct ktrace_calls *c, struct ktrace_thread *t, const struct ktrace_event *e,
                      const struct ktrace_more *more)
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
    *call = (struct ktrace_call){.pid = e->pid,
                                 .start = e->time,
                                 .pc = e->pc,
                                 .function = e->function,
                                 .depth = (uint16_t)t->depth};
    memcpy(call->arg, e->arg, sizeof e->arg);
    if (more)
        copy_more(c, more, call);
    t->open[t->depth++] = (uint32_t)t->calls++;
}

/* Its calls inside are all later: what follows moves up, one level less deep. */
static void drop_call(struct ktrace_calls *c, struct ktrace_thread *t, size_t at)
{
    t->calls--;
    release_call(&t->call[at]);
    memmove(&t->call[at], &t->call[at + 1], (t->calls - at) * sizeof *t->call);
    for (size_t i = at; i < t->calls; i++)
        t->call[i].depth--;
    c->unpaired++;
}

static void add_exit(struct ktrace_calls *c, struct ktrace_thread *t, const struct ktrace_event *e,
                     const struct ktrace_more *more)
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
    if (more)
        copy_text(c, &more->text[0], &call->text[KTRACE_MAX_ARGS]);
    call->ended = true;
    if (!t->depth)
        emit_ended(c, t);
}

void ktrace_calls_add(struct ktrace_calls *c, const struct ktrace_event *e,
                      const struct ktrace_more *more)
{
    struct ktrace_thread *t = thread_of(c, e->pid);
    enum ktrace_what what = more ? more->what : KTRACE_EDGE;
    if (t && what == KTRACE_STACK)
        add_stack(c, t, more);
    else if (t && what == KTRACE_TEXTS)
        add_texts(c, t, e, more);
    else if (t && e->exit)
        add_exit(c, t, e, more);
    else if (t)
        add_entry(c, t, e, more);
}

void ktrace_calls_end(struct ktrace_calls *c)
{
    for (size_t i = 0; i < c->threads.count; i++) {
        struct ktrace_thread *t = (struct ktrace_thread *)c->threads.record + i;
        for (size_t n = 0; n < t->calls; n++) {
            c->emit(c->arg, &t->call[n]);
            release_call(&t->call[n]);
        }
        t->calls = t->depth = 0;
    }
}
