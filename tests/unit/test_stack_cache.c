#include "unit.h"

#include "core/sample/stack_cache.h"

/* A process whose memory, between first and last, has the page's number in each byte, plus what has
 * changed since. */
static struct process {
    uint64_t first, last; /* pages */
    uint8_t changed;
    size_t calls, pages;
    uint64_t from;
} process;

static size_t read_process(void *arg, uint32_t pid, uint64_t from, void *bytes, size_t len)
{
    struct process *p = arg;
    uint8_t *to = bytes;
    size_t n = 0;
    CHECK_INT(pid, 7);
    CHECK_INT(from % STACK_CACHE_PAGE_BYTES, 0);
    p->calls++;
    p->pages = len / STACK_CACHE_PAGE_BYTES;
    p->from = from / STACK_CACHE_PAGE_BYTES;
    for (; n < len; n += STACK_CACHE_PAGE_BYTES) {
        uint64_t number = (from + n) / STACK_CACHE_PAGE_BYTES;
        if (number < p->first || number > p->last)
            break;
        memset(to + n, (int)(uint8_t)(number + p->changed), STACK_CACHE_PAGE_BYTES);
    }
    return n;
}

static struct stack_cache late;

/* The first byte of 8 at an address of a page; -1 when it cannot be had. */
static int byte_at(const struct stack_cache_sample *s, uint64_t addr)
{
    uint8_t bytes[8];
    return stack_cache_read(&late, s, addr, bytes, sizeof bytes, read_process, &process) ? bytes[0]
                                                                                         : -1;
}

static void start(uint64_t first, uint64_t last)
{
    late.round += 1000; /* pages of the tests before are old */
    process = (struct process){.first = first, .last = last};
}

static uint64_t page(uint64_t number)
{
    return number * STACK_CACHE_PAGE_BYTES;
}

TEST(stack_cache_reads_a_page_once_a_round)
{
    struct stack_cache_sample s = {7, page(1000) + 8, page(1016) + 8, 5000000000};
    start(1000, 1200);
    CHECK_INT(byte_at(&s, page(1100) + 16), 1100 & 255);
    CHECK_INT(process.pages, 4);
    CHECK_INT(byte_at(&s, page(1103) + 16), 1103 & 255);
    CHECK_INT(process.calls, 1);
    process.changed = 1;
    CHECK_INT(byte_at(&s, page(1100)), 1100 & 255);
    late.round++;
    CHECK_INT(byte_at(&s, page(1100)), 1101 & 255);
    CHECK_INT(process.calls, 2);
}

TEST(stack_cache_reads_only_beyond_the_slice)
{
    struct stack_cache_sample s = {7, page(1000) + 8, page(1016) + 8, 6000000000};
    start(0, UINT64_MAX);
    CHECK_INT(byte_at(&s, page(1000)), -1);
    CHECK_INT(byte_at(&s, page(1016)), -1);
    CHECK_INT(byte_at(&s, s.sp + STACK_CACHE_REACH), -1);
    CHECK_INT(byte_at(&s, page(1100) - 4), -1); /* in two pages */
    CHECK_INT(byte_at(&s, UINT64_MAX - 8), -1);
    CHECK_INT(process.calls, 0);
    CHECK_INT(byte_at(&s, page(1016) + 8), 1016 & 255);
    CHECK_INT(byte_at(&s, s.sp + STACK_CACHE_REACH - 16), 1255 & 255);
}

/* What the kernel did not copy, as pages were missing, is read from there on. */
TEST(stack_cache_fills_the_gap_above_the_slice)
{
    struct stack_cache_sample s = {7, page(1000) + 8, page(1001), 7000000000};
    start(1000, 1200);
    CHECK_INT(byte_at(&s, page(1007)), 1007 & 255);
    CHECK_INT(process.from, 1001);
    CHECK_INT(process.pages, 7 + 3);
    s.sp = page(999), s.end = page(1000); /* another hole, of this round, too */
    CHECK_INT(byte_at(&s, page(1007)), 1007 & 255);
    CHECK_INT(process.from, 1000);
    CHECK_INT(process.calls, 2);
}

TEST(stack_cache_serves_pages_of_an_ended_process)
{
    struct stack_cache_sample s = {7, page(1000), page(1016), 8000000000};
    start(1000, 1101);
    CHECK_INT(byte_at(&s, page(1101)), 1101 & 255);
    CHECK_INT(byte_at(&s, page(1102)), -1);
    process.last = 0;
    late.round++;
    size_t calls = process.calls;
    s.time_ns += STACK_CACHE_MAX_AGE_NS;
    CHECK_INT(byte_at(&s, page(1101)), 1101 & 255);
    CHECK_INT(byte_at(&s, page(1101)), 1101 & 255);
    CHECK_INT(process.calls, calls + 1); /* in vain once a round */
    s.time_ns++;
    CHECK_INT(byte_at(&s, page(1101)), -1);
    s.time_ns -= STACK_CACHE_MAX_AGE_NS;
    s.sp += page(256), s.end += page(256); /* in the same room */
    CHECK_INT(byte_at(&s, page(1101 + 256)), -1);
    s.sp -= page(256), s.end -= page(256);
    CHECK_INT(byte_at(&s, page(1101)), -1);
}
