#include "core/perf/switches.h"

#include "core/base/grow.h"

#include <errno.h>
#include <stdlib.h>

/* In of_tid, of a thread that has ended: this and when. */
#define ENDED (UINT64_C(1) << 63)

struct waits_thread {
    struct waits_switch at; /* time_ns: since when */
    bool leaving;           /* waits_out is reported, waits_off not yet */
    bool before;            /* it slept when all began */
    bool preempted, lost, in_parts;
};

void waits_release(struct waits *w)
{
    imap_release(&w->of_tid);
    free(w->open);
    *w = (struct waits){0};
}

/* --- waiting threads --- */

static struct waits_thread *find_thread(const struct waits *w, uint32_t tid)
{
    uint64_t i = imap_get(&w->of_tid, tid);
    return i && !(i & ENDED) ? &w->open[i - 1] : NULL;
}

/* The last one replaces one that is no longer open. */
static void drop_thread(struct waits *w, struct waits_thread *t)
{
    *imap_at(&w->of_tid, t->at.tid) = 0;
    struct waits_thread *last = &w->open[--w->count];
    if (last == t)
        return;
    *t = *last;
    *imap_at(&w->of_tid, t->at.tid) = (uint64_t)(t - w->open) + 1;
}

static void add_thread(struct waits *w, const struct waits_thread *t)
{
    uint64_t *index = imap_at(&w->of_tid, t->at.tid);
    if (!index || !grow(&w->open, &w->cap, w->count, sizeof *t)) {
        w->err = -ENOMEM;
        return;
    }
    if (*index & ENDED)
        return;
    w->open[w->count++] = *t;
    *index = w->count;
}

/* --- waits that are over --- */

static void emit_wait(struct waits *w, const struct waits_thread *t, uint64_t end_ns)
{
    struct wait over = {.pid = t->at.pid,
                        .tid = t->at.tid,
                        .cpu = t->at.cpu,
                        .location = t->at.location,
                        .preempted = t->preempted,
                        .first = !t->in_parts,
                        .start_ns = t->at.time_ns,
                        .end_ns = end_ns};
    if (end_ns > t->at.time_ns)
        w->on_wait(w->arg, &over);
}

static void close_wait(struct waits *w, struct waits_thread *t, uint64_t end_ns)
{
    w->spanning += t->lost;
    emit_wait(w, t, end_ns);
    drop_thread(w, t);
}

/* Its end was not seen; of one that was asleep at the beginning it may lie before that. */
static void forget_thread(struct waits *w, struct waits_thread *t)
{
    w->forgotten += !t->before;
    drop_thread(w, t);
}

/* --- what happens --- */

void waits_out(struct waits *w, const struct waits_switch *s)
{
    struct waits_thread *t = find_thread(w, s->tid);
    if (t)
        forget_thread(w, t);
    add_thread(w, &(struct waits_thread){.at = *s, .leaving = true});
}

void waits_off(struct waits *w, const struct waits_switch *s, bool preempted)
{
    struct waits_thread *t = find_thread(w, s->tid);
    if (!t || !t->leaving) {
        waits_out(w, s);
        t = find_thread(w, s->tid);
    }
    if (!t)
        return;
    t->leaving = false;
    t->preempted = preempted;
    t->at.time_ns = s->time_ns;
}

void waits_on(struct waits *w, uint32_t tid, uint64_t time_ns)
{
    struct waits_thread *t = find_thread(w, tid);
    if (t)
        close_wait(w, t, time_ns);
}

void waits_runs(struct waits *w, uint32_t tid)
{
    struct waits_thread *t = find_thread(w, tid);
    if (t)
        forget_thread(w, t);
}

void waits_asleep(struct waits *w, const struct waits_switch *s)
{
    if (!find_thread(w, s->tid))
        add_thread(w, &(struct waits_thread){.at = *s, .before = true});
}

void waits_began(struct waits *w, uint32_t tid)
{
    if (imap_get(&w->of_tid, tid) & ENDED)
        *imap_at(&w->of_tid, tid) = 0;
    else
        waits_runs(w, tid);
}

void waits_ended(struct waits *w, uint32_t tid, uint64_t time_ns)
{
    waits_on(w, tid, time_ns);
    uint64_t *index = imap_at(&w->of_tid, tid);
    if (index)
        *index = ENDED | time_ns;
    else
        w->err = -ENOMEM;
}

void waits_forget_ended(struct waits *w, uint64_t before_ns)
{
    struct imap_slot of;
    for (size_t i = 0; imap_next(&w->of_tid, &i, &of);)
        if (of.value & ENDED && (of.value & ~ENDED) < before_ns)
            *imap_at(&w->of_tid, of.key) = 0;
}

void waits_renumber(struct waits *w, const uint32_t *to)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->open[i].at.location != WAITS_NO_LOCATION)
            w->open[i].at.location = to[w->open[i].at.location];
}

void waits_each_location(const struct waits *w, void (*each)(void *arg, uint32_t location),
                         void *arg)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->open[i].at.location != WAITS_NO_LOCATION)
            each(arg, w->open[i].at.location);
}

void waits_lost(struct waits *w)
{
    for (size_t i = 0; i < w->count; i++)
        w->open[i].lost = true;
}

void waits_until(struct waits *w, uint64_t time_ns)
{
    for (size_t i = 0; i < w->count; i++) {
        struct waits_thread *t = &w->open[i];
        if (t->at.time_ns >= time_ns)
            continue;
        emit_wait(w, t, time_ns);
        t->at.time_ns = time_ns;
        t->in_parts = true;
    }
}

void waits_end(struct waits *w, uint64_t time_ns)
{
    while (w->count)
        close_wait(w, &w->open[w->count - 1], time_ns);
}
