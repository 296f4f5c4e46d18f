#include "core/flat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A place with its link-time address, to be walked beside the symbols. */
struct hit {
    size_t module;
    uint64_t vaddr, samples;
    bool known; /* vaddr is one */
};

static int by_place(const void *pa, const void *pb)
{
    const struct hit *a = pa, *b = pb;
    if (a->module != b->module)
        return a->module < b->module ? -1 : 1;
    if (a->known != b->known)
        return a->known ? 1 : -1;
    return a->vaddr < b->vaddr ? -1 : a->vaddr > b->vaddr;
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* By module, then names, then nameless functions by their start. Equal: one row. */
static int by_function(const void *pa, const void *pb)
{
    const struct flat_row *a = pa, *b = pb;
    if (a->module != b->module)
        return compare(a->module, b->module);
    if (!a->function || !b->function)
        return a->function || b->function ? !a->function - !b->function
                                          : compare(a->start, b->start);
    return strcmp(a->function, b->function);
}

static int by_samples(const void *pa, const void *pb)
{
    const struct flat_row *a = pa, *b = pb;
    if (a->samples != b->samples)
        return compare(b->samples, a->samples);
    int order = a->function && b->function ? strcmp(a->function, b->function) : 0;
    return order ? order : by_function(a, b);
}

static int by_total(const void *pa, const void *pb)
{
    const struct flat *a = pa, *b = pb;
    if (a->samples != b->samples)
        return a->samples > b->samples ? -1 : 1;
    return a->thread && b->thread
               ? (a->thread->tid > b->thread->tid) - (a->thread->tid < b->thread->tid)
               : 0;
}

static struct hit *hits_of(const struct sampled *s, const struct imap *places, size_t *count)
{
    struct hit *hits = malloc((places->used + 1) * sizeof *hits);
    struct imap_slot slot;
    size_t n = 0;
    if (!hits)
        return NULL;
    for (size_t i = 0; imap_next(places, &i, &slot);) {
        struct hit *h = &hits[n++];
        *h = (struct hit){.module = sampled_place_module(slot.key), .samples = slot.value};
        h->known =
            module_vaddr(s->modules.module[h->module], sampled_place_offset(slot.key), &h->vaddr);
    }
    qsort(hits, n, sizeof *hits, by_place);
    *count = n;
    return hits;
}

static void add_row(struct flat *f, const struct flat_row *row)
{
    f->row[f->rows++] = *row;
    if (!row->function)
        f->unresolved += row->samples;
}

/* The row of one place, and where its function ends, as far as that is known. */
static struct flat_row row_of(const struct sampled *s, const struct hit *h, uint64_t *end)
{
    struct flat_row row = {.module = h->module, .samples = h->samples};
    *end = h->vaddr;
    if (!h->known)
        return row;
    const struct module *m = s->modules.module[h->module];
    struct symbol sym;
    if (module_symbol(m, h->vaddr, &sym)) {
        row.function = sym.name;
        *end = sym.end;
    } else if (!m->elf || !elf_function_start(m->elf, h->vaddr, &row.start)) {
        row.start = 0;
    }
    return row;
}

/* Hits come sorted, so that those of one function stand together. */
static void make_rows(const struct sampled *s, const struct hit *hits, size_t n, struct flat *f)
{
    for (size_t i = 0; i < n;) {
        uint64_t end;
        struct flat_row row = row_of(s, &hits[i], &end);
        while (++i < n && hits[i].module == row.module && hits[i].known && hits[i].vaddr < end)
            row.samples += hits[i].samples;
        add_row(f, &row);
    }
}

/* Functions of one name in one module (static ones of several files) are one row. */
static void merge_rows(struct flat *f)
{
    size_t kept = 0;
    qsort(f->row, f->rows, sizeof *f->row, by_function);
    for (size_t i = 0; i < f->rows; i++) {
        if (kept && by_function(&f->row[kept - 1], &f->row[i]) == 0)
            f->row[kept - 1].samples += f->row[i].samples;
        else
            f->row[kept++] = f->row[i];
    }
    f->rows = kept;
}

static int flat_one(const struct sampled *s, const struct imap *places, uint64_t outside,
                    struct flat *f)
{
    size_t n = 0;
    struct hit *hits = hits_of(s, places, &n);
    f->row = malloc((n + 1) * sizeof *f->row);
    if (!hits || !f->row) {
        free(hits);
        return -ENOMEM;
    }
    make_rows(s, hits, n, f);
    free(hits);
    if (outside)
        add_row(f, &(struct flat_row){.module = SIZE_MAX, .samples = outside});
    merge_rows(f);
    qsort(f->row, f->rows, sizeof *f->row, by_samples);
    return 0;
}

int flat_make(const struct sampled *s, struct flat_report *out)
{
    static const struct imap none;
    size_t want = s->want.threads ? s->threads : 1;
    out->sampled = s;
    out->flat = calloc(want ? want : 1, sizeof *out->flat);
    if (!out->flat)
        return -ENOMEM;
    for (size_t i = 0; i < want; i++) {
        struct flat *f = &out->flat[out->flats];
        const struct sampled_thread *t = s->want.threads ? &s->thread[i] : NULL;
        f->thread = t;
        f->samples = t ? t->samples : s->samples;
        if (t && !t->samples)
            continue;
        out->flats++;
        if (flat_one(s, i < s->place_sets ? &s->places[i] : &none, t ? t->outside : s->outside, f) <
            0)
            return -ENOMEM;
        out->unresolved += f->unresolved;
    }
    qsort(out->flat, out->flats, sizeof *out->flat, by_total);
    return 0;
}

void flat_release(struct flat_report *r)
{
    for (size_t i = 0; i < r->flats; i++)
        free(r->flat[i].row);
    free(r->flat);
    r->flat = NULL;
    r->flats = 0;
}
