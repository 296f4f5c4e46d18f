#include "unit.h"

#include "core/base/buf.h"
#include "core/base/bytes.h"
#include "core/perf/perfdata.h"

#include <errno.h>
#include <stdlib.h>

/* perf.data by hand: a stream, because it is made of records alone, and a file around records. */
static void u32(struct buf *b, uint32_t v)
{
    uint8_t le[4];
    put_le32(le, v);
    buf_add(b, le, 4);
}

static void u64(struct buf *b, uint64_t v)
{
    u32(b, (uint32_t)v);
    u32(b, (uint32_t)(v >> 32));
}

static void header(struct buf *b, uint32_t type, unsigned misc, size_t body)
{
    u32(b, type);
    u32(b, (uint32_t)(misc | (8 + body) << 16));
}

enum {
    IP = 1,
    TID = 2,
    TIME = 4,
    IDENTIFIER = 1 << 16,
    FREQ = 1 << 10,
    ID_ALL = 1 << 18,
    USE_CLOCK = 1 << 25,
    MOST_TAKEN = 64,
};

static void attr_sized(struct buf *b, uint32_t size, uint64_t config, uint64_t fields,
                       uint64_t flags)
{
    u32(b, 1);
    u32(b, size);
    u64(b, config);
    u64(b, 4000);
    u64(b, fields);
    u64(b, 0);
    u64(b, flags);
    for (size_t i = 48; i < (size ? size : 64); i += 4)
        u32(b, i == 92 ? 7 : 0);
}

static void attr(struct buf *b, uint64_t config, uint64_t fields, uint64_t flags)
{
    attr_sized(b, 64, config, fields, flags);
}

static void stream(struct buf *b)
{
    buf_add(b, "PERFILE2", 8);
    u64(b, 16);
}

/* An event of the stream, with ids. */
static void event(struct buf *b, uint64_t config, uint64_t fields, uint64_t first_id, unsigned ids)
{
    header(b, 64, 0, 64 + 8 * ids);
    attr(b, config, fields, ID_ALL);
    for (unsigned i = 0; i < ids; i++)
        u64(b, first_id + i);
}

/* A stream of one event, whose samples have a place, a thread and a time. */
static void plain_stream(struct buf *b)
{
    stream(b);
    event(b, 0, IP | TID | TIME, 0, 0);
}

static void sample(struct buf *b, uint64_t time, uint64_t pc)
{
    header(b, 9, 2, 24);
    u64(b, pc);
    u32(b, 1), u32(b, 2);
    u64(b, time);
}

static void sample_of(struct buf *b, uint64_t id, uint64_t time, uint64_t pc)
{
    header(b, 9, 2, 32);
    u64(b, id);
    u64(b, pc);
    u32(b, 1), u32(b, 2);
    u64(b, time);
}

static void comm(struct buf *b, const char *name, uint64_t time)
{
    char padded[8] = {0};
    strncpy(padded, name, 7);
    header(b, 3, 0, 32);
    u32(b, 1), u32(b, 1);
    buf_add(b, padded, 8);
    u32(b, 1), u32(b, 1);
    u64(b, time);
}

static void round_ends(struct buf *b)
{
    header(b, 68, 0, 0);
}

/* --- reading it --- */

struct taken {
    char text[2048]; /* "TIME:PC" or "TIME=NAME", a blank behind each */
    char event[MOST_TAKEN][24];
    uint64_t period;
    size_t count;
    char warning[256];
    struct perfdata_counts counts;
};

static void take(void *arg, const struct perfdata_event *e, const struct perfrec *r)
{
    struct taken *t = arg;
    size_t at = strlen(t->text);
    if (r->type == PERFREC_SAMPLE)
        snprintf(t->text + at, sizeof t->text - at, "%" PRIu64 ":%" PRIx64 " ", r->time,
                 r->sample.pc);
    else
        snprintf(t->text + at, sizeof t->text - at, "%" PRIu64 "=%s ", r->time,
                 r->name ? r->name : "?");
    if (t->count < MOST_TAKEN)
        snprintf(t->event[t->count++], sizeof *t->event, "%s", e->name);
    t->period = r->sample.period;
}

