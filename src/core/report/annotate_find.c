/* Which samples are a function's: those under its own symbol, and those where it was inlined. */
#include "core/report/annotate.h"

#include "core/base/grow.h"

#include <errno.h>
#include <string.h>

/* --- what is of the name --- */

struct match {
    struct annotate_place place;
    size_t module;
    const char *name; /* as its file has it */
    uint64_t start;   /* of the symbol that holds it */
    bool own;         /* it is that symbol's */
};

struct matches {
    struct match *match;
    size_t count, cap;
};

static bool has_name(const struct annotate_query *q, const char *name)
{
    if (!name)
        return false;
    return strcmp(name, q->name) == 0 ||
           (q->demangle && strcmp(q->demangle(q->demangle_arg, name), q->name) == 0);
}

/* The innermost frame of the name. What is under its symbol is the last frame's at least. */
static bool match_frames(const struct annotate_query *q, const struct frames *f, struct match *out)
{
    size_t i = 0, last = f->count - 1;
    while (i < f->count && !has_name(q, f->frame[i].function))
        i++;
    out->own = f->count && has_name(q, f->symbol);
    if (!f->count || (i == f->count && !out->own))
        return false;
    const struct frame *frame = &f->frame[i < last ? i : last];
    out->place.inlined = i < last && !out->own;
    out->place.file = frame->line ? frame->file : NULL;
    out->place.line = frame->line;
    out->name = out->own ? f->symbol : frame->function;
    out->start = f->start;
    return true;
}

static int find_matches(const struct sampled *s, const struct annotate_query *q,
                        const struct hits *all, struct matches *out)
{
    struct frames frames = {0};
    int r = 0;
    for (size_t i = 0; i < all->count && r == 0; i++) {
        const struct hit *h = &all->hit[i];
        struct match m = {.place = {.vaddr = h->vaddr, .samples = h->samples}, .module = h->module};
        if (!h->known)
            continue;
        frames_clear(&frames);
        q->frames_at(q->frames_arg, sampled_module(s, h->module), h->vaddr, &frames);
        if (!match_frames(q, &frames, &m))
            continue;
        if (grow(&out->match, &out->cap, out->count, sizeof m))
            out->match[out->count++] = m;
        else
            r = -ENOMEM;
    }
    frames_release(&frames);
    return r;
}

/* --- which of them --- */

/* The matches from i on that lie under one symbol. */
static size_t run_end(const struct matches *all, size_t i)
{
    const struct match *first = &all->match[i];
    while (i < all->count && all->match[i].module == first->module &&
           all->match[i].start == first->start)
        i++;
    return i;
}

/* The busiest symbol: of the name if any is, else where it was inlined. NULL: there are no matches.
 */
static const struct match *busiest_symbol(const struct matches *all)
{
    const struct match *best = NULL;
    uint64_t max = 0;
    for (size_t i = 0, end; i < all->count; i = end) {
        uint64_t samples = 0;
        const struct match *m = &all->match[i];
        end = run_end(all, i);
        for (size_t k = i; k < end; k++)
            samples += all->match[k].place.samples;
        if (best && (best->own > m->own || (best->own == m->own && samples <= max)))
            continue;
        best = m;
        max = samples;
    }
    return best;
}

static bool is_under_symbol(const struct match *m, const struct match *symbol)
{
    return m->module == symbol->module && m->start == symbol->start;
}

static const char *busiest_file(const struct matches *all, const struct match *symbol)
{
    const char *file = NULL;
    uint64_t max = 0;
    for (const struct match *m = symbol; m < all->match + all->count && is_under_symbol(m, symbol);
         m++)
        if (m->place.file && m->place.samples > max) {
            file = m->place.file;
            max = m->place.samples;
        }
    return file;
}

/* Functions of one name in other files are others. */
static bool is_in_function(const struct match *m, const struct match *symbol, const char *file)
{
    if (is_under_symbol(m, symbol))
        return true;
    return m->module == symbol->module && file && m->place.file && strcmp(m->place.file, file) == 0;
}

static int collect_places(struct annotate *a, const struct matches *all, const struct match *symbol)
{
    const char *file = busiest_file(all, symbol);
    a->place = malloc(all->count * sizeof *a->place);
    if (!a->place)
        return -ENOMEM;
    for (size_t i = 0; i < all->count; i++) {
        const struct annotate_place *p = &all->match[i].place;
        if (!is_in_function(&all->match[i], symbol, file))
            continue;
        a->place[a->places++] = *p;
        a->samples += p->samples;
        a->inlined += p->inlined ? p->samples : 0;
    }
    return 0;
}

static int choose_symbol(struct annotate *a, const struct matches *all)
{
    const struct match *symbol = busiest_symbol(all);
    uint64_t at = symbol ? symbol->place.vaddr : 0;
    if (!symbol)
        return -ENOENT;
    a->module = sampled_module(a->sampled, symbol->module);
    if (!module_symbol(a->module, at, &a->function))
        a->function = (struct symbol){.start = at, .end = at + 1};
    a->function.name = symbol->name;
    return collect_places(a, all, symbol);
}

int annotate_find(const struct sampled *s, const struct annotate_query *q, struct annotate *out,
                  struct fail *f)
{
    struct hits hits;
    struct matches all = {0};
    *out = (struct annotate){.sampled = s};
    int r = hits_make(s, true, &hits);
    if (r == 0) {
        r = find_matches(s, q, &hits, &all);
        hits_release(&hits);
    }
    if (r == 0)
        r = choose_symbol(out, &all);
    free(all.match);
    if (r == -ENOENT)
        return fail_set(f, 0, "%s: no samples in a function of this name", q->name);
    return r < 0 ? fail_set(f, -r, "%s", q->name) : 0;
}

void annotate_release(struct annotate *a)
{
    free(a->place);
    *a = (struct annotate){0};
}
