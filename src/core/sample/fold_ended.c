/* The cells of threads that ended, as those of one thread. */
#include "core/base/sort.h"
#include "folding.h"

#include <stdlib.h>

struct fold {
    struct folding folding;
    struct sampled_threads threads;
    uint32_t *thread_to; /* indexes */
};

static bool is_due(const struct sampled *s)
{
    size_t running = s->threads.count - s->threads.ended;
    return s->threads.ended >= SAMPLED_MAX_ENDED && s->threads.ended >= running &&
           s->want.by != SAMPLED_WHOLE && !s->hooks.counted && !s->want.timeline;
}

static bool begin(struct fold *f, struct sampled *s)
{
    size_t running = s->threads.count - s->threads.ended;
    bool whole = folding_begin(&f->folding, s);
    f->threads.thread = calloc(running + 1, sizeof *f->threads.thread);
    f->threads.cap = running + 1;
    f->thread_to = calloc(s->threads.count, sizeof *f->thread_to);
    f->folding.set_to = f->thread_to;
    return whole && f->threads.thread && f->thread_to;
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
    const struct sampled *s = f->folding.from;
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

void sampled_fold_ended(struct sampled *s, uint32_t **moved)
{
    struct fold f = {.thread_to = NULL};
    *moved = NULL;
    if (!is_due(s))
        return;
    if (begin(&f, s) && fold_threads(&f) && folding_cells(&f.folding)) {
        folding_replace_cells(&f.folding);
        SWAP(s->threads, f.threads);
        *moved = f.folding.cell_to;
        f.folding.cell_to = NULL;
    }
    imap_release(&f.threads.of_tid);
    free(f.threads.thread);
    folding_release(&f.folding);
    free(f.thread_to);
}

void sampled_recent_clear(struct sampled *s)
{
    s->recent.count = 0;
    s->recent.overrun = false;
}
