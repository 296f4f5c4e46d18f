#include "core/report/profile_file.h"

#include "core/base/buf.h"
#include "core/base/bytes.h"
#include "core/base/time_ns.h"
#include "core/report/flat.h"
#include "histogram.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { COUNTER = 4, FIRST = 2, LOG2 = 3, PAGE = 4096, MAX_TEXT = 1 << 30 };

uint64_t profile_file_base(uint64_t first)
{
    return first & ~(uint64_t)(PAGE - 1);
}

static bool adds_up(const struct histogram *h)
{
    uint64_t sum = 0;
    for (size_t i = 1; i < h->count; i++)
        sum += histogram_counter(h, i);
    return sum == histogram_counter(h, 0);
}

/* When all counters are below 256 both byte orders add up: the smaller total is more likely. */
static struct histogram open_counters(const uint8_t *bytes, size_t len)
{
    struct histogram big = {bytes, len / COUNTER, get_be32, FIRST, FIRST, LOG2, 0}, little = big;
    little.get = get_le32;
    bool big_fits = adds_up(&big), little_fits = adds_up(&little);
    if (big_fits && little_fits)
        return histogram_counter(&little, 0) < histogram_counter(&big, 0) ? little : big;
    return little_fits ? little : big;
}

static int no_symbols(struct fail *f)
{
    fail_set(f, 0, "no text symbols");
    fail_hint(f, "it is stripped: name the unstripped file as BINARY");
    return -EINVAL;
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
        return no_symbols(f);
    h.base = profile_file_base(symtab_at(text, 0)->start);
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

/* --- writing --- */

/* Whole ms out of time that comes in parts: what is left of one goes on to the next. */
static uint32_t whole_ms(uint64_t *total_ns, uint64_t ns)
{
    uint64_t before = *total_ns / NS_PER_MS;
    *total_ns += ns;
    return (uint32_t)(*total_ns / NS_PER_MS - before);
}

static bool is_inside(const struct profile_counts *c, const struct profile_hit *h)
{
    return h->vaddr >= c->base && h->vaddr < c->end;
}

static void add_ms(uint8_t *counter, uint32_t ms)
{
    put_be32(counter, get_be32(counter) + ms);
}

static void fill_counters(const struct profile_counts *c, uint8_t *counter)
{
    uint64_t total_ns = 0, outside_ns = c->outside_ns;
    for (size_t i = 0; i < c->hits; i++) {
        const struct profile_hit *h = &c->hit[i];
        if (is_inside(c, h))
            add_ms(counter + COUNTER * (FIRST + ((h->vaddr - c->base) >> LOG2)),
                   whole_ms(&total_ns, h->ns));
        else
            outside_ns += h->ns;
    }
    add_ms(counter + COUNTER, whole_ms(&total_ns, outside_ns));
    add_ms(counter, (uint32_t)(total_ns / NS_PER_MS));
}

size_t profile_file_length(uint64_t base, uint64_t end)
{
    if (end < base || end - base > MAX_TEXT)
        return 0;
    return COUNTER * (FIRST + (size_t)((end - base + (1 << LOG2) - 1) >> LOG2));
}

int profile_file_write(const struct profile_counts *c, struct buf *out)
{
    size_t len = profile_file_length(c->base, c->end);
    if (!len)
        return -EFBIG;
    uint8_t *counter = buf_reserve(out, len);
    if (!counter)
        return -ENOMEM;
    memset(counter, 0, len);
    fill_counters(c, counter);
    buf_commit(out, len);
    return 0;
}
