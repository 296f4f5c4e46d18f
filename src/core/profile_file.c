#include "core/profile_file.h"

#include "core/buf.h"
#include "core/bytes.h"
#include "core/flat.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { COUNTER = 4, SPAN = 8, FIRST = 2, PAGE = 4096 };

struct counters {
    const uint8_t *bytes;
    size_t count;
    uint32_t (*get)(const void *p);
};

struct row {
    const char *name;
    uint64_t ms;
};

static uint64_t counter(const struct counters *c, size_t i)
{
    return c->get(c->bytes + i * COUNTER);
}

static bool adds_up(const struct counters *c)
{
    uint64_t sum = 0;
    for (size_t i = 1; i < c->count; i++)
        sum += counter(c, i);
    return sum == counter(c, 0);
}

/* Counters under 256 all round add up either way: then the smaller total is the likelier one. */
static struct counters open_counters(const uint8_t *bytes, size_t len)
{
    struct counters big = {bytes, len / COUNTER, get_be32};
    struct counters little = {bytes, len / COUNTER, get_le32};
    bool big_fits = adds_up(&big), little_fits = adds_up(&little);
    if (big_fits && little_fits)
        return counter(&little, 0) < counter(&big, 0) ? little : big;
    return little_fits ? little : big;
}

/* A function reaches to the next one, as Plan 9's symbols have no size. */
static size_t sum_rows(const struct counters *c, const struct symtab *text, uint64_t base,
                       struct row *row)
{
    size_t rows = 0, symbols = symtab_count(text);
    for (size_t i = 0; i < symbols; i++) {
        uint64_t start = symtab_at(text, i)->start - base;
        uint64_t end = i + 1 < symbols ? symtab_at(text, i + 1)->start - base : UINT64_MAX;
        uint64_t ms = 0;
        for (uint64_t n = (start + SPAN - 1) / SPAN; n < c->count - FIRST && n * SPAN < end; n++)
            ms += counter(c, (size_t)n + FIRST);
        if (ms)
            row[rows++] = (struct row){symtab_at(text, i)->name, ms};
    }
    return rows;
}

static int most_first(const void *pa, const void *pb)
{
    const struct row *a = pa, *b = pb;
    if (a->ms != b->ms)
        return a->ms > b->ms ? -1 : 1;
    return strcmp(a->name, b->name);
}

int profile_file_report(const uint8_t *bytes, size_t len, const struct symtab *text,
                        struct buf *out, struct fail *f)
{
    if (len < FIRST * COUNTER)
        return fail_set(f, 0, "data file too short");
    struct counters c = open_counters(bytes, len);
    uint64_t total = counter(&c, 0), inside = total - counter(&c, 1);
    buf_printf(out, "total: %" PRIu64 "\n", total);
    if (total == 0)
        return 0;
    if (symtab_count(text) == 0)
        return fail_set(f, 0, "no text symbols");
    uint64_t base = symtab_at(text, 0)->start & ~(uint64_t)(PAGE - 1);
    buf_printf(out, "TEXT %.8" PRIx64 "\n", base);
    struct row *row = calloc(symtab_count(text), sizeof *row);
    if (!row)
        return fail_set(f, ENOMEM, "report");
    size_t rows = sum_rows(&c, text, base, row);
    qsort(row, rows, sizeof *row, most_first);
    if (rows)
        buf_adds(out, flat_header);
    for (size_t i = 0; i < rows; i++)
        flat_row_text(out, row[i].ms, row[i].ms, inside, row[i].name);
    free(row);
    return rows ? 0 : fail_set(f, 0, "no counts");
}
