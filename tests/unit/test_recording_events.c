/* A recording by several events: each is read by itself; who knows the first alone reads that. */
#include "recorded.h"
#include "unit.h"

#include "core/sample/chain_ends.h"
#include "core/sample/recording.h"
#include "core/stacks/columns.h"
#include "core/unwind/unwind.h"

#include <errno.h>
#include <stdlib.h>

static void sample(struct sampled *s, uint8_t event, uint64_t time, uint64_t pc, uint64_t period)
{
    sampled_add_record(s, &(struct perfrec){.type = PERFREC_SAMPLE,
                                            .pid = 7,
                                            .tid = 7,
                                            .time = time,
                                            .sample.pc = pc,
                                            .sample.period = period,
                                            .event = event,
                                            .mode = PERFREC_USER});
}

static void add_ends(struct sampled *s, uint32_t end, uint64_t chains)
{
    uint32_t i =
        intern(&s->unwound.ends, &(struct sampled_end){.module = SAMPLED_OUTSIDE, .end = end});
    ((struct sampled_end *)s->unwound.ends.record)[i].chains = chains;
}

/* 40 ticks of a clock; 100 faults, of which each second one counts for three; no switch. */
static void record(struct sampled *s, struct buf *out)
{
    sampled_init(s, &(struct sampled_want){.pid = 7, .hz = 1000});
    s->hooks.counted = counted;
    recording_start(&writer, 1000000);
    recording_fact(&writer, "hz", "1000");
    recording_fact(&writer, "clock", "1");
    recording_fact(&writer, "event", "cpu-clock");
    recording_event(&writer, 1, &(struct recording_event){.is = {"page-faults"}, .user = true});
    recording_event(&writer, 2, &(struct recording_event){.is = {"task-clock", true}, .hz = 500});
    sampled_add_record(s, &(struct perfrec){.type = PERFREC_MMAP,
                                            .pid = 7,
                                            .tid = 7,
                                            .map.start = 0x1000,
                                            .map.len = 0x1000,
                                            .map.executable = true,
                                            .name = "/bin/prog"});
    for (uint64_t i = 0; i < 100; i++) {
        if (i < 40)
            sample(s, 0, 1000000 * i + 5, 0x1100 + i % 3, 1000000);
        sample(s, 1, 1000000 * i + 1, 0x1200 + i % 2, 1 + i % 2 * 2);
    }
    add_ends(s, UNWIND_WHOLE, 40);
    add_ends(s, SAMPLED_EVENT_ENDS + UNWIND_WHOLE, 90);
    add_ends(s, SAMPLED_EVENT_ENDS + UNWIND_BAD_PC, 10);
    add_ends(s, SAMPLED_EVENT_ENDS + SAMPLED_END_GUESSED, 4);
    s->loss.lost = 3;
    s->count.idle = 9;
    recording_end(&writer, s);
    CHECK_INT(recording_error(&writer), 0);
    buf_add(out, writer.out.data, writer.out.len);
    recording_release(&writer);
}

static int read_event(const struct buf *b, size_t len, unsigned event, struct sampled *s,
                      struct recording *r)
{
    struct fail f;
    sampled_init(s, &(struct sampled_want){.kernel = true, .event = event});
    return recording_read((const uint8_t *)b->data, len, s, r, &f);
}

TEST(each_event_is_read_by_itself)
{
    static const struct {
        const char *name;
        bool clock;
        uint64_t samples, weight, hz, idle, whole, broken, guessed;
    } want[] = {{"cpu-clock", true, 40, 40000000, 1000, 9, 40, 0, 0},
                {"page-faults", false, 100, 200, 0, 0, 90, 10, 4},
                {"task-clock", true, 0, 0, 500, 0, 0, 0, 0}};
    struct sampled s, back;
    struct recording r;
    struct buf bytes = BUF_INIT;
    record(&s, &bytes);
    for (unsigned i = 0; i < 3; i++) {
        struct stacks_ends ends;
        CHECK_INT(read_event(&bytes, bytes.len, i, &back, &r), 0);
        CHECK_INT(r.events, 3);
        CHECK_INT(r.event[1].samples, 100);
        CHECK_STR(r.event[i].is.name, want[i].name);
        CHECK_STR(back.event.name, want[i].name);
        CHECK_INT(back.event.clock, want[i].clock);
        CHECK_INT(back.count.samples, want[i].samples);
        CHECK_INT(back.count.weight, want[i].weight);
        CHECK_INT(back.want.hz, want[i].hz);
        CHECK_INT(back.count.idle, want[i].idle);
        CHECK_INT(back.loss.lost, 3);
        chain_ends_sums(&back, &ends);
        CHECK_INT(ends.whole, want[i].whole);
        CHECK_INT(ends.unwound, want[i].whole + want[i].broken);
        CHECK_INT(ends.guessed, want[i].guessed);
        free(ends.broken);
        recording_close(&r);
        sampled_release(&back);
    }
    CHECK_INT(read_event(&bytes, bytes.len, 3, &back, &r), -EINVAL);
    recording_close(&r);
    sampled_release(&back);
    sampled_release(&s);
    buf_release(&bytes);
}

