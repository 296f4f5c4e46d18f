#include "perfdata_make.h"

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

TEST(perfdata_equal_times_keep_their_places)
{
    struct buf b = BUF_INIT;
    struct taken t;
    plain_stream(&b);
    sample(&b, 5, 0xa), sample(&b, 5, 0xb), sample(&b, 9, 0xc); /* three rings */
    sample(&b, 5, 0xd), sample(&b, 9, 0xe);
    sample(&b, 4, 0xf), sample(&b, 5, 0x10), sample(&b, 5, 0x11);
    round_ends(&b);
    sample(&b, 9, 0x12);
    sample(&b, 8, 0x13), sample(&b, 9, 0x14);
    CHECK_INT(read_all(&b, &t), 0);
    CHECK_STR(t.text, "4:f 5:a 5:b 5:d 5:10 5:11 8:13 9:c 9:e 9:12 9:14 ");
    buf_release(&b);
}

/* Records of other kinds, and without a time, stand between those of a ring. */
TEST(perfdata_what_is_passed_over_ends_no_run)
{
    struct buf b = BUF_INIT;
    struct taken t;
    plain_stream(&b);
    sample(&b, 10, 0xa);
    header(&b, 17, 0, 16), u32(&b, 1), u32(&b, 1), u64(&b, 2); /* KSYMBOL */
    sample(&b, 30, 0xb);
    comm(&b, "now", 0);
    sample(&b, 40, 0xc);
    sample(&b, 20, 0xd);
    CHECK_INT(read_all(&b, &t), 0);
    CHECK_STR(t.text, "0=now 10:a 20:d 30:b 40:c ");
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
    CHECK_STR(t.warning, "1 record of unknown events");
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
        CHECK_INT(perfdata_open(row[i].bytes, 16, NULL, &pd, &f), row[i].err);
        CHECK_INT(perfdata_open(row[i].bytes, 15, NULL, &pd, &f), -EINVAL);
    }
}

enum { FILLER_BYTES = 65528, FILLERS = 40, MAX_RANGES = 16 };

struct released {
    const uint8_t *at[MAX_RANGES];
    size_t len[MAX_RANGES], count;
};

static void note_range(void *arg, const void *at, size_t len)
{
    struct released *r = arg;
    if (r->count == MAX_RANGES)
        return;
    r->at[r->count] = at;
    r->len[r->count++] = len;
}

/* Some 3 MB: a sample, a record of perf's own that is not wanted, and so on; no round ends. */
static void large_stream(struct buf *b)
{
    static const uint8_t filler[FILLER_BYTES];
    plain_stream(b);
    for (uint64_t i = 0; i < FILLERS; i++) {
        sample(b, i + 1, 0xa);
        header(b, 200, 0, FILLER_BYTES - 8);
        buf_add(b, filler, FILLER_BYTES - 8);
    }
}

static void ignore_record(void *arg, const struct perfdata_event *e, const struct perfrec *r)
{
    (void)arg, (void)e, (void)r;
}

/* Ranges follow each other, each of a window and at most one record more but the last. */
static size_t check_ranges(const struct released *r, const void *first, size_t len)
{
    const uint8_t *next = first;
    size_t i = 0;
    for (; i < r->count && next < (const uint8_t *)first + len; i++) {
        CHECK(r->at[i] == next);
        CHECK(r->len[i] < PERFDATA_WINDOW_BYTES + FILLER_BYTES);
        next = r->at[i] + r->len[i];
    }
    CHECK(next == (const uint8_t *)first + len);
    return i;
}

TEST(perfdata_each_pass_releases_what_it_read)
{
    struct buf b = BUF_INIT;
    struct released released = {.count = 0};
    const struct perfdata_release release = {note_range, &released};
    struct perfdata *pd;
    struct fail f;
    large_stream(&b);
    const uint8_t *records = (const uint8_t *)b.data + 16;
    CHECK_INT(perfdata_open(b.data, b.len, &release, &pd, &f), 0);
    CHECK_INT(check_ranges(&released, records, b.len - 16), 3);
    released.count = 0;
    CHECK_INT(perfdata_read(pd, ignore_record, NULL, &f), 0);
    CHECK_INT(perfdata_counts(pd)->samples, FILLERS);
    CHECK_INT(released.count, 3);
    CHECK(released.at[1] == released.at[0] + released.len[0]);
    /* the samples of the first windows waited until the end */
    CHECK(released.at[2] < records + 1024);
    CHECK(released.at[2] + released.len[2] == (const uint8_t *)b.data + b.len);
    perfdata_free(pd);
    buf_release(&b);
}
