/* Samples through a recording and back; a recording cut off at each of its bytes. */
#include "recorded.h"
#include "unit.h"

#include "core/sample/chain_ends.h"
#include "core/sample/recording.h"
#include "core/unwind/unwind.h"

#include <errno.h>

/* Of this function the start alone is known. */
#define NAMELESS 0xffffffff81000200

static bool told(void *arg, struct module *m, uint64_t vaddr, struct symbol *out)
{
    (void)arg;
    if (!m->kernel)
        return false;
    *out = vaddr == NAMELESS
               ? (struct symbol){NAMELESS, NAMELESS, NULL}
               : (struct symbol){vaddr & ~(uint64_t)0xff, (vaddr | 0xff) + 1, "sys_work"};
    return true;
}

static void sample(struct sampled *s, uint32_t tid, uint64_t time, uint64_t pc, bool kernel,
                   uint64_t period)
{
    sampled_add_record(s, &(struct perfrec){.type = PERFREC_SAMPLE,
                                            .pid = 7,
                                            .tid = tid,
                                            .time = time,
                                            .sample.pc = pc,
                                            .cpu = tid & 1,
                                            .sample.period = period,
                                            .mode = kernel ? PERFREC_KERNEL : PERFREC_USER});
}

static void map_program(struct sampled *s)
{
    sampled_add_record(s, &(struct perfrec){.type = PERFREC_MMAP,
                                            .pid = 7,
                                            .tid = 7,
                                            .map.start = 0x1000,
                                            .map.len = 0x1000,
                                            .map.executable = true,
                                            .name = "/bin/prog"});
}

/* Two threads in a program without a file here, in the kernel and outside. */
static void record(struct sampled *s, struct buf *out)
{
    sampled_init(s, &(struct sampled_want){.pid = 7, .kernel = true, .hz = 1000});
    s->hooks.counted = counted;
    recording_start(&writer, 1000000);
    writer.symbol_at = told;
    recording_fact(&writer, "machine", "armv7l");
    recording_fact(&writer, "hz", "1000");
    recording_fact(&writer, "clock", "1");
    recording_fact(&writer, "event", "cpu-clock");
    recording_fact(&writer, "colour", "blue");
    mapped_kernel(&s->mapped, 0xffffffff81000000, 0xffffffff82000000, "[kernel]");
    map_program(s);
    sampled_name(s, 7, 7, "prog");
    for (uint64_t i = 0; i < 50; i++) {
        sample(s, 7, 1000000 * i + 5, 0x1100 + i % 3, false, 1000000);
        sample(s, 8, 1000000 * i + 1, 0xffffffff81000100 + i % 2 * 0x100, true, 1000000 + i % 2);
    }
    sample(s, 8, 99000000, 0x99999, false, 1000000);
    s->loss.lost = 3;
    recording_end(&writer, s);
    CHECK_INT(recording_error(&writer), 0);
    buf_add(out, writer.out.data, writer.out.len);
    recording_release(&writer);
}

static uint64_t cell_samples(const struct sampled *s, const char *module, uint64_t offset)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < s->cells.count; i++) {
        const struct sampled_cell *c = sampled_cell_at(s, i);
        const struct sampled_node *n = sampled_node_at(s, c->node);
        bool in = n->module != SAMPLED_OUTSIDE &&
                  strcmp(s->mapped.modules.module[n->module]->path, module) == 0;
        sum += in && n->offset == offset ? c->samples : 0;
    }
    return sum;
}

static int read_back(const struct buf *b, size_t len, enum sampled_by by, struct sampled *s,
                     struct recording *r)
{
    struct fail f;
    sampled_init(s, &(struct sampled_want){.kernel = true, .by = by});
    return recording_read((const uint8_t *)b->data, len, s, r, &f);
}

