#include "stack_cache.h"

#include <string.h>

/* Of the pages that are read at once: those behind the one that is wanted, where the callers are;
 * and, up to where the kernel would have copied, those before it: pages that were never written
 * have nothing that it copies, until they are read so. */
enum { BEHIND = 3, SLICE = 1 << 16 };

static struct stack_cache_page *page_at(struct stack_cache *l, uint64_t number)
{
    return &l->page[number % STACK_CACHE_PAGES];
}

static bool is_page(const struct stack_cache_page *p, const struct stack_cache_sample *s,
                    uint64_t number)
{
    return p->pid == s->pid && p->number == number && p->round;
}

static bool is_fresh(struct stack_cache *l, const struct stack_cache_sample *s, uint64_t number)
{
    const struct stack_cache_page *p = page_at(l, number);
    return is_page(p, s, number) && p->round == l->round;
}

/* The kernel would have copied it, but for the pages between the slice and it. */
static bool in_slice(const struct stack_cache_sample *s, uint64_t number)
{
    return s->end / STACK_CACHE_PAGE_BYTES < number &&
           number * STACK_CACHE_PAGE_BYTES - s->sp < SLICE;
}

struct run { /* of pages, side by side in memory */
    uint64_t first;
    size_t count;
};

static struct run run_for(const struct stack_cache_sample *s, uint64_t number)
{
    uint64_t first = number;
    if (in_slice(s, number))
        first = s->end / STACK_CACHE_PAGE_BYTES;
    if (first % STACK_CACHE_PAGES > number % STACK_CACHE_PAGES)
        first = number;
    size_t count = (size_t)(number - first) + 1 + BEHIND,
           max = STACK_CACHE_PAGES - first % STACK_CACHE_PAGES;
    return (struct run){first, count < max ? count : max};
}

/* A page that could not be read again keeps what it has. */
static void note_page(struct stack_cache *l, const struct stack_cache_sample *s, uint64_t number,
                      bool read)
{
    struct stack_cache_page *p = page_at(l, number);
    if (read || !is_page(p, s, number))
        *p = (struct stack_cache_page){
            .number = number, .pid = s->pid, .valid = read, .time_ns = s->time_ns};
    p->round = l->round;
}

static void read_pages(struct stack_cache *l, const struct stack_cache_sample *s, uint64_t number,
                       stack_cache_reader *read, void *arg)
{
    struct run run = run_for(s, number);
    size_t got = read(arg, s->pid, run.first * STACK_CACHE_PAGE_BYTES,
                      l->bytes[run.first % STACK_CACHE_PAGES], run.count * STACK_CACHE_PAGE_BYTES) /
                 STACK_CACHE_PAGE_BYTES;
    l->last_read_round = l->round;
    for (size_t i = 0; i < run.count; i++)
        note_page(l, s, run.first + i, i < got);
}

static bool is_near(uint64_t a, uint64_t b)
{
    return (a > b ? a - b : b - a) <= STACK_CACHE_MAX_AGE_NS;
}

bool stack_cache_read(struct stack_cache *l, const struct stack_cache_sample *s, uint64_t addr,
                      void *bytes, size_t len, stack_cache_reader *read, void *arg)
{
    uint64_t number = addr / STACK_CACHE_PAGE_BYTES, at = addr % STACK_CACHE_PAGE_BYTES;
    struct stack_cache_page *p = page_at(l, number);
    if (addr < s->end || addr < s->sp || addr - s->sp >= STACK_CACHE_REACH ||
        len > STACK_CACHE_PAGE_BYTES - at)
        return false;
    if (!is_fresh(l, s, number) ||
        (in_slice(s, number) && !is_fresh(l, s, s->end / STACK_CACHE_PAGE_BYTES)))
        read_pages(l, s, number, read, arg);
    if (!p->valid || !is_near(p->time_ns, s->time_ns))
        return false;
    memcpy(bytes, l->bytes[number % STACK_CACHE_PAGES] + at, len);
    return true;
}
