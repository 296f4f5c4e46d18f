#include "core/report/kpdata.h"

#include "core/base/buf.h"
#include "core/base/bytes.h"
#include "core/text/shown.h"
#include "histogram.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    COUNTER = 4,
    SPECIAL = 6,
    PLAN9_SPECIAL = 2,
    LOG2 = 3,
    MAX_LOG2 = 20,
    PAGE = 4096,
    LOAD_UNIT = 1 << 16, /* kernels are linked some pages behind their base: ARM's by 32 KB */
    MAX_TEXT = 1 << 30
};

/* --- reading --- */

struct reading {
    struct histogram h;
    uint32_t us_per_tick;
};

static bool has_header(const struct histogram *h)
{
    return h->count >= SPECIAL && histogram_counter(h, 2) && histogram_counter(h, 3) == h->count &&
           histogram_counter(h, 4) == COUNTER && histogram_counter(h, 5) <= MAX_LOG2;
}

/* A header that fits but for the size of its counters. */
static bool other_sample_size(const uint8_t *bytes, size_t len)
{
    if (len < SPECIAL * COUNTER)
        return false;
    uint64_t count = get_be32(bytes + 12), size = get_be32(bytes + 16);
    return size != COUNTER && (size == 2 || size == 8) && count * size == len &&
           get_be32(bytes + 20) <= MAX_LOG2 && get_be32(bytes + 8);
}

static int open_data(const uint8_t *bytes, size_t len, struct reading *r, struct fail *f)
{
    if (len < PLAN9_SPECIAL * COUNTER)
        return fail_set(f, 0, "data file too short");
    if (other_sample_size(bytes, len))
        return fail_set(f, 0, "only sample size 4 supported");
    *r = (struct reading){{bytes, len / COUNTER, get_be32, PLAN9_SPECIAL, 0, LOG2, 0}, 1000};
    if (has_header(&r->h)) {
        r->us_per_tick = (uint32_t)histogram_counter(&r->h, 2);
        r->h.first = SPECIAL;
        r->h.log2 = (unsigned)histogram_counter(&r->h, 5);
    }
    return 0;
}

static uint64_t page_of(uint64_t address)
{
    return address & ~(uint64_t)(PAGE - 1);
}

/* The device has a counter for each span from its base, which is a page's, to the end of the text.
 * The last symbol ends there or, where something fills the text up, less than a page before. */
static uint64_t base_by_end(const struct histogram *h, const struct symtab *t)
{
    uint64_t first = symtab_at(t, 0)->start, end = symtab_at(t, symtab_count(t) - 1)->end;
    uint64_t bytes = (uint64_t)h->count << h->log2;
    if (end <= bytes || end > UINT64_MAX - PAGE)
        return page_of(first);
    uint64_t base = page_of(end - bytes + PAGE - 1);
    return base <= first ? base : page_of(first);
}

static uint64_t base_of(const struct histogram *h, const struct kpdata_text *text)
{
    return text->base ? page_of(text->base) : base_by_end(h, text->symbols);
}

static uint64_t load_unit_of(uint64_t address)
{
    return address & ~(uint64_t)(LOAD_UNIT - 1);
}

/* Of the symbols that are not below the base: modules may be there. */
static uint64_t first_symbol(const struct symtab *t, uint64_t base)
{
    const struct symbol *s = symtab_at(t, 0);
    if (s->start < base && !(s = symtab_next(t, base - 1)))
        return base;
    return s->start;
}

static void print_warning(const struct symtab *t, uint64_t base, struct buf *out)
{
    uint64_t first = load_unit_of(first_symbol(t, base));
    if (first != load_unit_of(base))
        buf_printf(out, "warning: kbase %.8" PRIx64 " != tbase %.8" PRIx64 "\n", base, first);
}

void kpdata_total(struct buf *out, uint64_t ticks, uint64_t outside)
{
    buf_printf(
        out, "total: %" PRIu64 "\tin kernel text: %" PRIu64 "\toutside kernel text: %" PRIu64 "\n",
        ticks, ticks - outside, outside);
}

static void print_base(struct buf *out, uint64_t base)
{
    buf_printf(out, "KTZERO %.8" PRIx64 " PGSIZE %dKb\n", base, PAGE / 1024);
}

void kpdata_base(struct buf *out, uint64_t base)
{
    print_base(out, base);
    buf_adds(out, "ms\t  %\tsym\n");
}

