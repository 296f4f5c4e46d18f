#include "unit.h"

#include "core/base/bytes.h"
#include "core/trace/decode.h"
#include "core/trace/merge.h"

/* --- pages made by hand --- */

struct page {
    uint8_t bytes[512];
    size_t used;
};
static const struct trace_page_layout layout = {8, 8, 16, 512};

static void put_word(struct page *p, uint32_t word)
{
    put_le32(p->bytes + 16 + p->used, word);
    p->used += 4;
}

static void put_event(struct page *p, uint32_t delta, uint32_t words, uint32_t first)
{
    put_word(p, delta << 5 | words);
    for (uint32_t i = 0; i < words; i++)
        put_word(p, first + i);
}

static int start(struct page *p, struct trace_page *out, uint64_t time, uint32_t flags)
{
    put_le64(p->bytes, time);
    put_le64(p->bytes + 8, p->used | flags);
    return trace_page_open(out, &layout, p->bytes, sizeof p->bytes);
}

TEST(times_are_sums_of_deltas)
{
    struct page p = {.used = 0};
    struct trace_page at;
    struct trace_record r;
    put_event(&p, 5, 1, 77);
    put_word(&p, 30 | 3u << 5); /* time extend: 2 << 27, and 3 */
    put_word(&p, 2);
    put_event(&p, 1, 2, 88);
    put_word(&p, 29 | 7u << 5); /* discarded, with a delta that counts */
    put_word(&p, 8);
    put_word(&p, 0);
    put_event(&p, 1, 1, 99);
    put_word(&p, 29 | 1u << 5); /* and one whose does not */
    put_word(&p, 4);
    put_event(&p, 1, 1, 100);
    CHECK_INT(start(&p, &at, 1000, 0), 0);
    CHECK_INT(at.missed, 0);
    CHECK(trace_page_next(&at, &r));
    CHECK_INT(r.time_ns, 1005);
    CHECK_INT(r.len, 4);
    CHECK_INT(get_le32(r.bytes), 77);
    CHECK(trace_page_next(&at, &r));
    CHECK_INT(r.time_ns, 1005 + (2 << 27) + 3 + 1);
    CHECK_INT(r.len, 8);
    CHECK(trace_page_next(&at, &r));
    CHECK_INT(r.time_ns, 1005 + (2 << 27) + 3 + 1 + 7 + 1);
    CHECK(trace_page_next(&at, &r));
    CHECK_INT(r.time_ns, 1005 + (2 << 27) + 3 + 1 + 7 + 1 + 1);
    CHECK(!trace_page_next(&at, &r));
    CHECK(!at.damaged);
}

TEST(an_absolute_time_keeps_the_high_bits)
{
    struct page p = {.used = 0};
    struct trace_page at;
    struct trace_record r;
    put_word(&p, 31 | 6u << 5);
    put_word(&p, 1);
    put_event(&p, 2, 1, 1);
    CHECK_INT(start(&p, &at, UINT64_C(0x1800000000000000), 0), 0);
    CHECK(trace_page_next(&at, &r));
    CHECK(r.time_ns == UINT64_C(0x1800000000000000) + (1 << 27) + 6 + 2);
}

TEST(a_long_event_tells_its_length)
{
    struct page p = {.used = 0};
    struct trace_page at;
    struct trace_record r;
    put_word(&p, 4u << 5);
    put_word(&p, 4 + 120);
    for (int i = 0; i < 30; i++)
        put_word(&p, (uint32_t)i);
    CHECK_INT(start(&p, &at, 1, 0), 0);
    CHECK(trace_page_next(&at, &r));
    CHECK_INT(r.len, 120);
    CHECK_INT(get_le32(r.bytes + 116), 29);
    p.used -= 4; /* now it runs over the end */
    CHECK_INT(start(&p, &at, 1, 0), 0);
    CHECK(!trace_page_next(&at, &r));
    CHECK(at.damaged);
}

TEST(trace_page_counts_missed_events)
{
    struct page p = {.used = 0};
    struct trace_page at;
    put_event(&p, 5, 1, 77);
    put_le64(p.bytes + 16 + p.used, 1234);
    CHECK_INT(start(&p, &at, 1, 1u << 31 | 1u << 30), 0);
    CHECK_INT(at.missed, 1234);
    CHECK_INT(start(&p, &at, 1, 1u << 31), 0);
    CHECK(at.missed == TRACE_MISSED_MANY);
    CHECK(start(&p, &at, 1, 0xffff0) < 0);
}

TEST(trace_page_takes_missed_events_from_behind_the_page)
{
    static const struct trace_page_layout small = {
        .commit_at = 8, .commit_size = 8, .data_at = 16, .page_size = 64};
    uint8_t bytes[64 + TRACE_PAGE_MISSED] = {[8] = 48, [11] = 0x80}; /* full, with missed events */
    struct trace_page at;
    put_le64(bytes + 64, 1234);
    CHECK_INT(trace_page_open(&at, &small, bytes, 64), 0);
    CHECK(at.missed == TRACE_MISSED_MANY);
    CHECK_INT(trace_page_open(&at, &small, bytes, sizeof bytes), 0);
    CHECK_INT(at.missed, 1234);
    CHECK_INT(at.end - at.at, 48);
}

