/* The header and the tables of a perf.data file. */
#include "perfdata_make.h"

static void text(struct buf *b, const char *s)
{
    char padded[64] = {0};
    strncpy(padded, s, 63);
    u32(b, 64);
    buf_add(b, padded, 64);
}

/* A file of one event with an attr of that size, one id, the records, and features: what follows
 * each number is put there. */
struct made_feature {
    unsigned number;
    struct buf bytes;
};

static void file(struct buf *b, uint32_t attr_bytes, uint64_t flags, const struct buf *records,
                 const struct made_feature *features, size_t count)
{
    size_t entry = (attr_bytes ? attr_bytes : 64) + 16, at = 104 + 8 + entry;
    uint64_t bits = 0;
    for (size_t i = 0; i < count; i++)
        bits |= 1ULL << features[i].number;
    buf_add(b, "PERFILE2", 8);
    u64(b, 104), u64(b, entry);
    u64(b, 112), u64(b, entry);
    u64(b, at), u64(b, records->len);
    u64(b, 0), u64(b, 0);
    u64(b, bits), u64(b, 0), u64(b, 0), u64(b, 0);
    u64(b, 42);
    attr_sized(b, attr_bytes, 3, IP | TID | TIME, flags);
    u64(b, 104), u64(b, 8);
    buf_add(b, records->data, records->len);
    at += records->len + count * 16;
    for (size_t i = 0; i < count; at += features[i++].bytes.len)
        u64(b, at), u64(b, features[i].bytes.len);
    for (size_t i = 0; i < count; i++)
        buf_add(b, features[i].bytes.data, features[i].bytes.len);
}

TEST(perfdata_events_of_all_ages)
{
    static const uint32_t sizes[] = {0, 64, 72, 80, 96, 104, 112, 120, 128, 136, 256};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct buf b = BUF_INIT, records = BUF_INIT;
        sample(&records, 1, 0xa);
        file(&b, sizes[i], ID_ALL | FREQ | USE_CLOCK, &records, NULL, 0);
        struct perfdata *pd = opened(&b);
        const struct perfdata_event *e = perfdata_event(pd, 0);
        CHECK_INT(perfdata_events(pd), 1);
        CHECK_INT(e->config, 3);
        CHECK_INT(e->ids, 1);
        CHECK_INT(e->freq, 1);
        CHECK_INT(e->period_or_freq, 4000);
        CHECK_INT(e->format.period, 1);
        CHECK_INT(e->clock, sizes[i] >= 96 ? 7 : 0);
        CHECK(e->user && e->kernel);
        perfdata_free(pd);
        struct taken t;
        CHECK_INT(read_all(&b, &t), 0);
        CHECK_STR(t.text, "1:a ");
        buf_release(&b);
        buf_release(&records);
    }
}

TEST(perfdata_facts_are_told)
{
    struct made_feature f[] = {{.number = 3},  {.number = 7},  {.number = 11},
                               {.number = 12}, {.number = 21}, {.number = 29}};
    struct buf b = BUF_INIT, records = BUF_INIT;
    text(&f[0].bytes, "board");
    u32(&f[1].bytes, 8), u32(&f[1].bytes, 6);
    u32(&f[2].bytes, 2), text(&f[2].bytes, "perf"), text(&f[2].bytes, "record");
    u32(&f[3].bytes, 1), u32(&f[3].bytes, 64);
    attr(&f[3].bytes, 3, 0, 0);
    u32(&f[3].bytes, 1), text(&f[3].bytes, "my-event"), u64(&f[3].bytes, 42);
    u64(&f[4].bytes, 100), u64(&f[4].bytes, 200);
    u32(&f[5].bytes, 1), u32(&f[5].bytes, 7), u64(&f[5].bytes, 5000), u64(&f[5].bytes, 60);
    sample(&records, 1, 0xa);
    file(&b, 96, ID_ALL, &records, f, 6);
    struct perfdata *pd = opened(&b);
    const struct perfdata_facts *facts = perfdata_facts(pd);
    CHECK_STR(facts->host, "board");
    CHECK_STR(facts->cpu, "");
    CHECK_STR(facts->command, "perf record");
    CHECK_INT(facts->cpus_present, 8);
    CHECK_INT(facts->cpus_online, 6);
    CHECK_INT(facts->last_ns, 200);
    CHECK_INT(facts->wall_ns, 5000);
    CHECK_INT(facts->wall_at_ns, 60);
    CHECK_INT(facts->record_bytes, 32);
    CHECK(facts->finished && !facts->stream);
    CHECK_STR(perfdata_event(pd, 0)->name, "my-event");
    CHECK_INT(perfdata_event(pd, 0)->format.period, 4000);
    perfdata_free(pd);
    for (size_t i = 0; i < sizeof f / sizeof *f; i++)
        buf_release(&f[i].bytes);
    buf_release(&b);
    buf_release(&records);
}