TEST(a_recording_gives_back_what_was_sampled)
{
    struct sampled s, back;
    struct recording r;
    struct symbol named;
    uint64_t start = 0;
    struct buf bytes = BUF_INIT;
    record(&s, &bytes);
    CHECK_INT(read_back(&bytes, bytes.len, SAMPLED_BY_THREAD, &back, &r), 0);
    CHECK_INT(back.count.samples, 101);
    CHECK_INT(back.count.weight, s.count.weight);
    CHECK_INT(back.count.outside, 1);
    CHECK_INT(back.count.in_kernel, 50);
    CHECK_INT(back.loss.lost, 3);
    CHECK_INT(back.want.hz, 1000);
    CHECK_INT(back.threads.count, 2);
    CHECK_STR(back.threads.thread[0].name, "prog");
    CHECK_INT(back.threads.thread[1].samples, 51);
    CHECK_INT(cell_samples(&back, "/bin/prog", 0x100), 17);
    CHECK_INT(cell_samples(&back, "[kernel]", NAMELESS), 25);
    CHECK_STR(buf_str(&r.fact[RECORDING_MACHINE]), "armv7l");
    CHECK(!r.truncated && r.ended);
    struct module *kernel = back.mapped.modules.module[0];
    CHECK(kernel->kernel);
    CHECK(module_symbol(kernel, 0xffffffff81000142, &named));
    CHECK_STR(named.name, "sys_work");
    CHECK(!module_symbol(kernel, NAMELESS + 5, &named));
    CHECK(module_function_start(kernel, NAMELESS + 5, &start) && start == NAMELESS);
    CHECK(bytes.len < 101 * 9 + 300);
    recording_close(&r);
    sampled_release(&back);
    sampled_release(&s);
    buf_release(&bytes);
}

TEST(a_recording_cut_off_anywhere_gives_what_stands_before)
{
    struct sampled s, back;
    struct recording r;
    struct buf bytes = BUF_INIT;
    uint64_t before = 0;
    record(&s, &bytes);
    for (size_t len = 8; len <= bytes.len; len++) {
        CHECK_INT(read_back(&bytes, len, SAMPLED_WHOLE, &back, &r), 0);
        CHECK(back.count.samples >= before);
        CHECK_INT(r.ended, len == bytes.len);
        before = back.count.samples;
        recording_close(&r);
        sampled_release(&back);
    }
    CHECK_INT(before, 101);
    sampled_release(&s);
    buf_release(&bytes);
}

static struct sampled_end *end_of(struct sampled *s, uint32_t module, enum unwind_end end)
{
    uint32_t i = intern(&s->unwound.ends, &(struct sampled_end){.module = module, .end = end});
    return (struct sampled_end *)s->unwound.ends.record + i;
}

static void chains_text(const struct sampled *s, struct buf *out)
{
    buf_clear(out);
    chain_ends_text(s, out);
}

/* Rounds: the first with two kinds of ends, one without a change, one in which one of them grows
 * and another comes, in a module that no node is in. */
static size_t record_ends(struct sampled *s, struct buf *middle, struct buf *last)
{
    s->unwound.guessed = 60;
    s->unwound.from_cache = 300;
    s->unwound.by_code = 45;
    end_of(s, 0, UNWIND_WHOLE)->chains = 900;
    end_of(s, SAMPLED_OUTSIDE, UNWIND_BAD_PC)->chains = 3;
    recording_round(&writer, s);
    size_t first = writer.out.len;
    recording_round(&writer, s);
    size_t unchanged = writer.out.len - first;
    chains_text(s, middle);
    module_append(&s->mapped.modules, "/lib/late.so", &(struct module_identity){0});
    end_of(s, 0, UNWIND_WHOLE)->chains = 5000;
    end_of(s, (uint32_t)s->mapped.modules.count - 1, UNWIND_UNREADABLE)->chains = 70;
    recording_end(&writer, s);
    chains_text(s, last);
    return unchanged;
}

TEST(a_recording_tells_how_chains_ended)
{
    struct sampled s, back;
    struct recording r;
    struct buf middle = BUF_INIT, last = BUF_INIT, told = BUF_INIT;
    sampled_init(&s, &(struct sampled_want){.pid = 7, .hz = 1000});
    s.hooks.counted = counted;
    recording_start(&writer, 1000000);
    mapped_kernel(&s.mapped, 0xffffffff81000000, 0xffffffff82000000, "[kernel]");
    sample(&s, 7, 5, 0x99999, false, 1000000);
    CHECK_INT(record_ends(&s, &middle, &last), 10); /* of a state, none of ends */
    CHECK_INT(recording_error(&writer), 0);
    CHECK(strstr(buf_str(&last), "complete; 45 with a frame found by its code; 60 with a "
                                 "guessed frame; 300 read late"));
    bool seen_middle = false;
    for (size_t len = 8; len <= writer.out.len; len++) {
        CHECK_INT(read_back(&writer.out, len, SAMPLED_WHOLE, &back, &r), 0);
        chains_text(&back, &told);
        bool is_middle = strcmp(buf_str(&told), buf_str(&middle)) == 0;
        bool is_last = strcmp(buf_str(&told), buf_str(&last)) == 0;
        CHECK(!told.len || is_middle || is_last);
        CHECK(is_last || len < writer.out.len);
        seen_middle |= is_middle;
        recording_close(&r);
        sampled_release(&back);
    }
    CHECK(seen_middle);
    CHECK(strstr(buf_str(&last), "stack slice too short, in late.so"));
    recording_release(&writer);
    sampled_release(&s);
    buf_release(&middle);
    buf_release(&last);
    buf_release(&told);
}