TEST(the_events_are_known_before_the_samples)
{
    struct sampled s;
    struct recording r;
    struct fail f;
    struct buf bytes = BUF_INIT;
    record(&s, &bytes);
    CHECK_INT(recording_peek((const uint8_t *)bytes.data, bytes.len, &r, &f), 0);
    CHECK_INT(r.events, 3);
    CHECK_STR(r.event[0].is.name, "cpu-clock");
    CHECK_STR(r.event[2].is.name, "task-clock");
    CHECK(r.event[1].user && !r.event[1].kernel);
    recording_close(&r);
    CHECK_INT(recording_peek((const uint8_t *)"perf", 4, &r, &f), -EINVAL);
    recording_close(&r);
    sampled_release(&s);
    buf_release(&bytes);
}

TEST(a_recording_by_several_events_may_be_cut_off)
{
    struct sampled s, back;
    struct recording r;
    struct buf bytes = BUF_INIT;
    uint64_t before = 0;
    record(&s, &bytes);
    for (size_t len = 8; len <= bytes.len; len++) {
        int got = read_event(&bytes, len, 1, &back, &r);
        CHECK(got == 0 || (got == -EINVAL && !before && r.events < 2));
        CHECK(back.count.samples >= before);
        before = back.count.samples;
        recording_close(&r);
        sampled_release(&back);
    }
    CHECK_INT(before, 100);
    sampled_release(&s);
    buf_release(&bytes);
}

/* Types 17 to 19 become unknown ones, which any reader passes over. */
TEST(who_knows_one_event_reads_the_first)
{
    struct sampled s, back;
    struct recording r;
    struct buf bytes = BUF_INIT;
    record(&s, &bytes);
    for (size_t at = 8; at < bytes.len;) {
        size_t len = (uint8_t)bytes.data[at + 1], head = 2;
        if (len & 0x80)
            len = (len & 0x7f) | (size_t)(uint8_t)bytes.data[at + head++] << 7;
        if (bytes.data[at] >= 17 && bytes.data[at] <= 19)
            bytes.data[at] = 99;
        at += head + len;
    }
    CHECK_INT(read_event(&bytes, bytes.len, 0, &back, &r), 0);
    CHECK_INT(r.events, 1);
    CHECK(r.ended && !r.truncated);
    CHECK_INT(back.count.samples, 40);
    CHECK_INT(back.first_ns, 5);
    CHECK_INT(back.last_ns, 39000005);
    recording_close(&r);
    sampled_release(&back);
    sampled_release(&s);
    buf_release(&bytes);
}

/* main calls work in both; only the second has idle. */
static void make_stacks(struct stacks *s, uint64_t work, uint64_t idle)
{
    static const struct stacks_value values[] = {{"samples", "count"}, {"time", "nanoseconds"}};
    stacks_init(s, values, 2);
    uint32_t module = stacks_module(s, "/bin/prog", "abcd");
    uint32_t node[3];
    const char *const name[] = {"main", "work", "idle"};
    for (size_t i = 0; i < 3; i++) {
        uint32_t function =
            stacks_function(s, &(struct stacks_function){.name = name[i], .module = module});
        uint32_t frame =
            stacks_frame(s, &(struct stacks_frame){.function = function, .line = 3, .address = i});
        node[i] = stacks_node(s, i ? node[0] : STACKS_NONE, frame);
    }
    stacks_add(s, STACKS_NONE, node[1], 0, (uint64_t[]){1, work});
    if (idle)
        stacks_add(s, STACKS_NONE, node[2], 0, (uint64_t[]){1, idle});
}

TEST(columns_have_an_event_each)
{
    static const struct stacks_value values[] = {{"faults", "count"}, {"time", "nanoseconds"}};
    struct stacks first, second, both;
    make_stacks(&first, 100, 0);
    make_stacks(&second, 7, 5);
    stacks_init(&both, values, 2);
    CHECK_INT(stacks_columns_add(&both, &first, 1), 0);
    CHECK_INT(stacks_columns_add(&both, &second, 0), 0);
    CHECK_INT(both.nodes, 3);
    CHECK_INT(both.samples, 2);
    CHECK_INT(stacks_total(&both, 0), 12);
    CHECK_INT(stacks_total(&both, 1), 100);
    CHECK_INT(both.amount[0], 7);
    CHECK_INT(both.amount[1], 100);
    CHECK_INT(both.frame[1].line, 3);
    CHECK_STR(both.module[0].build_id, "abcd");
    stacks_release(&first);
    stacks_release(&second);
    stacks_release(&both);
}
