#include "histogram.h"

#include "core/base/sort.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

uint64_t histogram_counter(const struct histogram *h, size_t i)
{
    return h->get(h->bytes + i * 4);
}

/* Of the spans that begin in [start, end), from base. */
static uint64_t sum_counters(const struct histogram *h, uint64_t start, uint64_t end)
{
    uint64_t span = (uint64_t)1 << h->log2, total = 0;
    uint64_t n = (start + span - 1) >> h->log2;
    if (n + h->shift < h->first)
        n = h->first - h->shift;
    for (; n < h->count - h->shift && n << h->log2 < end; n++)
        total += histogram_counter(h, (size_t)n + h->shift);
    return total;
}

static int most_first(const void *pa, const void *pb)
{
    const struct histogram_row *a = pa, *b = pb;
    return ORDER(b->count, a->count) ?: strcmp(a->name, b->name);
}

int histogram_rows(const struct histogram *h, const struct symtab *text, struct histogram_row **out)
{
    size_t symbols = symtab_count(text), rows = 0;
    struct histogram_row *row = calloc(symbols + 1, sizeof *row);
    if (!row)
        return -ENOMEM;
    for (size_t i = 0; i < symbols; i++) {
        const struct symbol *s = symtab_at(text, i);
        if (s->start < h->base)
            continue;
        uint64_t end = i + 1 < symbols ? symtab_at(text, i + 1)->start - h->base : UINT64_MAX;
        uint64_t count = sum_counters(h, s->start - h->base, end);
        if (count)
            row[rows++] = (struct histogram_row){s->name, count};
    }
    sort_array(row, rows, sizeof *row, most_first);
    *out = row;
    return (int)rows;
}
