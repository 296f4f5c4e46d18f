/* Which samples are a function's: those under its own symbol, and those where it was inlined. */
#include "core/report/annotate.h"

#include "core/base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CODE = 1 << 20 }; /* bytes of a function without a symbol */

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

/* A function without a symbol goes by its start. */
static bool match_start(const struct annotate_query *q, const struct module *in, uint64_t vaddr,
                        struct match *out)
{
    char *end;
    uint64_t start;
    if (strncmp(q->name, "0x", 2) != 0 || !module_function_start(in, vaddr, &start) ||
        strtoull(q->name, &end, 16) != start || *end)
        return false;
    out->own = true;
    out->name = q->name;
    out->start = start;
    return true;
}

/* The innermost frame of the name. What is under its symbol is the last frame's at least. */
static bool match_frames(const struct annotate_query *q, const struct frames *f, struct match *out)
{
    size_t i = 0, last = f->count - 1;
    while (i < f->count && !has_name(q, f->frame[i].function))
        i++;
    out->own = has_name(q, f->symbol);
    if (i == f->count && !out->own)
        return false;
    const struct frame *frame = &f->frame[i < last ? i : last];
    out->place.inlined = i < last && !out->own;
    out->place.file = frame->line ? frame->file : NULL;
    out->place.line = frame->line;
    out->name = out->own ? f->symbol : frame->function;
    out->start = f->start;
    return true;
}

static bool is_wanted(const struct annotate_query *q, const struct module *m)
{
    return !q->module || strcmp(m->name, q->module) == 0 || strcmp(m->path, q->module) == 0;
}

static int find_matches(const struct sampled *s, const struct annotate_query *q, struct hits *all,
                        struct matches *out)
{
    SCOPED(frames_release) struct frames frames = {0};
    struct hit h;
    int r = 0;
    while (r == 0 && hits_next(all, &h)) {
        struct match m = {.place = {.vaddr = h.vaddr, .sum = {h.samples, h.weight}},
                          .module = h.module};
        struct module *in = sampled_module(s, h.module);
        if (!h.known || !is_wanted(q, in))
            continue;
        frames_clear(&frames);
        q->frames_at(q->frames_arg, in, h.vaddr, &frames);
        if (frames.count ? !match_frames(q, &frames, &m) : !match_start(q, in, h.vaddr, &m))
            continue;
        if (!GROW_ADD(out->match, out->cap, out->count, m))
            r = -ENOMEM;
    }
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
        uint64_t weight = 0;
        const struct match *m = &all->match[i];
        end = run_end(all, i);
        for (size_t k = i; k < end; k++)
            weight += all->match[k].place.sum.weight;
        if (best && (best->own > m->own || (best->own == m->own && weight <= max)))
            continue;
        best = m;
        max = weight;
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
        if (m->place.file && m->place.sum.weight > max) {
            file = m->place.file;
            max = m->place.sum.weight;
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
        annotate_add(&a->sum, &p->sum);
        if (p->inlined)
            annotate_add(&a->inlined, &p->sum);
    }
    return 0;
}

static bool starts_at(const struct module *m, uint64_t vaddr, uint64_t start)
{
    uint64_t found;
    return module_function_start(m, vaddr, &found) && found == start;
}

/* Behind a function that has no symbol, of which an address is known. */
static uint64_t nameless_end(const struct module *m, uint64_t start, uint64_t within)
{
    uint64_t step = 1;
    while (step < MAX_CODE && starts_at(m, within + step, start)) {
        within += step;
        step *= 2;
    }
    for (; step; step /= 2)
        if (starts_at(m, within + step, start))
            within += step;
    return within + 1;
}

static void set_range(struct annotate *a, const struct match *m)
{
    uint64_t at = m->place.vaddr;
    if (module_symbol(a->module, at, &a->function)) {
        a->function.name = m->name;
        return;
    }
    bool known = starts_at(a->module, at, m->start);
    a->function = (struct symbol){.name = m->name,
                                  .start = known ? m->start : at,
                                  .end = known ? nameless_end(a->module, m->start, at) : at + 1};
}

static int choose_symbol(struct annotate *a, const struct matches *all)
{
    const struct match *symbol = busiest_symbol(all);
    if (!symbol)
        return -ENOENT;
    a->module = sampled_module(a->sampled, symbol->module);
    set_range(a, symbol);
    return collect_places(a, all, symbol);
}

int annotate_find(const struct sampled *s, const struct annotate_query *q, struct annotate *out,
                  struct fail *f)
{
    struct hits hits;
    struct matches all = {0};
    *out = (struct annotate){.sampled = s, .query = *q};
    const struct sampled_part all_samples = {s->cells.record, s->cells.count};
    int r = hits_make_part(s, q->part ? q->part : &all_samples, true, &hits);
    if (r == 0)
        r = find_matches(s, q, &hits, &all);
    hits_release(&hits);
    if (r == 0)
        r = choose_symbol(out, &all);
    free(all.match);
    if (r == -ENOENT)
        return fail_set(f, 0, "%s: no samples in a function of this name", q->name);
    return r < 0 ? fail_set(f, -r, "%s", q->name) : 0;
}

uint32_t annotate_line_at(const struct annotate *a, const char *file, uint64_t vaddr,
                          struct frames *f)
{
    struct match m = {0};
    frames_clear(f);
    a->query.frames_at(a->query.frames_arg, a->module, vaddr, f);
    if (!f->count || !match_frames(&a->query, f, &m) || !m.place.file)
        return 0;
    return strcmp(m.place.file, file) == 0 ? m.place.line : 0;
}

void annotate_release(struct annotate *a)
{
    free(a->place);
    *a = (struct annotate){0};
}
