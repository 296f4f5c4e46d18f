/* The cells of threads that ended, as those of one thread. */
#include "core/sample/sampled.h"

#include <stdlib.h>

struct fold {
    struct sampled *from;
    struct sampled_threads threads;
    struct intern cells;
    uint32_t *thread_to, *cell_to; /* indexes, of each in `from' */
    uint32_t gone;                 /* the thread that those that ended become */
};

static bool is_due(const struct sampled *s)
{
    size_t running = s->threads.count - s->threads.ended;
    return s->threads.ended >= SAMPLED_MAX_ENDED && s->threads.ended >= running &&
           s->want.by != SAMPLED_WHOLE && !s->hooks.counted && !s->want.timeline;
}

static bool allocate(struct fold *f, const struct sampled *s)
{
    size_t running = s->threads.count - s->threads.ended;
    f->threads.thread = calloc(running + 1, sizeof *f->threads.thread);
    f->thread_to = calloc(s->threads.count, sizeof *f->thread_to);
    f->cell_to = calloc(s->cells.count + 1, sizeof *f->cell_to);
    f->threads.cap = running + 1;
    return f->threads.thread && f->thread_to && f->cell_to;
}

static bool index_thread(struct fold *f, uint32_t at)
{
    uint64_t *index = imap_at(&f->threads.of_tid, f->threads.thread[at].tid);
    if (index)
        *index = (uint64_t)at + 1;
    return index != NULL;
}

/* The one that takes them in is the first, and may be there from an earlier call. */
static bool fold_threads(struct fold *f)
{
    const struct sampled *s = f->from;
    f->threads.thread[f->threads.count++] =
        (struct sampled_thread){.pid = SAMPLED_GONE, .tid = SAMPLED_GONE, .name = "(ended)"};
    bool whole = index_thread(f, 0);
    for (size_t i = 0; whole && i < s->threads.count; i++) {
        const struct sampled_thread *t = &s->threads.thread[i];
        bool spare = s->threads.spare == i + 1;
        if (t->ended || spare || t->pid == SAMPLED_GONE) {
            f->threads.thread[0].samples += t->samples;
            f->threads.thread[0].weight += t->weight;
            continue;
        }
        f->thread_to[i] = (uint32_t)f->threads.count;
        f->threads.thread[f->threads.count++] = *t;
        whole = index_thread(f, f->thread_to[i]);
    }
    return whole;
}

static bool fold_cells(struct fold *f)
{
    const struct sampled *s = f->from;
    f->cells = (struct intern){.each = s->cells.each, .key = s->cells.key};
    for (size_t i = 0; i < s->cells.count; i++) {
        const struct sampled_cell *from = sampled_cell_at(s, i);
        struct sampled_cell cell = {.set = f->thread_to[from->set], .node = from->node};
        f->cell_to[i] = intern(&f->cells, &cell);
        if (f->cell_to[i] == INTERN_NONE)
            return false;
        struct sampled_cell *to = (struct sampled_cell *)f->cells.record + f->cell_to[i];
        to->samples += from->samples;
        to->weight += from->weight;
    }
    return true;
}

static void release_threads(struct sampled_threads *t)
{
    imap_release(&t->of_tid);
    free(t->thread);
}

static void replace(struct sampled *s, struct fold *f, uint32_t **moved)
{
    for (size_t i = 0; i < s->recent.count; i++)
        s->recent.cell[i] = f->cell_to[s->recent.cell[i]];
    release_threads(&s->threads);
    intern_release(&s->cells);
    s->threads = f->threads;
    s->cells = f->cells;
    *moved = f->cell_to;
}

void sampled_fold_ended(struct sampled *s, uint32_t **moved)
{
    struct fold f = {.from = s};
    *moved = NULL;
    if (!is_due(s))
        return;
    if (allocate(&f, s) && fold_threads(&f) && fold_cells(&f)) {
        replace(s, &f, moved);
    } else {
        release_threads(&f.threads);
        intern_release(&f.cells);
        free(f.cell_to);
    }
    free(f.thread_to);
}

void sampled_recent_clear(struct sampled *s)
{
    s->recent.count = 0;
    s->recent.overrun = false;
}
