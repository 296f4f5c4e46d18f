#include "unit.h"

#include "core/base/buf.h"
#include "core/heap/heap.h"
#include "core/heap/report.h"

#include <stdlib.h>
#include <string.h>

static struct heap_sums sums_at(const struct heap_totals *t, size_t site)
{
    return site < t->sites ? t->site[site] : (struct heap_sums){{0, 0}, {0, 0}, {0, 0}};
}

static struct heap_totals end_of(struct heap *h)
{
    struct heap_totals t = {0};
    CHECK(heap_add(&t, h));
    heap_release(h);
    return t;
}

TEST(a_block_is_given_back_where_it_was_allocated)
{
    struct heap h = {0};
    heap_allocated(&h, 0x1000, 100, 1);
    heap_allocated(&h, 0x2000, 50, 2);
    CHECK(heap_freed(&h, 0x1000));
    CHECK(!heap_freed(&h, 0x1000));
    heap_allocated(&h, 0x3000, 20, 2);
    struct heap_totals t = end_of(&h);
    CHECK_INT(t.sums.peak.bytes, 150);
    CHECK_INT(t.sums.peak.blocks, 2);
    CHECK_INT(t.sums.now.bytes, 70);
    CHECK_INT(t.frees, 1);
    CHECK_INT(sums_at(&t, 1).peak.bytes, 100);
    CHECK_INT(sums_at(&t, 1).now.bytes, 0);
    CHECK_INT(sums_at(&t, 2).peak.bytes, 50);
    CHECK_INT(sums_at(&t, 2).now.blocks, 2);
    CHECK_INT(sums_at(&t, 2).allocated.bytes, 70);
    heap_totals_release(&t);
}

TEST(a_block_that_moves_is_never_there_twice)
{
    struct heap h = {0};
    struct heap_block taken;
    heap_allocated(&h, 0x1000, 100, 1);
    CHECK(heap_take(&h, 0x1000, &taken));
    heap_allocated(&h, 0x1000, 10, 3); /* another thread's, before the call has returned */
    heap_resized(&h, &taken, 0x2000, 120, 2);
    struct heap_totals t = end_of(&h);
    CHECK_INT(t.sums.peak.bytes, 130);
    CHECK_INT(t.sums.allocated.bytes, 230);
    CHECK_INT(t.sums.allocated.blocks, 3);
    CHECK_INT(sums_at(&t, 1).peak.bytes, 0);
    CHECK_INT(sums_at(&t, 2).peak.bytes, 120);
    CHECK_INT(t.missed, 0);
    heap_totals_release(&t);
}

TEST(a_block_that_was_not_resized_stays)
{
    struct heap h = {0};
    struct heap_block taken;
    heap_allocated(&h, 0x1000, 100, 1);
    CHECK(heap_take(&h, 0x1000, &taken));
    CHECK(!heap_take(&h, 0x1000, &taken));
    heap_put_back(&h, 0x1000, &taken);
    CHECK(heap_freed(&h, 0x1000));
    struct heap_totals t = end_of(&h);
    CHECK_INT(t.sums.now.bytes, 0);
    CHECK_INT(t.frees, 1);
    heap_totals_release(&t);
}

TEST(a_free_that_was_not_seen)
{
    struct heap h = {0};
    heap_allocated(&h, 0x1000, 100, 1);
    heap_allocated(&h, 0x1000, 30, 1);
    struct heap_totals t = end_of(&h);
    CHECK_INT(t.missed, 1);
    CHECK_INT(t.sums.now.bytes, 30);
    heap_totals_release(&t);
}

TEST(a_child_counts_its_own_blocks)
{
    struct heap parent = {0}, child = {0};
    heap_allocated(&parent, 0x1000, 100, 1);
    heap_fork(&child, &parent);
    CHECK(heap_freed(&child, 0x1000));
    heap_allocated(&child, 0x2000, 7, 1);
    struct heap_totals t = {0};
    CHECK(heap_add(&t, &child));
    CHECK_INT(t.sums.now.bytes, 7);
    CHECK_INT(t.sums.peak.bytes, 7);
    CHECK(heap_add(&t, &parent));
    CHECK_INT(t.processes, 2);
    CHECK_INT(t.sums.now.bytes, 107);
    CHECK_INT(sums_at(&t, 1).peak.bytes, 107);
    CHECK_INT(t.missed, 0);
    heap_totals_release(&t);
    heap_release(&parent);
    heap_release(&child);
}

/* The slow way: at each event all of what is there, site by site. */
TEST(the_peak_of_each_site_is_that_of_the_moment)
{
    enum { BLOCKS = 64, SITES = 5, EVENTS = 20000 };
    struct heap h = {0};
    uint64_t bytes[BLOCKS] = {0}, best = 0, at_best[SITES] = {0};
    uint32_t site[BLOCKS] = {0};
    srand(1);
    for (int e = 0; e < EVENTS; e++) {
        int i = rand() % BLOCKS;
        uint64_t all = 0, of[SITES] = {0};
        if (bytes[i]) {
            CHECK(heap_freed(&h, 0x1000 + (uint64_t)i * 16));
            bytes[i] = 0;
        } else {
            bytes[i] = 1 + (uint64_t)rand() % 1000;
            site[i] = (uint32_t)rand() % SITES;
            heap_allocated(&h, 0x1000 + (uint64_t)i * 16, bytes[i], site[i]);
        }
        for (int b = 0; b < BLOCKS; b++) {
            all += bytes[b];
            of[site[b]] += bytes[b];
        }
        if (all > best) {
            best = all;
            memcpy(at_best, of, sizeof of);
        }
    }
    struct heap_totals t = end_of(&h);
    CHECK_INT(t.sums.peak.bytes, best);
    for (size_t s = 0; s < SITES; s++)
        CHECK_INT(sums_at(&t, s).peak.bytes, at_best[s]);
    heap_totals_release(&t);
}

TEST(sums_in_words)
{
    struct buf out = BUF_INIT;
    struct heap_totals t = {.sums = {{3, 2048}, {1, 1}, {2, 1536}},
                            .processes = 2,
                            .frees = 2,
                            .unknown = 1,
                            .missed = 4,
                            .lost = 5};
    heap_totals_text(&t, "how", &out);
    CHECK_STR(buf_str(&out),
              "peak (the processes' own, added): 1536 bytes (1.500 KiB) in 2 blocks; "
              "at the end: 1 byte in 1 block\n"
              "3 calls allocated 2048 bytes (2.000 KiB), 2 calls freed; 2 processes\n"
              "how\n"
              "1 free of blocks whose allocation was not seen\n"
              "4 blocks allocated again, whose free was not seen\n"
              "5 calls lost: the return was not seen\n");
    buf_release(&out);
}