static int read_all(const struct buf *b, struct taken *t)
{
    struct perfdata *pd;
    struct fail f;
    *t = (struct taken){.text = ""};
    int err = perfdata_open(b->data, b->len, &pd, &f);
    if (err)
        return err;
    err = perfdata_read(pd, take, t, &f);
    if (perfdata_warning(pd))
        snprintf(t->warning, sizeof t->warning, "%s", perfdata_warning(pd));
    t->counts = *perfdata_counts(pd);
    perfdata_free(pd);
    return err;
}

static struct perfdata *opened(const struct buf *b)
{
    struct perfdata *pd = NULL;
    struct fail f;
    CHECK_INT(perfdata_open(b->data, b->len, &pd, &f), 0);
    if (!pd)
        abort();
    return pd;
}

TEST(perfdata_times_are_ordered_in_rounds)
{
    struct buf b = BUF_INIT;
    struct taken t;
    plain_stream(&b);
    sample(&b, 10, 0xa), sample(&b, 30, 0xb); /* one ring */
    sample(&b, 20, 0xc), sample(&b, 30, 0xd); /* another: equal times stay as they stand */
    round_ends(&b);
    sample(&b, 25, 0xe), sample(&b, 50, 0xf);
    round_ends(&b); /* up to 30 */
    sample(&b, 40, 0x10);
    sample(&b, 26, 0x11); /* too late for its place */
    comm(&b, "now", 0);   /* no time: at once */
    CHECK_INT(read_all(&b, &t), 0);
    CHECK_STR(t.text, "10:a 20:c 25:e 30:b 30:d 0=now 26:11 40:10 50:f ");
    CHECK_INT(t.counts.records, 9);
    CHECK_INT(t.counts.samples, 8);
    CHECK_INT(t.counts.out_of_order, 1);
    CHECK_STR(t.warning, "");
    buf_release(&b);
}

TEST(perfdata_many_runs_are_merged)
{
    struct buf b = BUF_INIT;
    struct taken t;
    plain_stream(&b);
    for (unsigned i = 0; i < 40; i++)
        sample(&b, 1 + i * 17 % 40, 1);
    CHECK_INT(read_all(&b, &t), 0);
    char want[2048] = "";
    for (unsigned i = 1; i <= 40; i++)
        snprintf(want + strlen(want), sizeof want - strlen(want), "%u:1 ", i);
    CHECK_STR(t.text, want);
    buf_release(&b);
}

TEST(perfdata_samples_find_their_event)
{
    struct buf b = BUF_INIT;
    struct taken t;
    stream(&b);
    event(&b, 0, IDENTIFIER | IP | TID | TIME, 70, 2);
    event(&b, 2, IDENTIFIER | IP | TID | TIME, 80, 2);
    sample_of(&b, 81, 1, 0xa);
    sample_of(&b, 71, 2, 0xb);
    sample_of(&b, 0, 3, 0xc);  /* perf's own: the first's */
    sample_of(&b, 99, 4, 0xd); /* nobody's */
    CHECK_INT(read_all(&b, &t), 0);
    CHECK_STR(t.text, "1:a 2:b 3:c ");
    CHECK_STR(t.event[0], "page-faults");
    CHECK_STR(t.event[1], "cpu-clock");
    CHECK_STR(t.event[2], "cpu-clock");
    CHECK_INT(t.counts.unknown_events, 1);
    CHECK_STR(t.warning, "1 records are of unknown events");
    buf_release(&b);
}

