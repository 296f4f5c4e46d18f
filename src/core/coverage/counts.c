#include "core/coverage/counts.h"

#include "core/base/grow.h"
#include "core/base/search.h"
#include "core/base/sort.h"

#include <stdlib.h>

void coverage_counts_release(struct coverage_counts *c)
{
    for (size_t i = 0; i < c->pages; i++)
        free(c->page[i]);
    free(c->page);
    imap_release(&c->index);
    *c = (struct coverage_counts){0};
}

static struct coverage_page *find_page(const struct coverage_counts *c, uint64_t vaddr)
{
    uint64_t i = imap_get(&c->index, vaddr / COVERAGE_PAGE + 1);
    return i ? c->page[i - 1] : NULL;
}

static struct coverage_page *add_page(struct coverage_counts *c, uint64_t vaddr)
{
    struct coverage_page *p = calloc(1, sizeof *p);
    uint64_t *index = p ? imap_at(&c->index, vaddr / COVERAGE_PAGE + 1) : NULL;
    if (!index || !GROW_ADD(c->page, c->cap, c->pages, p)) {
        free(p);
        return NULL;
    }
    p->start = vaddr / COVERAGE_PAGE * COVERAGE_PAGE;
    *index = c->pages;
    return p;
}

uint64_t *coverage_count_at(struct coverage_counts *c, uint64_t vaddr)
{
    struct coverage_page *p = find_page(c, vaddr);
    if (!p)
        p = add_page(c, vaddr);
    return p ? &p->count[vaddr % COVERAGE_PAGE] : NULL;
}

uint64_t coverage_count(const struct coverage_counts *c, uint64_t vaddr)
{
    const struct coverage_page *p = find_page(c, vaddr);
    return p ? p->count[vaddr % COVERAGE_PAGE] : 0;
}

/* --- in order --- */

static int compare_pages(const void *a, const void *b)
{
    const struct coverage_page *const *x = a, *const *y = b;
    return ORDER((*x)->start, (*y)->start);
}

void coverage_sort(struct coverage_counts *c)
{
    sort_array(c->page, c->pages, sizeof(struct coverage_page *), compare_pages);
    for (size_t i = 0; i < c->pages; i++)
        *imap_at(&c->index, c->page[i]->start / COVERAGE_PAGE + 1) = i + 1;
}

/* The first page that ends behind an address. */
static size_t page_from(const struct coverage_counts *c, uint64_t vaddr)
{
    return FIRST_WHERE(c->pages, i, c->page[i]->start + (COVERAGE_PAGE - 1) >= vaddr);
}

bool coverage_next(const struct coverage_counts *c, uint64_t *vaddr, uint64_t *count)
{
    for (size_t i = page_from(c, *vaddr); i < c->pages; i++) {
        const struct coverage_page *p = c->page[i];
        for (size_t at = *vaddr > p->start ? *vaddr - p->start : 0; at < COVERAGE_PAGE; at++)
            if (p->count[at]) {
                *vaddr = p->start + at;
                *count = p->count[at];
                return true;
            }
    }
    return false;
}
