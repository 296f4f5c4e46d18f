/* Samples that are added up by their places before they are counted, against samples that are
 * counted one by one. */
#include "unit.h"

#include "core/sample/sampled.h"

enum { PLACES = 60000, FUNCTION_BYTES = 64, TEXT = 0x400000 };

/* Where it ends, it says of every second one. */
static uint64_t start_of_function(void *arg, struct module *m, uint64_t offset, uint64_t *end)
{
    (void)arg, (void)m;
    uint64_t start = offset - offset % FUNCTION_BYTES;
    if (offset / FUNCTION_BYTES % 2)
        *end = start + FUNCTION_BYTES;
    return start;
}

static void begin(struct sampled *s, bool bulk, enum sampled_by by)
{
    sampled_init(s, &(struct sampled_want){.bulk = bulk, .by = by});
    s->hooks.place = start_of_function;
    mapped_add(&s->mapped, 7, &(struct space_map){.start = TEXT, .end = TEXT + PLACES}, "/bin/a",
               &(struct module_identity){0});
}

static void sample(struct sampled *s, uint32_t tid, uint64_t pc, uint64_t period)
{
    sampled_add_record(s, &(struct perfrec){.type = PERFREC_SAMPLE,
                                            .pid = 7,
                                            .tid = tid,
                                            .time = 1,
                                            .sample.pc = pc,
                                            .sample.period = period,
                                            .mode = PERFREC_USER});
}

/* More places than are added up at once, one with more samples than are, and some outside. */
static void sample_all(struct sampled *s)
{
    for (uint64_t i = 0; i < PLACES; i++)
        sample(s, 7 + i % 2, TEXT + i * 7919 % PLACES, i);
    for (uint64_t i = 0; i < 70000; i++)
        sample(s, 7, TEXT + 5, 1);
    for (uint64_t i = 0; i < 100; i++)
        sample(s, 8, 0x1000 + i, 3);
}

static const struct sampled_cell *cell_like(const struct sampled *s, const struct sampled *of,
                                            const struct sampled_cell *cell)
{
    const struct sampled_node *n = sampled_node_at(of, cell->node);
    for (size_t i = 0; i < s->cells.count; i++) {
        const struct sampled_cell *c = sampled_cell_at(s, i);
        const struct sampled_node *other = sampled_node_at(s, c->node);
        if (other->offset == n->offset && other->module == n->module && c->set == cell->set)
            return c;
    }
    return NULL;
}

static void check_equal(const struct sampled *a, const struct sampled *b)
{
    CHECK_INT(a->cells.count, b->cells.count);
    CHECK_INT(a->count.samples, b->count.samples);
    CHECK_INT(a->count.weight, b->count.weight);
    CHECK_INT(a->count.outside, b->count.outside);
    for (size_t i = 0; i < a->cells.count; i++) {
        const struct sampled_cell *c = sampled_cell_at(a, i), *other = cell_like(b, a, c);
        CHECK(other && other->samples == c->samples && other->weight == c->weight);
    }
    for (size_t i = 0; i < a->threads.count; i++)
        CHECK_INT(a->threads.thread[i].samples, b->threads.thread[i].samples);
}

static void check_by(enum sampled_by by)
{
    struct sampled one_by_one, bulk;
    begin(&one_by_one, false, by);
    begin(&bulk, true, by);
    sample_all(&one_by_one);
    sample_all(&bulk);
    CHECK(bulk.tally.used > 0);
    sampled_count_tally(&bulk);
    CHECK_INT(bulk.count.outside, 100);
    check_equal(&one_by_one, &bulk);
    sampled_release(&one_by_one);
    sampled_release(&bulk);
}

TEST(a_tally_counts_what_single_samples_do)
{
    check_by(SAMPLED_WHOLE);
    check_by(SAMPLED_BY_THREAD);
}

/* What settles a sampling reads its cells next. */
TEST(settling_counts_what_was_added_up)
{
    struct sampled s;
    begin(&s, true, SAMPLED_WHOLE);
    sample(&s, 7, TEXT, 5);
    CHECK_INT(s.cells.count, 0);
    sampled_settle(&s);
    CHECK_INT(s.cells.count, 1);
    CHECK_INT(sampled_cell_at(&s, 0)->weight, 5);
    sampled_release(&s);
}
