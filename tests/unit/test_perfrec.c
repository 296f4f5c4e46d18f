/* Records as the kernel lays them out (perf_event_open(2)), written here byte by byte. */
#include "unit.h"

#include "core/base/bytes.h"
#include "core/perf/perfrec.h"

static const struct perfrec_format all = {.fields = PERFREC_IP | PERFREC_TID | PERFREC_TIME,
                                          .sample_id_all = true};

static size_t put(uint8_t *to, size_t at, uint64_t v, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[at + i] = (uint8_t)(v >> (8 * i));
    return at + bytes;
}

static size_t head(uint8_t *to, unsigned type, unsigned misc)
{
    put(to, 0, type, 4);
    put(to, 4, misc, 2);
    return 8;
}

static size_t done(uint8_t *to, size_t len)
{
    put(to, 6, len, 2);
    return len;
}

static size_t trailer(uint8_t *to, size_t at, unsigned pid, unsigned tid, uint64_t time)
{
    at = put(to, at, pid, 4);
    at = put(to, at, tid, 4);
    return put(to, at, time, 8);
}

TEST(perfrec_decodes_a_sample)
{
    uint8_t b[64];
    size_t at = put(b, head(b, 9, 2), 0x55550000abcd, 8);
    size_t len = done(b, trailer(b, at, 7, 8, 99));
    struct perfrec r;
    CHECK_INT(perfrec_size(b, sizeof b), len);
    CHECK(perfrec_decode(b, len, &all, &r));
    CHECK_INT(r.sample.pc, 0x55550000abcd);
    CHECK_INT(r.pid, 7);
    CHECK_INT(r.tid, 8);
    CHECK_INT(r.time, 99);
    CHECK_INT(r.mode, PERFREC_USER);
    head(b, 9, 1);
    CHECK(perfrec_decode(b, len, &all, &r) && r.mode == PERFREC_KERNEL);
}

static size_t mmap2(uint8_t *b, unsigned misc, const char *path)
{
    size_t at = head(b, 10, misc);
    at = put(b, at, 7, 4);
    at = put(b, at, 8, 4);
    at = put(b, at, 0x400000, 8);
    at = put(b, at, 0x1000, 8);
    at = put(b, at, 0x2000, 8);
    if (misc & 1 << 14) {
        at = put(b, at, 20, 4);
        for (int i = 0; i < 20; i++)
            at = put(b, at, (uint64_t)i + 1, 1);
    } else {
        at = put(b, at, 254, 4);
        at = put(b, at, 1, 4);
        at = put(b, at, 1234, 8);
        at = put(b, at, 5, 8);
    }
    at = put(b, at, 5, 4); /* read, execute */
    at = put(b, at, 2, 4);
    size_t n = strlen(path) + 1;
    memcpy(b + at, path, n);
    return done(b, trailer(b, at + (n + 7) / 8 * 8, 70, 80, 1000));
}

TEST(a_mapping_by_inode)
{
    uint8_t b[160] = {0};
    struct perfrec r;
    size_t len = mmap2(b, 2, "/bin/x");
    CHECK(perfrec_decode(b, len, &all, &r));
    CHECK_INT(r.pid, 7);
    CHECK_INT(r.map.start, 0x400000);
    CHECK_INT(r.map.len, 0x1000);
    CHECK_INT(r.map.file_offset, 0x2000);
    CHECK_INT(r.map.major, 254);
    CHECK_INT(r.map.inode, 1234);
    CHECK_INT(r.map.build_id_len, 0);
    CHECK_INT(r.time, 1000);
    CHECK(r.map.executable);
    CHECK_STR(r.name, "/bin/x");
}

TEST(a_mapping_by_build_id)
{
    uint8_t b[160] = {0};
    struct perfrec r;
    size_t len = mmap2(b, 2 | 1 << 14, "/bin/x");
    CHECK(perfrec_decode(b, len, &all, &r));
    CHECK_INT(r.map.build_id_len, 20);
    CHECK_INT(r.map.build_id[0], 1);
    CHECK_INT(r.map.build_id[19], 20);
    CHECK_INT(r.map.inode, 0);
}

/* As Linux gives it while another event asks for build-ids. */
TEST(a_mapping_marked_as_by_build_id_that_is_by_inode)
{
    uint8_t b[160] = {0};
    struct perfrec r;
    size_t len = mmap2(b, 2, "/bin/x");
    b[5] |= 1 << 6;
    CHECK(perfrec_decode(b, len, &all, &r));
    CHECK_INT(r.map.build_id_len, 0);
    CHECK_INT(r.map.major, 254);
    CHECK_INT(r.map.inode, 1234);
    CHECK(r.map.executable);
    CHECK_STR(r.name, "/bin/x");
}

