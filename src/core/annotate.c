/* Which function, and how its samples spread over addresses and lines. */
#include "core/annotate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool named(const char *symbol, const char *name, const char *(*pretty)(void *, const char *),
                  void *arg)
{
    return strcmp(symbol, name) == 0 || (pretty && strcmp(pretty(arg, symbol), name) == 0);
}

/* The samples of the function at hit i, and the index behind its last hit. */
static uint64_t sum_function(const struct hits *h, size_t i, const struct symbol *f, size_t *behind)
{
    uint64_t samples = 0;
    size_t module = h->hit[i].module;
    for (; i < h->count && h->hit[i].module == module && h->hit[i].vaddr < f->end; i++)
        samples += h->hit[i].samples;
    *behind = i;
    return samples;
}

static int keep(struct annotate *a, const struct hit *first, size_t count)
{
    a->hits.hit = malloc(count * sizeof *first);
    if (!a->hits.hit)
        return -ENOMEM;
    memcpy(a->hits.hit, first, count * sizeof *first);
    a->hits.count = count;
    return 0;
}

int annotate_find(const struct sampled *s, const char *name,
                  const char *(*pretty)(void *arg, const char *name), void *arg,
                  struct annotate *out, struct fail *f)
{
    struct hits all;
    size_t first = 0, behind, last = 0;
    if (hits_make(s, true, &all) < 0)
        return fail_set(f, ENOMEM, "%s", name);
    *out = (struct annotate){.sampled = s};
    for (size_t i = 0; i < all.count; i = behind) {
        struct symbol found;
        behind = i + 1;
        if (!all.hit[i].known)
            continue;
        struct module *m = s->modules.module[all.hit[i].module];
        if (!module_symbol(m, all.hit[i].vaddr, &found))
            continue;
        uint64_t samples = sum_function(&all, i, &found, &behind);
        if (samples <= out->samples || !named(found.name, name, pretty, arg))
            continue;
        *out = (struct annotate){s, m, found, {0}, samples};
        first = i;
        last = behind;
    }
    int r = out->samples ? keep(out, all.hit + first, last - first) : -ENOENT;
    hits_release(&all);
    if (r == -ENOENT)
        return fail_set(f, 0, "%s: no sample is in a function of this name", name);
    return r < 0 ? fail_set(f, -r, "%s", name) : 0;
}

void annotate_release(struct annotate *a)
{
    hits_release(&a->hits);
}

/* --- lines --- */

struct spot {
    const char *file;
    uint32_t line;
    uint64_t samples;
};

static int by_spot(const void *pa, const void *pb)
{
    const struct spot *a = pa, *b = pb;
    int order = strcmp(a->file, b->file);
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

/* The file with the most samples among sorted spots: [*first, *behind). */
static void busiest_file(const struct spot *spot, size_t n, size_t *first, size_t *behind)
{
    uint64_t most = 0;
    *first = *behind = 0;
    for (size_t i = 0, k; i < n; i = k) {
        uint64_t samples = 0;
        for (k = i; k < n && strcmp(spot[k].file, spot[i].file) == 0; k++)
            samples += spot[k].samples;
        if (samples > most) {
            most = samples;
            *first = i;
            *behind = k;
        }
    }
}

static int settle(struct spot *spot, size_t n, struct annotate_lines *out)
{
    size_t first, behind;
    qsort(spot, n, sizeof *spot, by_spot);
    busiest_file(spot, n, &first, &behind);
    out->line = malloc((behind - first + 1) * sizeof *out->line);
    if (!out->line)
        return -ENOMEM;
    for (size_t i = 0; i < n; i++)
        if (i < first || i >= behind)
            out->elsewhere += spot[i].samples;
        else if (out->count && out->line[out->count - 1].line == spot[i].line)
            out->line[out->count - 1].samples += spot[i].samples;
        else
            out->line[out->count++] = (struct annotate_line){spot[i].line, spot[i].samples};
    out->file = behind > first ? spot[first].file : NULL;
    return 0;
}

int annotate_lines(const struct annotate *a,
                   void (*frames_at)(void *arg, struct module *m, uint64_t vaddr,
                                     struct frames *out),
                   void *arg, struct annotate_lines *out)
{
    struct frames frames = {0};
    struct spot *spot = malloc((a->hits.count + 1) * sizeof *spot);
    size_t n = 0;
    *out = (struct annotate_lines){0};
    if (!spot)
        return -ENOMEM;
    for (size_t i = 0; i < a->hits.count; i++) {
        const struct hit *h = &a->hits.hit[i];
        frames_clear(&frames);
        frames_at(arg, a->module, h->vaddr, &frames);
        const struct frame *own = frames.count ? &frames.frame[frames.count - 1] : NULL;
        if (own && own->file && own->line)
            spot[n++] = (struct spot){own->file, own->line, h->samples};
        else
            out->elsewhere += h->samples;
    }
    int r = settle(spot, n, out);
    frames_release(&frames);
    free(spot);
    return r;
}

void annotate_lines_release(struct annotate_lines *l)
{
    free(l->line);
    *l = (struct annotate_lines){0};
}