static int read_ends(const char *record, size_t len)
{
    struct sampled back;
    struct recording r;
    struct buf bytes = BUF_INIT;
    buf_add(&bytes, "psuite\0\1", 8);
    buf_add(&bytes, record, len);
    int got = read_back(&bytes, bytes.len, SAMPLED_WHOLE, &back, &r);
    recording_close(&r);
    sampled_release(&back);
    buf_release(&bytes);
    return got;
}

TEST(ends_that_cannot_be_are_told)
{
    CHECK_INT(read_ends("\x0c\3\0\0\5", 5), 0);
    CHECK_INT(read_ends("\x0c\3\0\1\5", 5), -EINVAL);   /* in a module that is not there */
    CHECK_INT(read_ends("\x0c\3\x7f\0\5", 5), -EINVAL); /* for no reason known */
    CHECK_INT(read_ends("\x0c\2\0\0", 4), 0);           /* not whole: passed over */
}

TEST(recording_keeps_symbols_and_inlined_frames)
{
    struct sampled s, back;
    struct recording r;
    struct symbol named;
    struct frames given = {0}, found = {0};
    struct buf bytes = BUF_INIT;
    record(&s, &bytes);
    frames_add(&given, &(struct frame){.function = "inner", .file = "a.c", .line = 3, .column = 9});
    frames_add(&given, &(struct frame){.function = "outer", .file = "a.c", .line = 30});
    recording_symbol(&bytes, 1, 0x100, 0x140, "outer");
    recording_place(&bytes, 1, 0x101, &given);
    recording_text(&bytes, 1, 0x80);
    CHECK_INT(read_back(&bytes, bytes.len, SAMPLED_WHOLE, &back, &r), 0);
    struct module *m = back.mapped.modules.module[1];
    CHECK(module_symbol(m, 0x13f, &named) && !module_symbol(m, 0x140, &named));
    CHECK_INT(module_text(m), 0x80);
    CHECK(recording_frames(&r, m, 0x101, &found));
    CHECK_INT(found.count, 2);
    CHECK_STR(found.frame[0].function, "inner");
    CHECK_INT(found.frame[1].line, 30);
    CHECK(!recording_frames(&r, m, 0x102, &found));
    frames_release(&given);
    frames_release(&found);
    recording_close(&r);
    sampled_release(&back);
    sampled_release(&s);
    buf_release(&bytes);
}

TEST(a_damaged_recording_is_told)
{
    struct sampled back;
    struct recording r;
    struct buf bytes = BUF_INIT;
    buf_add(&bytes, "psuite\0\1\4\3\0\5\0", 13); /* a node of a module that is not there */
    CHECK_INT(read_back(&bytes, bytes.len, SAMPLED_WHOLE, &back, &r), -EINVAL);
    recording_close(&r);
    sampled_release(&back);
    bytes.data[7] = 2;
    CHECK_INT(read_back(&bytes, bytes.len, SAMPLED_WHOLE, &back, &r), -EINVAL);
    recording_close(&r);
    sampled_release(&back);
    buf_release(&bytes);
}

static void leave(struct sampled *s, uint32_t tid, uint64_t time, uint64_t pc, bool preempted)
{
    uint64_t chain[] = {PERFREC_CHAIN_USER, pc};
    sampled_add_record(s, &(struct perfrec){.type = PERFREC_SAMPLE,
                                            .pid = 7,
                                            .tid = tid,
                                            .time = time,
                                            .sample.period = 1,
                                            .mode = PERFREC_KERNEL,
                                            .sample.chain = (const uint8_t *)chain,
                                            .sample.chain_len = 2});
    sampled_add_record(s, &(struct perfrec){.type = PERFREC_SWITCH,
                                            .pid = 7,
                                            .tid = tid,
                                            .time = time,
                                            .away.out = true,
                                            .away.preempted = preempted});
}

/* 30 waits of 2 ms in a program, a third of them for a CPU; one whose end is lost. */
static void record_waits(struct sampled *s, struct buf *out)
{
    sampled_init(s, &(struct sampled_want){.pid = 7, .waits = true, .hz = 1000});
    s->hooks.counted = counted;
    recording_start(&writer, 1000000);
    recording_fact(&writer, "hz", "1000");
    recording_fact(&writer, "clock", "1");
    map_program(s);
    for (uint64_t i = 0; i < 30; i++) {
        sample(s, 7, 10000000 * i + 1, 0x1100, false, 1000000);
        leave(s, 7, 10000000 * i + 5, 0x1200 + i % 3, i % 3 == 0);
        sampled_add_record(
            s, &(struct perfrec){
                   .type = PERFREC_SWITCH, .pid = 7, .tid = 7, .time = 10000000 * i + 2000005});
    }
    leave(s, 7, 400000000, 0x1200, false);
    leave(s, 7, 500000000, 0x1200, false);
    sampled_waits_end(s, 500000000);
    recording_end(&writer, s);
    CHECK_INT(recording_error(&writer), 0);
    buf_add(out, writer.out.data, writer.out.len);
    recording_release(&writer);
}