TEST(a_record_cut_anywhere_is_refused)
{
    uint8_t b[160] = {0};
    struct perfrec r;
    size_t whole = mmap2(b, 2, "/bin/x");
    for (size_t len = 0; len < whole; len++) {
        CHECK(!perfrec_decode(b, len, &all, &r)); /* the header says more than is there */
        if (len >= 8 && len < whole - 24) {
            done(b, len);
            CHECK(!perfrec_decode(b, len, &all, &r));
            done(b, whole);
        }
    }
    memset(b + 72, 'x', whole - 72 - 16); /* a name that does not end */
    CHECK(!perfrec_decode(b, whole, &all, &r));
}

TEST(perf_records_of_tasks_and_lost_samples)
{
    uint8_t b[64] = {0};
    struct perfrec r;
    size_t at = head(b, 7, 0);
    at = put(b, at, 11, 4);
    at = put(b, at, 10, 4);
    at = put(b, at, 13, 4);
    at = put(b, at, 12, 4);
    at = put(b, at, 5, 8);
    size_t len = done(b, trailer(b, at, 10, 12, 5));
    CHECK(perfrec_decode(b, len, &all, &r));
    CHECK_INT(r.pid, 11);
    CHECK_INT(r.ppid, 10);
    CHECK_INT(r.tid, 13);
    CHECK_INT(r.ptid, 12);
    at = put(b, put(b, head(b, 2, 0), 3, 8), 17, 8);
    len = done(b, trailer(b, at, 1, 1, 6));
    CHECK(perfrec_decode(b, len, &all, &r));
    CHECK_INT(r.lost, 17);
    head(b, 4242, 0);
    CHECK(!perfrec_decode(b, len, &all, &r));
}

static const struct perfrec_format rich = {.fields = PERFREC_IDENTIFIER | PERFREC_IP | PERFREC_TID |
                                                     PERFREC_TIME | PERFREC_CPU | PERFREC_PERIOD |
                                                     PERFREC_CALLCHAIN | PERFREC_RAW |
                                                     PERFREC_REGS_USER | PERFREC_STACK_USER,
                                           .regs_user = 0x13,
                                           .sample_id_all = true};

static size_t rich_sample(uint8_t *b, uint64_t chain, uint64_t filled)
{
    size_t at = head(b, 9, 1);
    at = put(b, at, 42, 8);
    at = put(b, at, 0xabc, 8);
    at = trailer(b, at, 7, 8, 99);
    at = put(b, at, 3, 8);    /* CPU */
    at = put(b, at, 5000, 8); /* period */
    at = put(b, at, chain, 8);
    at = put(b, at, PERFREC_CHAIN_USER, 8);
    at = put(b, at, 0x111, 8);
    at = put(b, at, 4, 4); /* raw */
    at = put(b, at, 0xdeadbeef, 4);
    at = put(b, at, 2, 8); /* ABI */
    for (uint64_t i = 0; i < 3; i++)
        at = put(b, at, 70 + i, 8);
    at = put(b, at, 16, 8);
    at = put(b, at, 0x1122, 8);
    at = put(b, at, 0x3344, 8);
    return done(b, put(b, at, filled, 8));
}

TEST(a_sample_with_everything)
{
    uint8_t b[256];
    struct perfrec r;
    uint64_t id;
    size_t len = rich_sample(b, 2, 9);
    CHECK(perfrec_decode(b, len, &rich, &r));
    CHECK_INT(r.mode, PERFREC_KERNEL);
    CHECK_INT(r.id, 42);
    CHECK_INT(r.sample.pc, 0xabc);
    CHECK_INT(r.cpu, 3);
    CHECK_INT(r.sample.period, 5000);
    CHECK_INT(r.sample.chain_len, 2);
    CHECK(get_le64(r.sample.chain + 8) == 0x111);
    CHECK(get_le64(r.sample.regs + 16) == 72);
    CHECK(get_le64(r.sample.stack) == 0x1122);
    CHECK_INT(r.sample.stack_len, 9);
    const struct perfrec_id_place place = perfrec_id_place(&rich);
    CHECK(perfrec_id(b, len, &place, &id) && id == 42);
    CHECK(!perfrec_id(b, place.sample + 7, &place, &id));
    for (size_t cut = 8; cut < len; cut += 8) {
        done(b, cut);
        CHECK(!perfrec_decode(b, cut, &rich, &r));
    }
}

