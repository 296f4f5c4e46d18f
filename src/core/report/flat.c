#include "core/report/flat.h"

#include "core/base/sort.h"
#include "core/sample/hits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Two texts, of which one that is not there comes last. */
static int compare_texts(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : !a - !b;
}

/* By module, source line, name, then nameless functions by their start. Equal: one row. */
static int by_function(const void *pa, const void *pb)
{
    const struct flat_row *a = pa, *b = pb;
    if (a->module != b->module)
        return compare_u64(a->module, b->module);
    int order = compare_texts(a->file, b->file);
    if (order || a->file)
        return order ? order : compare_u64(a->line, b->line);
    order = compare_texts(a->function, b->function);
    return order || a->function ? order : compare_u64(a->start, b->start);
}

static int by_samples(const void *pa, const void *pb)
{
    const struct flat_row *a = pa, *b = pb;
    if (a->weight != b->weight)
        return compare_u64(b->weight, a->weight);
    if (!a->function != !b->function)
        return a->function ? -1 : 1;
    int order = a->function ? strcmp(a->function, b->function) : 0;
    return order ? order : by_function(a, b);
}

static int by_total(const void *pa, const void *pb)
{
    const struct flat *a = pa, *b = pb;
    if (a->weight != b->weight)
        return compare_u64(b->weight, a->weight);
    return a->thread && b->thread
               ? (a->thread->tid > b->thread->tid) - (a->thread->tid < b->thread->tid)
               : 0;
}

static void add_row(const struct flat_report *r, struct flat *f, const struct flat_row *row)
{
    f->row[f->rows++] = *row;
    if (r->by == FLAT_LINE ? !row->file : !row->function)
        f->unresolved += row->samples;
}

/* Names lie in files all over, and rows are compared and printed in other orders. */
static const char *own_name(struct flat_report *r, const char *name)
{
    const char *own = name ? intern_copy(&r->functions, name) : NULL;
    return own ? own : name;
}

/* By the innermost function and the line at the address. */
static bool row_of_frame(struct flat_report *r, const struct hit *h, struct flat_row *row)
{
    frames_clear(&r->frames);
    r->frames_at(r->frames_arg, sampled_module(r->sampled, h->module), h->vaddr, &r->frames);
    const struct frame *at = r->frames.count ? &r->frames.frame[0] : NULL;
    if (!at || (r->by == FLAT_LINE && (!at->file || !at->line)))
        return false;
    row->function = own_name(r, at->function);
    if (r->by == FLAT_LINE) {
        row->file = at->file;
        row->line = at->line;
    }
    return true;
}

/* The row of one place, and where its function ends, as far as that is known. */
static struct flat_row row_of(struct flat_report *r, const struct hit *h, uint64_t *end)
{
    struct flat_row row = {
        .module = h->module, .samples = h->samples, .weight = h->weight, .wait = h->wait};
    struct symbol sym;
    *end = h->vaddr;
    if (!h->known || (r->by != FLAT_FUNCTION && row_of_frame(r, h, &row)))
        return row;
    const struct module *m = sampled_module(r->sampled, h->module);
    if (module_symbol(m, h->vaddr, &sym)) {
        row.function = own_name(r, sym.name);
        if (r->by == FLAT_FUNCTION)
            *end = sym.end;
    } else if (!module_function_start(m, h->vaddr, &row.start)) {
        row.start = 0;
    }
    return row;
}

static void add_hit(struct flat_row *row, const struct hit *h)
{
    row->samples += h->samples;
    row->weight += h->weight;
    row->wait += h->wait;
}

/* Hits come sorted, so that those of one function are adjacent. */
static void make_rows(struct flat_report *r, const struct hit *h, const struct hit *last,
                      struct flat *f)
{
    while (h < last) {
        uint64_t end;
        struct flat_row row = row_of(r, h, &end);
        while (++h < last && h->module == row.module && h->known && h->vaddr < end)
            add_hit(&row, h);
        add_row(r, f, &row);
        if (r->row_made)
            r->row_made(r->frames_arg);
    }
}

static void merge_row(struct flat_row *into, const struct flat_row *row)
{
    into->samples += row->samples;
    into->weight += row->weight;
    into->wait += row->wait;
}

/* Functions of one name in one module (static ones of several files) are one row. */
static void merge_rows(struct flat *f)
{
    size_t kept = 0;
    sort_array(f->row, f->rows, sizeof *f->row, by_function);
    for (size_t i = 0; i < f->rows; i++) {
        if (kept && by_function(&f->row[kept - 1], &f->row[i]) == 0)
            merge_row(&f->row[kept - 1], &f->row[i]);
        else
            f->row[kept++] = f->row[i];
    }
    f->rows = kept;
}

/* Of the hits of one set. */
static int flat_one(struct flat_report *r, const struct hit *h, const struct hit *last,
                    struct flat *f)
{
    f->row = malloc((size_t)(last - h + 1) * sizeof *f->row);
    if (!f->row)
        return -ENOMEM;
    if (!r->whole && r->sampled->want.by != SAMPLED_WHOLE)
        f->thread = &r->sampled->threads.thread[h->set];
    for (const struct hit *each = h; each < last; each++) {
        f->samples += each->samples;
        f->weight += each->weight;
        f->wait += each->wait;
    }
    make_rows(r, h, last, f);
    merge_rows(f);
    sort_array(f->row, f->rows, sizeof *f->row, by_samples);
    return 0;
}

static size_t count_sets(const struct hits *h)
{
    size_t n = 0;
    for (size_t i = 0; i < h->count; i++)
        n += !i || h->hit[i].set != h->hit[i - 1].set;
    return n;
}

static int all_sets(struct flat_report *out, const struct hits *hits)
{
    const struct hit *h = hits->hit, *end = h + hits->count, *last;
    out->flat = calloc(count_sets(hits) + 1, sizeof *out->flat);
    if (!out->flat)
        return -ENOMEM;
    for (; h < end; h = last) {
        for (last = h; last < end && last->set == h->set; last++)
            ;
        struct flat *f = &out->flat[out->flats++];
        if (flat_one(out, h, last, f) < 0)
            return -ENOMEM;
        out->unresolved += f->unresolved;
    }
    sort_array(out->flat, out->flats, sizeof *out->flat, by_total);
    return 0;
}

int flat_make(const struct sampled *s, struct flat_report *out)
{
    struct hits hits;
    out->sampled = s;
    if (hits_make(s, out->whole, &hits) < 0)
        return -ENOMEM;
    int r = all_sets(out, &hits);
    hits_release(&hits);
    return r;
}

void flat_release(struct flat_report *r)
{
    for (size_t i = 0; i < r->flats; i++)
        free(r->flat[i].row);
    free(r->flat);
    frames_release(&r->frames);
    intern_release(&r->functions);
    r->flat = NULL;
    r->flats = 0;
}
