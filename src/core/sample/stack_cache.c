#include "stack_cache.h"

#include <string.h>

/* Of the pages that are read at once: those behind the one that is wanted, where the callers are;
 * and, up to where the kernel would have copied, those before it: pages that were never written
 * have nothing that it copies, until they are read so. */
enum { BEHIND = 3, SLICE = 1 << 16 };

static struct late_page *page_at(struct late *l, uint64_t number)
{
    return &l->page[number % LATE_PAGES];
}

static bool is_page(const struct late_page *p, const struct late_stack *s, uint64_t number)
{
    return p->pid == s->pid && p->number == number && p->round;
}

static bool is_fresh(struct late *l, const struct late_stack *s, uint64_t number)
{
    const struct late_page *p = page_at(l, number);
    return is_page(p, s, number) && p->round == l->round;
}

/* The kernel would have copied it, but for the pages between the slice and it. */
static bool in_slice(const struct late_stack *s, uint64_t number)
{
    return s->end / LATE_PAGE < number && number * LATE_PAGE - s->sp < SLICE;
}

struct run { /* of pages, side by side in memory */
    uint64_t first;
    size_t count;
};

static struct run run_for(const struct late_stack *s, uint64_t number)
{
    uint64_t first = number;
    if (in_slice(s, number))
        first = s->end / LATE_PAGE;
    if (first % LATE_PAGES > number % LATE_PAGES)
        first = number;
    size_t count = (size_t)(number - first) + 1 + BEHIND, most = LATE_PAGES - first % LATE_PAGES;
    return (struct run){first, count < most ? count : most};
}

/* A page that could not be read again keeps what it has. */
static void note(struct late *l, const struct late_stack *s, uint64_t number, bool read)
{
    struct late_page *p = page_at(l, number);
    if (read || !is_page(p, s, number))
        *p = (struct late_page){
            .number = number, .pid = s->pid, .there = read, .time_ns = s->time_ns};
    p->round = l->round;
}

static void read_pages(struct late *l, const struct late_stack *s, uint64_t number,
                       late_reader *read, void *arg)
{
    struct run run = run_for(s, number);
    size_t got = read(arg, s->pid, run.first * LATE_PAGE, l->bytes[run.first % LATE_PAGES],
                      run.count * LATE_PAGE) /
                 LATE_PAGE;
    l->asked = l->round;
    for (size_t i = 0; i < run.count; i++)
        note(l, s, run.first + i, i < got);
}

static bool is_near(uint64_t a, uint64_t b)
{
    return (a > b ? a - b : b - a) <= LATE_NS;
}

bool late_read(struct late *l, const struct late_stack *s, uint64_t addr, void *bytes, size_t len,
               late_reader *read, void *arg)
{
    uint64_t number = addr / LATE_PAGE, at = addr % LATE_PAGE;
    struct late_page *p = page_at(l, number);
    if (addr < s->end || addr < s->sp || addr - s->sp >= LATE_REACH || len > LATE_PAGE - at)
        return false;
    if (!is_fresh(l, s, number) || (in_slice(s, number) && !is_fresh(l, s, s->end / LATE_PAGE)))
        read_pages(l, s, number, read, arg);
    if (!p->there || !is_near(p->time_ns, s->time_ns))
        return false;
    memcpy(bytes, l->bytes[number % LATE_PAGES] + at, len);
    return true;
}