TEST(a_sample_that_says_too_much)
{
    uint8_t b[256];
    struct perfrec r;
    CHECK(!perfrec_decode(b, rich_sample(b, (uint64_t)1 << 61, 9), &rich, &r));
    CHECK(!perfrec_decode(b, rich_sample(b, 12, 9), &rich, &r));
    CHECK(perfrec_decode(b, rich_sample(b, 2, 17), &rich, &r) && !r.sample.stack);
}

TEST(an_id_in_the_trailer)
{
    uint8_t b[64];
    uint64_t id;
    struct perfrec_format f = {.fields = PERFREC_TID | PERFREC_ID | PERFREC_CPU,
                               .sample_id_all = true};
    size_t at = put(b, head(b, 2, 0), 0, 8);
    at = put(b, put(b, at, 5, 8), 0, 8); /* lost, pid and tid */
    size_t len = done(b, put(b, put(b, at, 77, 8), 1, 8));
    struct perfrec r;
    struct perfrec_id_place place = perfrec_id_place(&f);
    CHECK(perfrec_id(b, len, &place, &id) && id == 77);
    CHECK(!perfrec_id(b, 16, &place, &id));
    CHECK(perfrec_decode(b, len, &f, &r));
    CHECK_INT(r.lost, 5);
    CHECK_INT(r.cpu, 1);
    f.sample_id_all = false;
    place = perfrec_id_place(&f);
    CHECK(!perfrec_id(b, len, &place, &id));
}

TEST(a_slice_of_stack_is_trimmed)
{
    uint8_t b[256], out[256];
    struct perfrec r, t;
    size_t len = rich_sample(b, 2, 3);
    CHECK(perfrec_decode(b, len, &rich, &r));
    size_t trimmed = perfrec_trim(b, len, &r, out);
    CHECK_INT(trimmed, len - 8);
    CHECK(perfrec_decode(out, trimmed, &rich, &t));
    CHECK_INT(t.sample.stack_len, 3);
    CHECK(memcmp(t.sample.stack, r.sample.stack, 3) == 0);
    CHECK_INT(t.sample.chain_len, 2);
    len = rich_sample(b, 2, 16);
    CHECK(perfrec_decode(b, len, &rich, &r));
    CHECK_INT(perfrec_trim(b, len, &r, out), len);
}

TEST(perfrec_decodes_context_switches)
{
    enum { OUT = 1 << 13, PREEMPTED = 1 << 14 };
    uint8_t b[64];
    struct perfrec r;
    struct perfrec_format f = {.fields = PERFREC_TID | PERFREC_TIME, .sample_id_all = true};
    size_t at = put(b, put(b, head(b, PERFREC_SWITCH, OUT | PREEMPTED), 7, 4), 8, 4);
    CHECK(perfrec_decode(b, done(b, put(b, at, 99, 8)), &f, &r));
    CHECK(r.away.out && r.away.preempted && r.pid == 7 && r.tid == 8 && r.time == 99);
    /* of a CPU: the other thread's ids stand before the trailer */
    at = put(b, put(b, head(b, PERFREC_SWITCH_CPU_WIDE, PREEMPTED), 1, 4), 2, 4);
    at = put(b, put(b, at, 7, 4), 8, 4);
    CHECK(perfrec_decode(b, done(b, put(b, at, 99, 8)), &f, &r));
    CHECK(!r.away.out && !r.away.preempted && r.tid == 8);
    CHECK(!perfrec_decode(b, done(b, put(b, head(b, PERFREC_SWITCH, 0), 7, 4)), &f, &r));
}

/* A sample with all that comes between its stack and its control group. */
static size_t grouped_sample(uint8_t *b)
{
    size_t at = put(b, head(b, 9, 2), 0x1000, 8);
    at = trailer(b, at, 7, 8, 99);
    at = put(b, at, 8, 8); /* a stack of 8 bytes */
    at = put(b, at, 1, 8);
    at = put(b, at, 8, 8);
    at = put(b, at, 11, 8); /* weights, source, transaction */
    at = put(b, at, 12, 8);
    at = put(b, at, 13, 8);
    at = put(b, at, 2, 8); /* of interrupted registers two */
    at = put(b, at, 14, 8);
    at = put(b, at, 15, 8);
    at = put(b, at, 16, 8); /* a physical address */
    at = put(b, at, 0x123456789, 8);
    return done(b, put(b, at, 4096, 8)); /* a page's size */
}