TEST(recording_keeps_waits)
{
    struct sampled live, read;
    struct recording r;
    struct buf file = BUF_INIT;
    struct fail f;
    struct symbol name;
    record_waits(&live, &file);
    sampled_init(&read, &(struct sampled_want){.kernel = true});
    CHECK_INT(recording_read((const uint8_t *)file.data, file.len, &read, &r, &f), 0);
    CHECK(r.ended && read.want.waits);
    CHECK_INT(read.count.samples, 60);
    CHECK_INT(read.count.weight, 30 * 1000000 + 30 * 2000000);
    CHECK_INT(sampled_running(&read), 30 * 1000000);
    CHECK_INT(read.waits.count, 30);
    CHECK_INT(read.waits.forgotten, 1);
    CHECK_INT(read.waits.weight[SAMPLED_ASLEEP], 20 * 2000000);
    CHECK_INT(read.waits.weight[SAMPLED_PREEMPTED], 10 * 2000000);
    for (size_t i = 0; i < read.nodes.count; i++)
        if (sampled_is_wait(&read, (uint32_t)i)) {
            const struct sampled_node *n = sampled_node_at(&read, (uint32_t)i);
            CHECK(module_symbol(read.mapped.modules.module[n->module], n->offset, &name));
            CHECK_STR(name.name, n->offset == SAMPLED_ASLEEP ? "(asleep)" : "(preempted)");
        }
    recording_close(&r);
    sampled_release(&read);
    for (size_t len = 0; len < file.len; len++) { /* cut off anywhere */
        sampled_init(&read, &(struct sampled_want){.kernel = true});
        recording_read((const uint8_t *)file.data, len, &read, &r, &f);
        CHECK(read.count.weight <= live.count.weight && read.waits.weight[0] <= read.count.weight);
        recording_close(&r);
        sampled_release(&read);
    }
    sampled_release(&live);
    buf_release(&file);
}

static uint64_t hundreds(void *arg, struct module *m, uint64_t offset, uint64_t *end)
{
    (void)arg, (void)end;
    return m->wait ? offset : offset & ~(uint64_t)0xff;
}

static int read_innermost(const struct buf *b, struct sampled *s, struct recording *r)
{
    struct fail f;
    sampled_init(s, &(struct sampled_want){.kernel = true, .innermost = true});
    s->hooks.place = hundreds;
    return recording_read((const uint8_t *)b->data, b->len, s, r, &f);
}

TEST(places_of_a_recording_are_counted_where_the_caller_says)
{
    struct sampled s, back;
    struct recording r;
    struct buf bytes = BUF_INIT;
    record(&s, &bytes);
    CHECK_INT(read_innermost(&bytes, &back, &r), 0);
    CHECK_INT(back.count.samples, 101);
    CHECK_INT(back.count.weight, s.count.weight);
    CHECK_INT(back.count.outside, 1);
    CHECK_INT(cell_samples(&back, "/bin/prog", 0x100), 50);
    CHECK_INT(cell_samples(&back, "/bin/prog", 0x101), 0);
    CHECK_INT(back.nodes.count, s.nodes.count - 2);
    recording_close(&r);
    sampled_release(&back);
    sampled_release(&s);
    buf_release(&bytes);
}

/* Where it waits is what a wait is shown at. */
TEST(waits_of_a_recording_keep_their_place)
{
    struct sampled live, read;
    struct recording r;
    struct buf file = BUF_INIT;
    uint64_t waited = 0;
    record_waits(&live, &file);
    CHECK_INT(read_innermost(&file, &read, &r), 0);
    for (size_t i = 0; i < read.cells.count; i++) {
        const struct sampled_cell *c = sampled_cell_at(&read, i);
        if (!sampled_is_wait(&read, c->node))
            continue;
        CHECK_INT(sampled_place(&read, c->node)->offset, 0x200);
        waited += c->samples;
    }
    CHECK_INT(waited, 30);
    recording_close(&r);
    sampled_release(&read);
    sampled_release(&live);
    buf_release(&file);
}
