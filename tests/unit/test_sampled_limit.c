/* More different chains than fit: places keep their samples, callers are left out, and counted. */
#include "unit.h"

#include "core/base/bytes.h"
#include "core/sample/recording.h"

enum { PROGRAM = 0x1000, LEAVES = 3, CALLERS = 500, MAX_NODES = 100 };

static struct recording_writer writer;

static void write_sample(void *arg, const struct sampled *s, const struct sampled_one *one)
{
    (void)arg;
    recording_sample(&writer, s, one);
}

static void map_program(struct sampled *s)
{
    sampled_add_record(s, &(struct perfrec){.type = PERFREC_MMAP,
                                            .pid = 7,
                                            .tid = 7,
                                            .map.start = PROGRAM,
                                            .map.len = 0x10000,
                                            .map.executable = true,
                                            .name = "/bin/prog"});
}

/* One of LEAVES places, called from the caller's. */
static void sample_call(struct sampled *s, unsigned caller, unsigned leaf)
{
    uint8_t chain[24];
    put_le64(chain, PERFREC_CHAIN_USER);
    put_le64(chain + 8, PROGRAM + 16 * leaf);
    put_le64(chain + 16, PROGRAM + 0x100 + 16 * caller + 1);
    sampled_add_record(s, &(struct perfrec){.type = PERFREC_SAMPLE,
                                            .pid = 7,
                                            .tid = 7,
                                            .time = caller,
                                            .sample.pc = PROGRAM + 16 * leaf,
                                            .sample.period = 1000,
                                            .sample.chain = chain,
                                            .sample.chain_len = 3,
                                            .mode = PERFREC_USER});
}

static void sample_many(struct sampled *s, size_t max_nodes)
{
    sampled_init(s, &(struct sampled_want){.pid = 7, .max_nodes = max_nodes});
    map_program(s);
    s->hooks.counted = write_sample;
    recording_start(&writer, 1000);
    for (unsigned i = 0; i < CALLERS; i++)
        sample_call(s, i, i % LEAVES);
    recording_end(&writer, s);
    CHECK_INT(recording_error(&writer), 0);
}

static uint64_t samples_at(const struct sampled *s, uint64_t offset)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < s->cells.count; i++) {
        const struct sampled_cell *c = sampled_cell_at(s, i);
        const struct sampled_node *n = sampled_node_at(s, c->node);
        sum += n->module != SAMPLED_OUTSIDE && n->offset == offset ? c->samples : 0;
    }
    return sum;
}

static uint64_t samples_with_callers(const struct sampled *s)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < s->cells.count; i++) {
        const struct sampled_cell *c = sampled_cell_at(s, i);
        sum += sampled_node_at(s, c->node)->parent != INTERN_NONE ? c->samples : 0;
    }
    return sum;
}

static void check_leaves(const struct sampled *s)
{
    CHECK_INT(s->count.samples, CALLERS);
    CHECK_INT(s->count.outside, 0);
    for (unsigned leaf = 0; leaf < LEAVES; leaf++)
        CHECK_INT(samples_at(s, 16 * leaf), (CALLERS + LEAVES - 1 - leaf) / LEAVES);
    CHECK_INT(samples_with_callers(s) + s->count.shortened, CALLERS);
}

TEST(places_keep_their_samples_when_no_more_chains_fit)
{
    struct sampled s;
    sample_many(&s, MAX_NODES);
    CHECK(s.nodes.count <= MAX_NODES + MAX_NODES / 4);
    CHECK_INT(samples_with_callers(&s), (MAX_NODES - 1) / 2);
    check_leaves(&s);
    recording_release(&writer);
    sampled_release(&s);
}

TEST(all_chains_that_fit_are_whole)
{
    struct sampled s;
    sample_many(&s, 0);
    CHECK_INT(s.count.shortened, 0);
    check_leaves(&s);
    recording_release(&writer);
    sampled_release(&s);
}

static void check_read_back(size_t max_recorded, size_t max_read)
{
    struct sampled s, back;
    struct recording r;
    struct fail f;
    sample_many(&s, max_recorded);
    sampled_init(&back, &(struct sampled_want){.max_nodes = max_read});
    CHECK_INT(recording_read((const uint8_t *)writer.out.data, writer.out.len, &back, &r, &f), 0);
    CHECK(back.count.shortened > 0);
    check_leaves(&back);
    recording_close(&r);
    recording_release(&writer);
    sampled_release(&back);
    sampled_release(&s);
}

TEST(a_recording_knows_what_callers_were_left_out)
{
    check_read_back(MAX_NODES, 0);
}

TEST(a_reader_with_less_memory_leaves_out_callers)
{
    check_read_back(0, MAX_NODES);
    check_read_back(MAX_NODES, MAX_NODES / 2);
}

TEST(the_limit_is_a_share_of_memory)
{
    CHECK_INT(sampled_nodes_for_memory(0), SAMPLED_MIN_NODES);
    CHECK_INT(sampled_nodes_for_memory((size_t)1 << 30), (1 << 26) / SAMPLED_NODE_BYTES);
    CHECK(sampled_nodes_for_memory(SIZE_MAX) <= SAMPLED_MAX_NODES);
}