TEST(perfdata_payloads_are_no_records)
{
    struct buf b = BUF_INIT;
    struct taken t;
    plain_stream(&b);
    header(&b, 66, 0, 4), u32(&b, 13); /* tracing data: 13 bytes, padded to 16 */
    u64(&b, UINT64_MAX), u64(&b, UINT64_MAX);
    header(&b, 71, 0, 40), u64(&b, 24); /* trace of a processor: 24 bytes */
    for (int i = 0; i < 7; i++)
        u64(&b, UINT64_MAX);
    header(&b, 200, 0, 8), u64(&b, 1); /* of a perf to come */
    sample(&b, 5, 0xa);
    CHECK_INT(read_all(&b, &t), 0);
    CHECK_STR(t.text, "5:a ");
    CHECK_STR(t.warning, "");
    buf_release(&b);
}

TEST(perfdata_losses_are_counted)
{
    struct buf b = BUF_INIT;
    struct taken t;
    plain_stream(&b);
    header(&b, 2, 0, 32), u64(&b, 0), u64(&b, 7); /* LOST */
    u32(&b, 1), u32(&b, 1), u64(&b, 9);
    header(&b, 13, 0, 24), u64(&b, 8); /* LOST_SAMPLES */
    u32(&b, 1), u32(&b, 1), u64(&b, 9);
    header(&b, 13, 1 << 15, 24), u64(&b, 100); /* dropped by a filter: as asked */
    u32(&b, 1), u32(&b, 1), u64(&b, 9);
    CHECK_INT(read_all(&b, &t), 0);
    CHECK_STR(t.text, "9=? ");
    CHECK_INT(t.counts.lost, 7);
    CHECK_INT(t.counts.lost_samples, 8);
    buf_release(&b);
}

TEST(perfdata_what_is_cut_off_is_read_up_to_there)
{
    struct buf b = BUF_INIT;
    struct taken t;
    plain_stream(&b);
    sample(&b, 1, 0xa);
    size_t whole = b.len;
    sample(&b, 2, 0xb);
    for (size_t len = whole + 1; len < whole + 32; len++) {
        struct buf cut = {.data = b.data, .len = len};
        CHECK_INT(read_all(&cut, &t), 0);
        CHECK_STR(t.text, "1:a ");
        CHECK(strncmp(t.warning, "cut off in the record at byte 120", 33) == 0);
    }
    b.data[whole + 6] = 7; /* a size no record has */
    CHECK_INT(read_all(&b, &t), 0);
    CHECK_STR(t.text, "1:a ");
    CHECK_STR(t.warning, "damaged at byte 120: what follows is missing");
    buf_release(&b);
}

TEST(perfdata_short_records_are_counted)
{
    struct buf b = BUF_INIT;
    struct taken t;
    plain_stream(&b);
    header(&b, 9, 2, 8), u64(&b, 1); /* a sample without its time */
    sample(&b, 1, 0xa);
    CHECK_INT(read_all(&b, &t), 0);
    CHECK_STR(t.text, "1:a ");
    CHECK_INT(t.counts.malformed, 1);
    buf_release(&b);
}

TEST(perfdata_what_else_it_refuses)
{
    static const struct {
        const char *bytes;
        int err;
    } row[] = {{"2ELIFREP\0\0\0\0\0\0\0\x68", -ENOTSUP},
               {"PERFFILE\x68\0\0\0\0\0\0\0", -ENOTSUP},
               {"#!/bin/sh\nexit 0\n", -EINVAL},
               {"PERFILE2\x68\0\0\0\0\0\0\0", -EINVAL},
               {"PERFILE2\x10\0\0\0\0\0\0\0", -EINVAL}}; /* no event */
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct perfdata *pd;
        struct fail f;
        CHECK_INT(perfdata_open(row[i].bytes, 16, &pd, &f), row[i].err);
        CHECK_INT(perfdata_open(row[i].bytes, 15, &pd, &f), -EINVAL);
    }
}

/* --- the file's tables --- */

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

/* --- compressed records --- */