/* --- formats --- */

TEST(a_field_of_each_kind)
{
    static const char text[] =
        "name: made_up\nID: 17\nformat:\n"
        "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
        "\n\tfield:__data_loc char[] far;\toffset:4;\tsize:4;\tsigned:0;\n"
        "\tfield:char near[6];\toffset:8;\tsize:6;\tsigned:0;\n"
        "\tfield:int *number;\toffset:14;\tsize:2;\tsigned:1;\n"
        "\tfield:char rest[];\toffset:16;\tsize:0;\tsigned:0;\n"
        "\nprint fmt: \"%s\", REC->prev_state & 3 ? { 0x1, \"S\" }, { 2, \"D\" }) : \"R\"\n";
    uint8_t record[24] = {17, 0, 0, 0, 19, 0, 4, 0, 'n', 'e', 'a', 'r', 0, 0, 0xfe, 0xff, 'r'};
    struct trace_format f;
    size_t len;
    memcpy(record + 19, "far!", 4);
    CHECK_INT(trace_format_read(text, strlen(text), &f), 0);
    CHECK_STR(f.name, "made_up");
    CHECK_INT(f.id, 17);
    CHECK_INT(f.states, 2);
    CHECK_INT(f.state[1].letter, 'D');
    CHECK_INT(trace_field_number(trace_format_field(&f, "number"), record, 24), -2);
    CHECK_INT(trace_field_number(trace_format_field(&f, "number"), record, 15), 0);
    CHECK(memcmp(trace_field_text(trace_format_field(&f, "far"), record, 24, &len), "far!", 4) ==
          0);
    CHECK_INT(len, 4);
    trace_field_text(trace_format_field(&f, "far"), record, 22, &len);
    CHECK_INT(len, 0);
    trace_field_text(trace_format_field(&f, "near"), record, 24, &len);
    CHECK_INT(len, 4);
    trace_field_text(trace_format_field(&f, "rest"), record, 24, &len);
    CHECK_INT(len, 1);
    CHECK(!trace_format_field(&f, "none"));
    CHECK(trace_format_read("nothing", 7, &f) < 0);
}

/* --- merging --- */

static uint64_t seen[16];
static size_t count;

static void take(void *arg, const struct sched_event *e)
{
    (void)arg;
    seen[count++ & 15] = e->time_ns;
}

static void drop(void *arg, const struct sched_event *e)
{
    (void)arg, (void)e;
}

static void add(struct sched_merge *m, size_t source, uint64_t time)
{
    struct sched_event e = {.time_ns = time};
    sched_merge_add(m, source, &e);
}

TEST(sources_become_one_stream)
{
    struct sched_merge m = {0};
    count = 0;
    add(&m, 0, 10);
    add(&m, 0, 40);
    add(&m, 2, 20);
    add(&m, 2, 50);
    sched_merge_until(&m, 20, take, NULL);
    CHECK_INT(count, 2);
    add(&m, 1, 30);
    add(&m, 1, 15); /* too late */
    sched_merge_until(&m, UINT64_MAX, take, NULL);
    static const uint64_t want[] = {10, 20, 30, 15, 40, 50};
    CHECK_INT(count, 6);
    CHECK(memcmp(seen, want, sizeof want) == 0);
    CHECK_INT(m.out_of_order, 1);
    CHECK_INT(m.waiting, 0);
    sched_merge_release(&m);
}

TEST(sources_that_are_never_empty_have_been_taken_from_up_to_their_last)
{
    struct sched_merge m = {0};
    count = 0;
    CHECK(sched_merge_reached(&m) == UINT64_MAX);
    add(&m, 0, 10);
    add(&m, 0, 40);
    add(&m, 2, 20);
    add(&m, 2, 50);
    CHECK_INT(sched_merge_reached(&m), 40);
    sched_merge_until(&m, 40, take, NULL);
    CHECK_INT(count, 3);
    CHECK_INT(sched_merge_reached(&m), 50); /* the other has nothing that waits */
    sched_merge_release(&m);
}

TEST(the_memory_of_a_burst_is_given_back)
{
    enum { BURST = 100000, ROUNDS = 200, EACH = 1000 };
    struct sched_merge m = {0};
    uint64_t now = 0;
    for (; now < BURST; now++)
        add(&m, 0, now);
    CHECK(sched_merge_held(&m) >= BURST);
    for (int i = 0; i < ROUNDS; i++) {
        sched_merge_until(&m, now - 2, drop, NULL); /* one is always waiting */
        for (int k = 0; k < EACH; k++)
            add(&m, 0, now++);
    }
    CHECK(sched_merge_held(&m) <= 4096);
    CHECK_INT(m.waiting, EACH + 1);
    CHECK_INT(m.dropped, 0);
    sched_merge_release(&m);
}