TEST(perfdata_build_ids_have_a_size_or_all_bytes)
{
    struct buf b = BUF_INIT;
    plain_stream(&b);
    for (unsigned sized = 0; sized < 3; sized++) {
        header(&b, 67, 2 | (sized ? 1 << 15 : 0), 4 + 24 + 8);
        u32(&b, UINT32_MAX);
        buf_add(&b, "0123456789abcdefghij", 20);
        u32(&b, sized == 2 ? 21 : 8); /* 21: more than there can be */
        buf_add(&b, "/bin/a\0", 8);
    }
    struct perfdata *pd = opened(&b);
    CHECK_INT(perfdata_build_ids(pd), 2);
    CHECK_INT(perfdata_build_id(pd, 0)->id_len, 20);
    CHECK_INT(perfdata_build_id(pd, 1)->id_len, 8);
    CHECK_INT(perfdata_build_id(pd, 1)->mode, PERFREC_USER);
    CHECK_STR(perfdata_build_id(pd, 1)->path, "/bin/a");
    perfdata_free(pd);
    buf_release(&b);
}

TEST(perfdata_unfinished_and_cut_files)
{
    struct made_feature f[] = {{.number = 3}};
    struct buf b = BUF_INIT, records = BUF_INIT;
    struct taken t;
    text(&f[0].bytes, "board");
    sample(&records, 1, 0xa), sample(&records, 2, 0xb);
    file(&b, 64, ID_ALL, &records, f, 1);
    struct buf cut = {.data = b.data, .len = 104 + 8 + 80 + 40};
    CHECK_INT(read_all(&cut, &t), 0);
    CHECK_STR(t.text, "1:a ");
    CHECK_STR(t.warning, "cut off: it has 40 of 64 bytes of records");
    cut.len = 104 + 8 + 80 + 64;
    memset(b.data + 48, 0, 8); /* the size, as long as perf is at work */
    CHECK_INT(read_all(&cut, &t), 0);
    CHECK_STR(t.text, "1:a 2:b ");
    CHECK_STR(t.warning, "the recording was not finished: perf was killed");
    for (size_t len = 16; len < 104 + 8 + 80; len++) { /* into the tables */
        cut.len = len;
        CHECK_INT(read_all(&cut, &t), -EINVAL);
    }
    buf_release(&f[0].bytes);
    buf_release(&b);
    buf_release(&records);
}

static void count_call(void *arg, const void *at, size_t len)
{
    (void)at, (void)len;
    ++*(int *)arg;
}

/* How many passes over its records opening a file with these features takes. */
static int passes(const struct made_feature *f, size_t count)
{
    struct buf b = BUF_INIT, records = BUF_INIT;
    int n = 0;
    const struct perfdata_release release = {count_call, &n};
    struct perfdata *pd = NULL;
    struct fail fail;
    sample(&records, 1, 0xa);
    file(&b, 64, ID_ALL, &records, f, count);
    CHECK_INT(perfdata_open(b.data, b.len, &release, &pd, &fail), 0);
    perfdata_free(pd);
    buf_release(&b);
    buf_release(&records);
    return n;
}

TEST(perfdata_with_tables_is_read_once)
{
    struct made_feature f[] = {{.number = 2}, {.number = 12}};
    u32(&f[1].bytes, 0), u32(&f[1].bytes, 64); /* no events */
    CHECK_INT(passes(f, 2), 0);
    CHECK_INT(passes(f, 1), 1); /* without the events' names */
    CHECK_INT(passes(f + 1, 1), 1);
    CHECK_INT(passes(f, 0), 1);
    buf_release(&f[1].bytes);
}
