#include "core/frames.h"

#include <errno.h>
#include <stdlib.h>

void frames_release(struct frames *f)
{
    free(f->frame);
    *f = (struct frames){0};
}

void frames_clear(struct frames *f)
{
    f->count = 0;
    f->symbol = NULL;
}

int frames_add(struct frames *f, const struct frame *one)
{
    if (f->count == f->cap) {
        size_t cap = f->cap ? f->cap * 2 : 8;
        struct frame *grown = reallocarray(f->frame, cap, sizeof *grown);
        if (!grown)
            return -ENOMEM;
        f->frame = grown;
        f->cap = cap;
    }
    f->frame[f->count++] = *one;
    return 0;
}

/* The line table's chain, inlined functions first, belongs before the symbol: it replaces it where
 * there is one. */
int module_frames(struct module *m, uint64_t vaddr, struct frames *out)
{
    struct symbol s;
    if (!module_symbol(m, vaddr, &s))
        return 0;
    out->symbol = s.name;
    out->start = s.start;
    return frames_add(out, &(struct frame){.function = s.name});
}
