/* Nearly no room for new chains: those of few samples lose their callers, whenever they came. */
#include "unit.h"

#include "core/base/bytes.h"
#include "core/sample/recording.h"

enum { PROGRAM = 0x1000, LEAVES = 3, MAX_NODES = 200, ROUND = 10, HOT = 0x700, RARE = 0x500 };

struct many {
    struct sampled sampled;
    struct recording_writer writer;
    bool records;
    uint64_t merges, samples, of_leaf[LEAVES];
};

static void write_sample(void *arg, const struct sampled *s, const struct sampled_one *one)
{
    struct many *m = arg;
    recording_sample(&m->writer, s, one);
}

static void map_program(struct sampled *s)
{
    sampled_add_record(s, &(struct perfrec){.type = PERFREC_MMAP,
                                            .pid = 7,
                                            .tid = 7,
                                            .map.start = PROGRAM,
                                            .map.len = 0x100000,
                                            .map.executable = true,
                                            .name = "/bin/prog"});
}

static void begin(struct many *m, enum sampled_by by, bool records)
{
    *m = (struct many){.records = records};
    sampled_init(&m->sampled, &(struct sampled_want){
                                  .pid = 7, .max_nodes = MAX_NODES, .by = by, .recent = !records});
    map_program(&m->sampled);
    if (!records)
        return;
    m->sampled.hooks.counted = write_sample;
    m->sampled.hooks.arg = m;
    recording_start(&m->writer, 1000);
}

static void end(struct many *m)
{
    recording_release(&m->writer);
    sampled_release(&m->sampled);
}

static void make_room(struct many *m)
{
    struct rare_merged merged;
    if (m->records)
        recording_round(&m->writer, &m->sampled);
    if (!sampled_merge_rare(&m->sampled, &merged))
        return;
    m->merges++;
    for (size_t i = 0; i < m->sampled.recent.count; i++)
        CHECK(m->sampled.recent.cell[i] < m->sampled.cells.count);
    if (m->records)
        recording_renumber(&m->writer, &m->sampled, &merged);
    rare_merged_release(&merged);
}

/* main calls the caller, which calls one of LEAVES places. */
static void sample(struct many *m, unsigned caller, unsigned leaf)
{
    uint8_t chain[32];
    put_le64(chain, PERFREC_CHAIN_USER);
    put_le64(chain + 8, PROGRAM + 16 * leaf);
    put_le64(chain + 16, PROGRAM + 0x1000 + 16 * caller + 1);
    put_le64(chain + 24, PROGRAM + 0x801);
    sampled_add_record(&m->sampled, &(struct perfrec){.type = PERFREC_SAMPLE,
                                                      .pid = 7,
                                                      .tid = 7,
                                                      .time = ++m->samples,
                                                      .sample.pc = PROGRAM + 16 * leaf,
                                                      .sample.period = 1000,
                                                      .sample.chain = chain,
                                                      .sample.chain_len = 4,
                                                      .mode = PERFREC_USER});
    m->of_leaf[leaf]++;
    if (m->samples % ROUND == 0)
        make_room(m);
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

/* Of chains through main and the caller. */
static uint64_t samples_through(const struct sampled *s, unsigned caller)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < s->cells.count; i++) {
        const struct sampled_cell *c = sampled_cell_at(s, i);
        uint32_t by = sampled_node_at(s, c->node)->parent;
        if (by == INTERN_NONE || sampled_node_at(s, by)->offset != 0x1000 + 16 * caller)
            continue;
        uint32_t main_node = sampled_node_at(s, by)->parent;
        CHECK(main_node != INTERN_NONE && sampled_node_at(s, main_node)->offset == 0x800);
        sum += c->samples;
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

static void check_sums(const struct many *m, const struct sampled *s)
{
    CHECK_INT(s->count.samples, m->samples);
    CHECK_INT(s->count.outside, 0);
    for (unsigned leaf = 0; leaf < LEAVES; leaf++)
        CHECK_INT(samples_at(s, 16 * leaf), m->of_leaf[leaf]);
    CHECK_INT(samples_with_callers(s) + s->count.shortened + s->count.merged, m->samples);
}

/* Many rare callers before and behind one that is not. */
static void run(struct many *m)
{
    for (unsigned i = 0; i < RARE; i++)
        sample(m, i, i % LEAVES);
    for (unsigned i = 0; i < 1000; i++)
        sample(m, HOT, 1);
    for (unsigned i = 0; i < RARE; i++)
        sample(m, i, i % LEAVES);
}

static void check_late_chain(enum sampled_by by)
{
    struct many m;
    begin(&m, by, false);
    run(&m);
    CHECK(m.merges > 5);
    CHECK(m.sampled.nodes.count <= MAX_NODES + MAX_NODES / 4);
    CHECK_INT(samples_through(&m.sampled, HOT), 1000);
    CHECK_INT(m.sampled.count.shortened, 0);
    check_sums(&m, &m.sampled);
    end(&m);
}

TEST(what_comes_late_and_often_has_its_callers)
{
    check_late_chain(SAMPLED_BY_THREAD);
    check_late_chain(SAMPLED_WHOLE);
}

TEST(with_room_nothing_is_merged)
{
    struct many m;
    begin(&m, SAMPLED_BY_THREAD, false);
    for (unsigned i = 0; i < MAX_NODES / 4; i++)
        sample(&m, i, i % LEAVES);
    CHECK_INT(m.merges, 0);
    CHECK_INT(m.sampled.count.merged, 0);
    check_sums(&m, &m.sampled);
    end(&m);
}

/* The file has them all: it forgot nothing that it was told. */
TEST(a_recording_goes_on_when_rare_chains_are_merged)
{
    struct many m;
    struct sampled back;
    struct recording r;
    struct fail f;
    begin(&m, SAMPLED_BY_THREAD, true);
    run(&m);
    recording_end(&m.writer, &m.sampled);
    CHECK(m.merges > 5 && m.sampled.count.merged > 0);
    CHECK_INT(m.sampled.count.shortened, 0);
    CHECK_INT(recording_error(&m.writer), 0);
    sampled_init(&back, &(struct sampled_want){.max_nodes = 0});
    CHECK_INT(recording_read((const uint8_t *)m.writer.out.data, m.writer.out.len, &back, &r, &f),
              0);
    CHECK_INT(back.count.shortened + back.count.merged, 0);
    CHECK_INT(samples_through(&back, HOT), 1000);
    for (unsigned i = 0; i < RARE; i++)
        CHECK_INT(samples_through(&back, i), 2);
    check_sums(&m, &back);
    recording_close(&r);
    sampled_release(&back);
    end(&m);
}
