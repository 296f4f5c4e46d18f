#include "core/trace/merge.h"

#include "core/base/grow.h"

#include <stdlib.h>
#include <string.h>

struct sched_source {
    struct sched_event *event;
    size_t head, count, cap; /* waiting: from head up to count */
};

void sched_merge_release(struct sched_merge *m)
{
    for (size_t i = 0; i < m->sources; i++)
        free(m->source[i].event);
    free(m->source);
    *m = (struct sched_merge){0};
}

static struct sched_source *source_at(struct sched_merge *m, size_t i)
{
    if (i >= SCHED_SOURCES_MAX)
        return NULL;
    while (m->sources <= i) {
        if (!GROW_ADD(m->source, m->cap, m->sources, (struct sched_source){0}))
            return NULL;
    }
    return &m->source[i];
}

enum { MIN_HELD = 1024 };

/* Events already handed on are dropped first. */
static void close_up(struct sched_source *s)
{
    if (s->head == 0 || (s->head < s->count && s->head < s->cap / 2))
        return;
    memmove(s->event, s->event + s->head, (s->count - s->head) * sizeof *s->event);
    s->count -= s->head;
    s->head = 0;
    shrink(&s->event, &s->cap, s->count, MIN_HELD, sizeof *s->event);
}

size_t sched_merge_held(const struct sched_merge *m)
{
    size_t sum = 0;
    for (size_t i = 0; i < m->sources; i++)
        sum += m->source[i].cap;
    return sum;
}

void sched_merge_add(struct sched_merge *m, size_t source, const struct sched_event *e)
{
    struct sched_source *s = source_at(m, source);
    if (s)
        close_up(s);
    if (!s || !GROW_ADD(s->event, s->cap, s->count, *e)) {
        m->dropped++;
        return;
    }
    m->waiting++;
}

static uint64_t head_time(const struct sched_source *s)
{
    return s->head < s->count ? s->event[s->head].time_ns : UINT64_MAX;
}

/* The source whose turn it is, and up to when: the next one's time. */
static struct sched_source *find_earliest(const struct sched_merge *m, uint64_t *next_ns)
{
    struct sched_source *first = NULL;
    uint64_t first_ns = UINT64_MAX;
    *next_ns = UINT64_MAX;
    for (size_t i = 0; i < m->sources; i++) {
        struct sched_source *s = &m->source[i];
        uint64_t time = head_time(s);
        if (s->head < s->count && (!first || time < first_ns)) {
            *next_ns = first_ns;
            first = s;
            first_ns = time;
        } else if (time < *next_ns) {
            *next_ns = time;
        }
    }
    return first;
}

static void emit_event(struct sched_merge *m, const struct sched_event *e, sched_emit_fn *emit,
                       void *arg)
{
    m->waiting--;
    m->out_of_order += e->time_ns < m->emitted_ns;
    if (e->time_ns > m->emitted_ns)
        m->emitted_ns = e->time_ns;
    emit(arg, e);
}

void sched_merge_until(struct sched_merge *m, uint64_t until_ns, sched_emit_fn *emit, void *arg)
{
    uint64_t next_ns;
    struct sched_source *s;
    while ((s = find_earliest(m, &next_ns)) && head_time(s) <= until_ns) {
        uint64_t last_ns = next_ns < until_ns ? next_ns : until_ns;
        do
            emit_event(m, &s->event[s->head++], emit, arg);
        while (s->head < s->count && head_time(s) <= last_ns);
    }
}

uint64_t sched_merge_reached(const struct sched_merge *m)
{
    uint64_t reached = UINT64_MAX;
    for (size_t i = 0; i < m->sources; i++) {
        const struct sched_source *s = &m->source[i];
        if (s->head < s->count && s->event[s->count - 1].time_ns < reached)
            reached = s->event[s->count - 1].time_ns;
    }
    return reached;
}
