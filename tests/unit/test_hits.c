#include "core/sample/hits.h"

#include "unit.h"

static void add_cell(struct sampled *s, uint32_t set, uint32_t node, uint64_t samples)
{
    struct sampled_cell cell = {set, node, samples, samples};
    intern(&s->cells, &cell);
}

TEST(hits_are_a_thread_after_another_and_each_place_once)
{
    struct sampled s;
    struct hits hits;
    struct hit hit;
    sampled_init(&s, &(struct sampled_want){.by = SAMPLED_BY_THREAD});
    struct sampled_node outside = {0, SAMPLED_OUTSIDE, INTERN_NONE};
    struct sampled_node called = {0, SAMPLED_OUTSIDE, 0};
    uint32_t node = intern(&s.nodes, &outside), other = intern(&s.nodes, &called);
    add_cell(&s, 1, node, 1);
    add_cell(&s, 0, node, 2);
    add_cell(&s, 1, other, 4);
    add_cell(&s, 0, other, 8);
    CHECK_INT(hits_make(&s, false, &hits), 0);
    CHECK(hits_next(&hits, &hit));
    CHECK_INT(hit.set, 0);
    CHECK_INT(hit.samples, 10);
    CHECK(hits_next(&hits, &hit));
    CHECK_INT(hit.set, 1);
    CHECK_INT(hit.samples, 5);
    CHECK(!hits_next(&hits, &hit));
    hits_release(&hits);
    CHECK_INT(hits_make(&s, true, &hits), 0);
    CHECK(hits_next(&hits, &hit));
    CHECK_INT(hit.weight, 15);
    CHECK(!hits_next(&hits, &hit));
    hits_release(&hits);
    sampled_release(&s);
}