void kpdata_row(struct buf *out, uint64_t ms, uint64_t ticks, uint64_t whole, const char *name)
{
    buf_printf(out, "%" PRIu64 "\t%3" PRIu64 ".%" PRIu64 "\t", ms, whole ? 100 * ticks / whole : 0,
               whole ? 1000 * ticks / whole % 10 : 0);
    shown_printf(out, "%s\n", name);
}

static int report_rows(const struct reading *r, const struct symtab *text, uint64_t inside,
                       struct buf *out, struct fail *f)
{
    struct histogram_row *row;
    int rows = histogram_rows(&r->h, text, &row);
    if (rows < 0)
        return fail_set(f, -rows, "report");
    if (rows)
        kpdata_base(out, r->h.base);
    else
        print_base(out, r->h.base);
    for (int i = 0; i < rows; i++)
        kpdata_row(out, row[i].count * r->us_per_tick / 1000, row[i].count, inside,
                   row[i].name[0] ? row[i].name : "(no symbol)");
    free(row);
    return rows ? 0 : fail_set(f, 0, "no counts");
}

static int no_symbols(struct fail *f)
{
    fail_set(f, 0, "no text symbols");
    fail_hint(f, "it is stripped, or a kallsyms with hidden addresses: name a complete one");
    return -EINVAL;
}

int kpdata_report(const uint8_t *bytes, size_t len, const struct kpdata_text *text, struct buf *out,
                  struct fail *f)
{
    struct reading r;
    int e = open_data(bytes, len, &r, f);
    if (e < 0)
        return e;
    uint64_t total = histogram_counter(&r.h, 0), outside = histogram_counter(&r.h, 1);
    if (outside > total)
        outside = total;
    kpdata_total(out, total, outside);
    if (total == 0)
        return 0;
    if (symtab_count(text->symbols) == 0)
        return no_symbols(f);
    r.h.base = base_of(&r.h, text);
    print_warning(text->symbols, r.h.base, out);
    return report_rows(&r, text->symbols, total - outside, out, f);
}

/* --- writing --- */

size_t kpdata_length(uint64_t base, uint64_t end)
{
    if (end < base || end - base > MAX_TEXT)
        return 0;
    size_t count = (size_t)((end - base + (1 << LOG2) - 1) >> LOG2);
    return COUNTER * (count < SPECIAL ? SPECIAL : count);
}

int kpdata_init(struct kpdata *k, uint64_t base, uint64_t end, uint32_t us_per_tick)
{
    size_t count = kpdata_length(base, end) / COUNTER;
    if (!count)
        return -EFBIG;
    *k = (struct kpdata){calloc(count, sizeof *k->counter), count, base, us_per_tick};
    return k->counter ? 0 : -ENOMEM;
}

void kpdata_release(struct kpdata *k)
{
    free(k->counter);
    *k = (struct kpdata){0};
}

void kpdata_count(struct kpdata *k, uint64_t pc, uint64_t ticks)
{
    uint64_t j = pc >= k->base ? (pc - k->base) >> LOG2 : 0;
    k->counter[0] += (uint32_t)ticks;
    k->counter[j >= SPECIAL && j < k->count ? j : 1] += (uint32_t)ticks;
}

void kpdata_write(const struct kpdata *k, struct buf *out)
{
    uint8_t bytes[COUNTER];
    uint32_t head[SPECIAL] = {k->counter[0],      k->counter[1], k->us_per_tick,
                              (uint32_t)k->count, COUNTER,       LOG2};
    for (size_t i = 0; i < k->count; i++) {
        put_be32(bytes, i < SPECIAL ? head[i] : k->counter[i]);
        buf_add(out, bytes, sizeof bytes);
    }
}

bool kpdata_add(struct buf *to, const struct buf *more)
{
    enum { FIXED = 2 * COUNTER, FIXED_END = SPECIAL * COUNTER };
    if (to->len != more->len || to->len < FIXED_END ||
        memcmp(to->data + FIXED, more->data + FIXED, FIXED_END - FIXED) != 0)
        return false;
    for (size_t at = 0; at + COUNTER <= to->len; at += COUNTER)
        if (at < FIXED || at >= FIXED_END)
            put_be32(to->data + at, get_be32(to->data + at) + get_be32(more->data + at));
    return true;
}