TEST(a_sample_has_its_control_group)
{
    static const struct perfrec_format format = {
        .fields = PERFREC_IP | PERFREC_TID | PERFREC_TIME | PERFREC_STACK_USER | PERFREC_WEIGHTS |
                  PERFREC_DATA_SOURCE | PERFREC_TRANSACTION | PERFREC_REGS_INTERRUPTED |
                  PERFREC_PHYSICAL | PERFREC_IN_CGROUP | 1 << 22,
        .regs_interrupted = 0x101};
    uint8_t b[256];
    struct perfrec r;
    size_t len = grouped_sample(b);
    CHECK(perfrec_decode(b, len, &format, &r));
    CHECK_INT(r.cgroup, 0x123456789);
    CHECK_INT(r.sample.stack_len, 8);
    CHECK(perfrec_decode(b, done(b, len - 8), &format, &r));
    CHECK(!perfrec_decode(b, done(b, len - 16), &format, &r));
    CHECK(!perfrec_decode(b, done(b, len - 24), &format, &r));
}

TEST(what_comes_behind_a_trimmed_slice_stays)
{
    struct perfrec_format f = rich;
    uint8_t b[256], out[256];
    struct perfrec r, t;
    f.fields |= PERFREC_IN_CGROUP;
    size_t len = done(b, put(b, rich_sample(b, 2, 3), 0x123456789, 8));
    CHECK(perfrec_decode(b, len, &f, &r));
    size_t trimmed = perfrec_trim(b, len, &r, out);
    CHECK_INT(trimmed, len - 8);
    CHECK(perfrec_decode(out, trimmed, &f, &t));
    CHECK_INT(t.sample.stack_len, 3);
    CHECK_INT(t.cgroup, 0x123456789);
}

TEST(a_control_group_has_its_path)
{
    uint8_t b[64];
    struct perfrec r;
    size_t at = put(b, head(b, 19, 0), 77, 8);
    memcpy(b + at, "/a.slice", 9);
    size_t len = done(b, trailer(b, at + 16, 7, 8, 99));
    CHECK(perfrec_decode(b, len, &all, &r));
    CHECK_INT(r.cgroup, 77);
    CHECK_STR(r.name, "/a.slice");
    CHECK_INT(r.time, 99);
    memcpy(b + at, "/without/an/end.", 16);
    CHECK(!perfrec_decode(b, len, &all, &r));
    CHECK(!perfrec_decode(b, done(b, 12), &all, &r));
}

/* Every combination of the fields whose length is always the same. */
TEST(perfrec_plain_samples_are_decoded_alike)
{
    static const uint64_t field[] = {PERFREC_IDENTIFIER, PERFREC_IP,   PERFREC_TID,
                                     PERFREC_TIME,       PERFREC_ADDR, PERFREC_ID,
                                     PERFREC_STREAM_ID,  PERFREC_CPU,  PERFREC_PERIOD};
    struct perfrec plain = {0};
    uint8_t b[96];
    for (unsigned set = 0; set < 1u << 9; set++) {
        struct perfrec_format f = {.period = 77};
        struct perfrec r;
        size_t at = head(b, 9, PERFREC_USER);
        for (unsigned i = 0; i < 9; i++)
            if (set >> i & 1) {
                f.fields |= field[i];
                at = put(b, at, 0x0101010101010101u * (i + 1), 8);
            }
        size_t len = done(b, at);
        struct perfrec_layout layout = perfrec_layout(&f);
        CHECK_INT(layout.plain, len);
        CHECK(perfrec_decode(b, len, &f, &r));
        perfrec_decode_plain(b, &layout, &f, &plain);
        CHECK(plain.type == r.type && plain.mode == r.mode && plain.pid == r.pid &&
              plain.tid == r.tid && plain.time == r.time && plain.id == r.id && plain.cpu == r.cpu);
        CHECK(plain.sample.pc == r.sample.pc && plain.sample.period == r.sample.period);
    }
}

TEST(perfrec_samples_of_any_length_are_not_plain)
{
    static const uint64_t more[] = {PERFREC_READ, PERFREC_CALLCHAIN, PERFREC_RAW,
                                    PERFREC_STACK_USER, PERFREC_IN_CGROUP};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        struct perfrec_format f = {.fields = PERFREC_IP | PERFREC_TIME | more[i]};
        CHECK_INT(perfrec_layout(&f).plain, 0);
        CHECK_INT(perfrec_layout(&f).time, 16);
    }
}