/* A zstd frame of one raw block: what any packer may write, by hand. */
static void frame(struct buf *b, const struct buf *content)
{
    u32(b, 0xfd2fb528);
    buf_addc(b, 0);                                   /* no size, a window */
    buf_addc(b, 0);                                   /* of 1 KB */
    uint32_t block = 1 | (uint32_t)content->len << 3; /* the last, raw */
    buf_add(b, (uint8_t[]){block & 255, block >> 8 & 255, block >> 16 & 255}, 3);
    buf_add(b, content->data, content->len);
}

static void packed_in(struct buf *b, const struct buf *packed, size_t from, size_t to)
{
    header(b, 81, 0, to - from);
    buf_add(b, packed->data + from, to - from);
}

TEST(perfdata_compressed_records_are_cut_anywhere)
{
    struct buf records = BUF_INIT, packed = BUF_INIT;
    struct taken t;
    sample(&records, 3, 0xa), sample(&records, 1, 0xb), sample(&records, 2, 0xc);
    frame(&packed, &records);
    for (size_t cut = 1; cut < packed.len; cut++) {
        struct buf b = BUF_INIT;
        plain_stream(&b);
        packed_in(&b, &packed, 0, cut);
        round_ends(&b);
        packed_in(&b, &packed, cut, packed.len);
        int err = read_all(&b, &t);
        if (err == -ENOSYS) { /* a build without zstd says so */
            buf_release(&b);
            break;
        }
        CHECK_INT(err, 0);
        CHECK_STR(t.text, "1:b 2:c 3:a ");
        CHECK_STR(t.warning, "");
        buf_release(&b);
    }
    buf_release(&records);
    buf_release(&packed);
}

TEST(perfdata_damaged_compression_ends_the_reading)
{
    struct buf b = BUF_INIT, records = BUF_INIT, packed = BUF_INIT;
    struct taken t;
    sample(&records, 1, 0xa);
    frame(&packed, &records);
    plain_stream(&b);
    header(&b, 83, 0, 8 + packed.len + 3); /* the later kind: its size, then padding */
    u64(&b, packed.len);
    buf_add(&b, packed.data, packed.len);
    buf_add(&b, "\0\0", 3);
    size_t good = b.len;
    header(&b, 81, 0, 8), u64(&b, 0x1111111111111111);
    packed_in(&b, &packed, 0, packed.len);
    int err = read_all(&b, &t);
    if (err != -ENOSYS) {
        char want[80];
        snprintf(want, sizeof want,
                 "compressed records are damaged at byte %zu: what follows is missing", good);
        CHECK_INT(err, 0);
        CHECK_STR(t.text, "1:a ");
        CHECK_STR(t.warning, want);
    }
    buf_release(&b);
    buf_release(&records);
    buf_release(&packed);
}

/* Blocks of one byte repeated: four bytes say 128 KB, each 2056 a record that means nothing. */
TEST(perfdata_compression_that_grows_too_much_is_refused)
{
    enum { BLOCKS = 64, BLOCK_BYTES = 128 << 10 };
    struct buf b = BUF_INIT, packed = BUF_INIT;
    struct taken t;
    u32(&packed, 0xfd2fb528);
    buf_addc(&packed, 0);
    buf_addc(&packed, 7 << 3); /* a window of 128 KB */
    for (uint32_t i = 0; i < BLOCKS; i++) {
        uint32_t block = (i == BLOCKS - 1) | 1 << 1 | BLOCK_BYTES << 3;
        buf_add(&packed, (uint8_t[]){block & 255, block >> 8 & 255, block >> 16 & 255, 8}, 4);
    }
    plain_stream(&b);
    size_t good = b.len;
    packed_in(&b, &packed, 0, packed.len);
    sample(&b, 1, 0xa);
    int err = read_all(&b, &t);
    if (err != -ENOSYS) {
        char want[80];
        snprintf(want, sizeof want,
                 "compressed records are damaged at byte %zu: what follows is missing", good);
        CHECK_INT(err, 0);
        CHECK_STR(t.text, "1:a ");
        CHECK_STR(t.warning, want);
    }
    buf_release(&b);
    buf_release(&packed);
}
