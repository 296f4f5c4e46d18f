#include "core/containers/range_map.h"

#include "core/base/budget.h"
#include "core/base/sort.h"

#include "core/base/search.h"

bool spans_spend(struct spans *s)
{
    if (s->count >= s->max)
        return false;
    s->max--;
    return true;
}

bool spans_add(struct spans *s, uint64_t start, uint64_t end, uint32_t id)
{
    if (start >= end)
        return spans_spend(s);
    if (s->count >= s->max ||
        !budget_grow(s->budget, (void **)&s->span, &s->cap, s->count, sizeof *s->span))
        return false;
    s->span[s->count++] = (struct span){start, end, id};
    return true;
}

void spans_release(struct spans *s)
{
    budget_free(s->budget, s->span, s->cap, sizeof *s->span);
    *s = (struct spans){.max = s->max, .budget = s->budget};
}

/* --- the sweep: a heap of the spans that are open, greatest id on top --- */

struct sweep {
    const struct span **open;
    size_t opens;
    struct span_map *map;
    uint64_t at;
};

static void sift_up(struct sweep *w, size_t i, const struct span *s)
{
    for (; i && w->open[(i - 1) / 2]->id < s->id; i = (i - 1) / 2)
        w->open[i] = w->open[(i - 1) / 2];
    w->open[i] = s;
}

static void pop_span(struct sweep *w)
{
    const struct span *last = w->open[--w->opens];
    size_t i = 0;
    for (size_t child = 1; child < w->opens; child = 2 * i + 1) {
        child += child + 1 < w->opens && w->open[child + 1]->id > w->open[child]->id;
        if (w->open[child]->id <= last->id)
            break;
        w->open[i] = w->open[child];
        i = child;
    }
    w->open[i] = last;
}

static bool add_start(struct sweep *w, uint64_t start, uint32_t id)
{
    struct span_map *m = w->map;
    if (m->count && m->at[m->count - 1].id == id)
        return true;
    if (!budget_grow(m->budget, (void **)&m->at, &m->cap, m->count, sizeof *m->at))
        return false;
    m->at[m->count++] = (struct span_start){start, id};
    return true;
}

/* Records what covers the gap between the last position and this one. */
static bool advance_to(struct sweep *w, uint64_t to)
{
    while (w->opens && w->at < to) {
        const struct span *top = w->open[0];
        if (top->end <= w->at) {
            pop_span(w);
            continue;
        }
        if (!add_start(w, w->at, top->id))
            return false;
        w->at = top->end < to ? top->end : to;
    }
    bool gap = w->map->count && w->at < to;
    return !gap || add_start(w, w->at, (uint32_t)SPAN_NONE);
}

static int compare_starts(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    return ORDER(x->start, y->start) ?: ORDER(x->id, y->id);
}

static bool sweep_spans(struct sweep *w, const struct spans *s)
{
    for (size_t i = 0; i < s->count; i++) {
        if (!advance_to(w, s->span[i].start))
            return false;
        w->at = s->span[i].start;
        sift_up(w, w->opens++, &s->span[i]);
    }
    return advance_to(w, UINT64_MAX);
}

static bool make(struct span_map *m, struct spans *s)
{
    struct sweep w = {.map = m};
    sort_array(s->span, s->count, sizeof *s->span, compare_starts);
    w.open = malloc(s->count * sizeof *w.open);
    bool ok = w.open && sweep_spans(&w, s);
    free(w.open);
    return ok;
}

bool span_map_make(struct span_map *m, struct spans *s)
{
    *m = (struct span_map){.budget = s->budget};
    size_t work = s->count * (sizeof *s->span + sizeof s->span); /* qsort's copy, and the heap */
    if (!s->count)
        return true;
    if (!budget_take(s->budget, work))
        return false;
    bool ok = make(m, s);
    budget_give(s->budget, work);
    if (ok)
        budget_shrink(m->budget, (void **)&m->at, &m->cap, m->count, sizeof *m->at);
    else
        span_map_release(m);
    return ok;
}

void span_map_release(struct span_map *m)
{
    budget_free(m->budget, m->at, m->cap, sizeof *m->at);
    *m = (struct span_map){0};
}

uint32_t span_map_find(const struct span_map *m, uint64_t addr)
{
    size_t above = FIRST_ABOVE(m->at, m->count, start, addr);
    return above ? m->at[above - 1].id : (uint32_t)SPAN_NONE;
}
