#include "core/profile_file.h"

#include "core/buf.h"
#include "core/bytes.h"
#include "core/flat.h"
#include "histogram.h"

#include <inttypes.h>
#include <stdlib.h>

enum { COUNTER = 4, FIRST = 2, PAGE = 4096 };

static bool adds_up(const struct histogram *h)
{
    uint64_t sum = 0;
    for (size_t i = 1; i < h->count; i++)
        sum += histogram_counter(h, i);
    return sum == histogram_counter(h, 0);
}

/* Counters under 256 all round add up either way: then the smaller total is the likelier one. */
static struct histogram open_counters(const uint8_t *bytes, size_t len)
{
    struct histogram big = {bytes, len / COUNTER, get_be32, FIRST, FIRST, 3, 0}, little = big;
    little.get = get_le32;
    bool big_fits = adds_up(&big), little_fits = adds_up(&little);
    if (big_fits && little_fits)
        return histogram_counter(&little, 0) < histogram_counter(&big, 0) ? little : big;
    return little_fits ? little : big;
}

int profile_file_report(const uint8_t *bytes, size_t len, const struct symtab *text,
                        struct buf *out, struct fail *f)
{
    struct histogram_row *row;
    if (len < FIRST * COUNTER)
        return fail_set(f, 0, "data file too short");
    struct histogram h = open_counters(bytes, len);
    uint64_t total = histogram_counter(&h, 0), inside = total - histogram_counter(&h, 1);
    buf_printf(out, "total: %" PRIu64 "\n", total);
    if (total == 0)
        return 0;
    if (symtab_count(text) == 0)
        return fail_set(f, 0, "no text symbols");
    h.base = symtab_at(text, 0)->start & ~(uint64_t)(PAGE - 1);
    buf_printf(out, "TEXT %.8" PRIx64 "\n", h.base);
    int rows = histogram_rows(&h, text, &row);
    if (rows < 0)
        return fail_set(f, -rows, "report");
    if (rows)
        buf_adds(out, flat_header);
    for (int i = 0; i < rows; i++)
        flat_row_text(out, row[i].count, row[i].count, inside, row[i].name);
    free(row);
    return rows ? 0 : fail_set(f, 0, "no counts");
}
