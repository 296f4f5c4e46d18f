#include "cfi_table.h"

#include "core/base/budget.h"
#include "core/base/search.h"

#include <errno.h>
#include <stdlib.h>

/* After the rows are made, nothing is looked up by hash. */
static void trim_tables(struct cfi *c)
{
    cfi_pool_trim(&c->pool);
    budget_shrink(c->budget, (void **)&c->row, &c->row_cap, c->rows, sizeof *c->row);
}

static void find_extent(struct cfi *c, const struct cfi_file *x)
{
    c->base = c->end = x->codes ? x->code[0].start : 0;
    for (size_t i = 0; i < x->codes; i++) {
        c->base = x->code[i].start < c->base ? x->code[i].start : c->base;
        c->end = x->code[i].end > c->end ? x->code[i].end : c->end;
    }
    if (c->end - c->base > UINT32_MAX) /* a row counts no further */
        c->end = c->base + UINT32_MAX;
}

static int read_files(struct cfi *c, const struct cfi_image *file, const struct cfi_image *debug,
                      struct fail *f)
{
    struct cfi_file x[2] = {0};
    const struct cfi_file *use[2] = {&x[0], &x[1]};
    size_t files = 1;
    int err = cfi_file_read(&x[0], c, file, true, f);
    if (!err && debug && cfi_file_read(&x[1], c, debug, false, NULL) == 0)
        files = 2;
    find_extent(c, &x[0]);
    if (!err)
        err = cfi_build(c, use, files, f);
    cfi_file_release(&x[0]);
    cfi_file_release(&x[1]);
    return err;
}

int cfi_new(const struct cfi_image *file, const struct cfi_image *debug, struct cfi **out,
            struct fail *f)
{
    struct cfi *c = calloc(1, sizeof *c);
    if (!c)
        return fail_set(f, ENOMEM, "call frame information");
    c->budget = c->pool.budget = file->budget;
    int err = read_files(c, file, debug, f);
    if (err) {
        cfi_free(c);
        return err;
    }
    trim_tables(c);
    *out = c;
    return 0;
}

void cfi_free(struct cfi *c)
{
    if (!c)
        return;
    arm_memo_release(c);
    free(c->raisers);
    cfi_pool_release(&c->pool);
    budget_free(c->budget, c->row, c->row_cap, sizeof *c->row);
    budget_free(c->budget, c->start, c->start_cap, sizeof *c->start);
    free(c);
}

void cfi_size(const struct cfi *c, struct cfi_size *out)
{
    *out = (struct cfi_size){.rows = c->rows,
                             .rules = c->pool.strings,
                             .functions = c->functions,
                             .refused = c->refused};
    out->bytes = sizeof *c + c->row_cap * sizeof *c->row + c->start_cap * sizeof *c->start +
                 c->pool.cap * sizeof *c->pool.words + arm_memo_bytes(c) +
                 (c->raisers ? sizeof *c->raisers : 0);
}

uint64_t cfi_entry(const struct cfi *c)
{
    return c->entry;
}

static size_t cache_slot(uint32_t at)
{
    return (at ^ at >> 9) % CFI_CACHE;
}

void cfi_note_plain(struct cfi *c, uint64_t vaddr)
{
    uint32_t at = (uint32_t)(vaddr - c->base);
    if (vaddr >= c->base && vaddr < c->end)
        c->plain[cache_slot(at)] = at;
}

bool cfi_is_plain(const struct cfi *c, uint64_t vaddr)
{
    uint32_t at = (uint32_t)(vaddr - c->base);
    return vaddr > c->base && vaddr < c->end && c->plain[cache_slot(at)] == at;
}

/* The last row at or below; 0 when there is none. */
static uint32_t search_rows(const struct cfi *c, uint32_t at)
{
    size_t above = FIRST_ABOVE(c->row, c->rows, at, at);
    return above ? c->row[above - 1].rule : 0;
}

cfi_rule cfi_find(struct cfi *c, uint64_t vaddr)
{
    if (vaddr < c->base || vaddr >= c->end)
        return NULL;
    uint32_t at = (uint32_t)(vaddr - c->base);
    struct cfi_row *known = &c->cache[cache_slot(at)];
    if (known->at != at || !at)
        *known = (struct cfi_row){at, search_rows(c, at)};
    return known->rule ? c->pool.words + known->rule : NULL;
}

cfi_rule cfi_find_range(const struct cfi *c, uint64_t vaddr, uint64_t *end)
{
    *end = vaddr + 1;
    if (vaddr < c->base || vaddr >= c->end)
        return NULL;
    size_t above = FIRST_ABOVE(c->row, c->rows, at, (uint32_t)(vaddr - c->base));
    uint32_t rule = above ? c->row[above - 1].rule : 0;
    *end = above < c->rows ? c->base + c->row[above].at : c->end;
    return rule ? c->pool.words + rule : NULL;
}

bool cfi_function(struct cfi *c, uint64_t vaddr, uint64_t *start, uint64_t *end)
{
    if (!cfi_find(c, vaddr))
        return false;
    size_t next = FIRST_WHERE(c->starts, i, c->start[i] > vaddr - c->base);
    if (!next)
        return false;
    *start = c->base + c->start[next - 1];
    *end = next < c->starts ? c->base + c->start[next] : c->end;
    return true;
}
