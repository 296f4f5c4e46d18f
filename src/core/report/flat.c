#include "core/report/flat.h"

#include "core/base/grow.h"
#include "core/base/scope.h"
#include "core/base/sort.h"
#include "core/sample/hits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A hit ahead. */
struct reading {
    struct hits *hits;
    struct hit hit;
    bool more;
};

static bool read_hit(struct reading *at)
{
    return at->more = hits_next(at->hits, &at->hit);
}

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

static void merge_row(struct flat_row *into, const struct flat_row *row)
{
    into->samples += row->samples;
    into->weight += row->weight;
    into->wait += row->wait;
}

/* Whether they are one row, as far as it shows without reading names, which are in mapped files. */
static bool is_same(const struct flat_row *a, const struct flat_row *b)
{
    return a->module == b->module && a->file == b->file && a->line == b->line &&
           a->function == b->function && a->start == b->start;
}

/* Places of a function without a symbol come one by one. cap: of f->row. */
static bool add_row(const struct flat_report *r, struct flat *f, size_t *cap,
                    const struct flat_row *row)
{
    struct flat_row *last = f->rows ? &f->row[f->rows - 1] : NULL;
    if (last && is_same(last, row)) {
        merge_row(last, row);
    } else {
        if (!grow(&f->row, cap, f->rows, sizeof *f->row))
            return false;
        f->row[f->rows++] = *row;
    }
    if (r->by == FLAT_LINE ? !row->file : !row->function)
        f->unresolved += row->samples;
    return true;
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
        row.function = sym.name;
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

static void row_made(struct flat_report *r, const struct flat_row *row)
{
    if (r->row_made)
        r->row_made(r->frames_arg, sampled_module(r->sampled, row->module));
}

/* In the order of where they lie, so that each page of a mapped file is read once. */
static bool own_names(struct flat_report *r, struct flat *f)
{
    SCOPED_FREE struct radix_key *key = reallocarray(NULL, f->rows + 1, sizeof *key);
    for (size_t i = 0; key && i < f->rows; i++)
        key[i] = (struct radix_key){(uintptr_t)f->row[i].function, 0, (uint32_t)i};
    if (key)
        radix_sort(key, f->rows);
    for (size_t i = 0; key && i < f->rows; i++) {
        struct flat_row *row = &f->row[key[i].index];
        row->function = own_name(r, row->function);
        row_made(r, row);
    }
    return key;
}

static void add_sums(struct flat *f, const struct hit *h)
{
    f->samples += h->samples;
    f->weight += h->weight;
    f->wait += h->wait;
}

/* Of the hits of the first one's set; those of one function are adjacent. False: no memory. */
static bool make_rows(struct flat_report *r, struct reading *at, struct flat *f)
{
    size_t cap = 0;
    uint32_t set = at->hit.set;
    while (at->more && at->hit.set == set) {
        uint64_t end;
        struct flat_row row = row_of(r, &at->hit, &end);
        add_sums(f, &at->hit);
        while (read_hit(at) && at->hit.set == set && at->hit.module == row.module &&
               at->hit.known && at->hit.vaddr < end) {
            add_hit(&row, &at->hit);
            add_sums(f, &at->hit);
        }
        if (!add_row(r, f, &cap, &row))
            return false;
        row_made(r, &row);
    }
    return own_names(r, f);
}

static int flat_one(struct flat_report *r, struct reading *at, struct flat *f)
{
    if (!r->whole && r->sampled->want.by != SAMPLED_WHOLE)
        f->thread = &r->sampled->threads.thread[at->hit.set];
    if (!make_rows(r, at, f))
        return -ENOMEM;
    merge_rows(f);
    sort_array(f->row, f->rows, sizeof *f->row, by_samples);
    r->unresolved += f->unresolved;
    return 0;
}

static int all_sets(struct flat_report *out, struct hits *hits)
{
    struct reading at = {.hits = hits};
    size_t cap = 0;
    read_hit(&at);
    while (at.more) {
        if (!grow_zeroed(&out->flat, &cap, out->flats + 1, sizeof *out->flat) ||
            flat_one(out, &at, &out->flat[out->flats++]) < 0)
            return -ENOMEM;
    }
    sort_array(out->flat, out->flats, sizeof *out->flat, by_total);
    return 0;
}

int flat_make(const struct sampled *s, struct flat_report *out)
{
    SCOPED(hits_release) struct hits hits;
    out->sampled = s;
    int r = hits_make(s, out->whole, &hits);
    return r == 0 ? all_sets(out, &hits) : r;
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
