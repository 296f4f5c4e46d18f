#include "unit.h"

#include "core/base/buf.h"
#include "core/base/gzip.h"
#include "core/base/proto.h"
#include "core/containers/intern.h"
#include "core/export/firefox_tables.h"
#include "core/export/pprof_sites.h"
#include "core/export/write.h"
#include "core/stacks/costs.h"
#include "core/text/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct stacks_value values[] = {{"calls", "count"}, {"time", "nanoseconds"}};

static uint32_t frame(struct stacks *s, const char *name, uint32_t line, bool inlined)
{
    uint32_t module = stacks_module(s, "/bin/prog", "0123456789abcdef0123456789abcdef01234567");
    struct stacks_frame f = {
        .function = stacks_function(s, &(struct stacks_function){.name = name, .module = module}),
        .line = line,
        .address = 0x1000 + line,
        .inlined = inlined};
    return stacks_frame(s, &f);
}

/* Letters are functions from the outermost on, small ones inlined. */
static uint32_t chain(struct stacks *s, const char *letters)
{
    uint32_t node = STACKS_NONE;
    for (; *letters; letters++) {
        char name[2] = {*letters};
        node = stacks_node(s, node, frame(s, name, 7, *letters >= 'a'));
    }
    return node;
}

static void add(struct stacks *s, const char *letters, uint64_t n)
{
    stacks_add(s, STACKS_NONE, chain(s, letters), 0, (uint64_t[]){1, n});
}

static uint32_t named(const struct stacks *s, char letter)
{
    for (uint32_t i = 0; i < s->functions; i++)
        if (s->function[i].name[0] == letter)
            return i;
    return letter == '*' ? CALL_ROOT : letter == '?' ? CALL_UNKNOWN : CALL_SELF;
}

/* What from spends in calls of to; by itself when to is blank. */
static uint64_t cost(const struct stacks *s, const struct call_costs *c, char from, char to)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < c->costs.count; i++) {
        const struct call_cost *cost = (const struct call_cost *)c->costs.record + i;
        if (cost->function == named(s, from) && cost->callee == named(s, to))
            sum += cost->amount[1];
    }
    return sum;
}

TEST(call_costs_of_recursion)
{
    struct stacks s;
    struct call_costs c;
    stacks_init(&s, values, 2);
    add(&s, "AA", 1);
    add(&s, "ABAC", 10);
    add(&s, "AB", 100);
    add(&s, "BA", 1000);
    add(&s, "", 10000);
    CHECK_INT(call_costs_make(&c, &s), 0);
    CHECK_INT(cost(&s, &c, 'A', ' '), 1001);
    CHECK_INT(cost(&s, &c, 'B', ' '), 100);
    CHECK_INT(cost(&s, &c, 'C', ' '), 10);
    CHECK_INT(cost(&s, &c, 'A', 'A'), 0);
    CHECK_INT(cost(&s, &c, 'A', 'B'), 110);
    CHECK_INT(cost(&s, &c, 'A', 'C'), 10);
    CHECK_INT(cost(&s, &c, 'B', 'A'), 1000);
    CHECK_INT(cost(&s, &c, '*', 'A'), 111);
    CHECK_INT(cost(&s, &c, '*', 'B'), 1000);
    CHECK_INT(cost(&s, &c, '*', '?'), 10000);
    CHECK_INT(cost(&s, &c, '?', ' '), 10000);
    call_costs_release(&c);
    stacks_release(&s);
}

TEST(pprof_sites_of_inlined_functions)
{
    struct stacks s;
    struct pprof_sites t;
    stacks_init(&s, values, 2);
    uint32_t deep = chain(&s, "AbcD");
    stacks_add(&s, STACKS_NONE, deep, 0, (uint64_t[]){1, 1});
    CHECK_INT(pprof_sites_make(&t, &s), 0);
    CHECK_INT(pprof_caller(&s, deep), s.node[deep].parent);
    CHECK_INT(pprof_caller(&s, s.node[deep].parent), STACKS_NONE);
    uint32_t c = t.of_node[s.node[deep].parent], b = pprof_site(&t, c)->outer;
    CHECK_INT(t.ends[t.of_node[deep]], 1);
    CHECK_INT(t.ends[c], 1);
    CHECK_INT(t.ends[b], 0);
    CHECK_INT(pprof_site(&t, pprof_site(&t, b)->outer)->outer, STACKS_NONE);
    pprof_sites_release(&t);
    stacks_release(&s);
}

TEST(firefox_depths_and_symbols)
{
    struct stacks s;
    struct firefox_tables t;
    stacks_init(&s, values, 2);
    uint32_t deep = chain(&s, "AbcD");
    CHECK_INT(firefox_tables_make(&t, &s), 0);
    CHECK_INT(t.depth[s.node[deep].frame], 0);
    CHECK_INT(t.depth[s.node[deep - 1].frame], 2);
    CHECK_INT(t.symbols, 2);
    CHECK_INT(t.symbol[t.symbol_of[s.node[deep - 1].frame]].function, named(&s, 'A'));
    CHECK_INT(t.symbol[t.symbol_of[s.node[deep].frame]].address, 0x1007);
    firefox_tables_release(&t);
    stacks_release(&s);
}

TEST(firefox_breakpad_ids)
{
    char id[FIREFOX_BREAKPAD_SIZE];
    firefox_breakpad_id("0123456789abcdef0123456789abcdef01234567", id);
    CHECK_STR(id, "67452301AB89EFCD0123456789ABCDEF0");
    firefox_breakpad_id("c0ffee", id);
    CHECK_STR(id, "00EEFFC00000000000000000000000000");
    firefox_breakpad_id("no hex", id);
    CHECK_STR(id, "");
    CHECK_INT(firefox_address(0), false);
    CHECK_INT(firefox_address(0xffffffff81000000), false);
}

TEST(write_threads_are_sorted_and_without_idle_ones)
{
    struct stacks s;
    struct stacks_by_thread t;
    stacks_init(&s, values, 2);
    s.timed = true;
    uint32_t a = stacks_thread(&s, 1, 1, "a"), b = stacks_thread(&s, 1, 2, "b");
    stacks_thread(&s, 1, 3, "idle");
    uint32_t order[] = {b, a, STACKS_NONE, b};
    for (size_t i = 0; i < 4; i++)
        stacks_add(&s, order[i], STACKS_NONE, i, (uint64_t[]){1, 1});
    CHECK_INT(stacks_by_thread(&s, &t), 0);
    CHECK_INT(t.start[b], 1);
    CHECK_INT(t.sample[0], 1);
    CHECK_INT(t.sample[1], 0);
    CHECK_INT(t.sample[2], 3);
    CHECK_INT(t.sample[t.start[s.threads]], 2);
    CHECK_INT(t.start[s.threads + 1], 4);
    CHECK_INT(write_threads_has(&s, &t, 2), true);
    stacks_by_thread_release(&t);
    stacks_release(&s);
}

TEST(write_sums_merges_events)
{
    struct stacks s;
    struct intern sums;
    stacks_init(&s, values, 2);
    s.timed = true;
    uint32_t node = chain(&s, "A");
    for (uint64_t i = 0; i < 6; i++)
        stacks_add(&s, STACKS_NONE, i % 3 ? node : STACKS_NONE, i, (uint64_t[]){1, i});
    CHECK_INT(write_sums(&s, &sums), 0);
    CHECK_INT(sums.count, 2);
    CHECK_INT(write_sum(&sums, 0)->node, STACKS_NONE);
    CHECK_INT(write_sum(&sums, 1)->amount[0], 4);
    CHECK_INT(write_sum(&sums, 1)->amount[1], 1 + 2 + 4 + 5);
    intern_release(&sums);
    stacks_release(&s);
}

TEST(proto_writes_varints_and_messages)
{
    struct buf out = BUF_INIT, message = BUF_INIT;
    proto_number(&out, 1, 0);
    CHECK_INT(out.len, 0);
    proto_number(&out, 1, 150);
    proto_number(&message, 16, UINT64_MAX);
    proto_message(&out, 2, &message);
    static const unsigned char want[] = {0x08, 0x96, 0x01, 0x12, 0x0c, 0x80, 0x01, 0xff, 0xff,
                                         0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
    CHECK_INT(out.len, sizeof want);
    CHECK_INT(memcmp(out.data, want, sizeof want), 0);
    CHECK_INT(message.len, 0);
    buf_release(&out);
    buf_release(&message);
}

TEST(gzip_there_and_back)
{
    enum { LEN = 300000 };
    struct buf packed = BUF_INIT, back = BUF_INIT;
    char *bytes = malloc(LEN);
    for (size_t i = 0; i < LEN; i++)
        bytes[i] = (char)(i * i >> 7);
    struct gzip *z = gzip_new(&packed);
    CHECK_INT(gzip_add(z, bytes, 1), 0);
    CHECK_INT(gzip_add(z, bytes + 1, LEN - 1), 0);
    CHECK_INT(gzip_end(z), 0);
    CHECK(packed.len < LEN);
    CHECK_INT(gunzip(packed.data, packed.len, LEN, &back), 0);
    CHECK_INT(back.len, LEN);
    CHECK_INT(memcmp(back.data, bytes, LEN), 0);
    buf_clear(&back);
    CHECK_INT(gunzip(packed.data, packed.len, LEN - 1, &back), -EFBIG);
    buf_clear(&back);
    CHECK_INT(gunzip(packed.data, packed.len - 9, LEN, &back), -EBADMSG);
    buf_clear(&back);
    CHECK_INT(gunzip(bytes, 100, LEN, &back), -EBADMSG);
    gzip_free(gzip_new(&packed));
    free(bytes);
    buf_release(&packed);
    buf_release(&back);
}

TEST(json_decimals_have_no_trailing_zeros)
{
    struct buf out = BUF_INIT;
    struct json j = {.out = &out};
    json_array(&j, NULL);
    json_decimal(&j, NULL, 1500000, 6);
    json_decimal(&j, NULL, 2000000, 6);
    json_decimal(&j, NULL, 1, 6);
    json_decimal(&j, NULL, UINT64_MAX, 0);
    json_decimal(&j, NULL, UINT64_MAX, 18);
    json_array_end(&j);
    CHECK_STR(buf_str(&out), "[1.5,2,0.000001,18446744073709551615,18.446744073709551615]");
    buf_release(&out);
}

/* What is written of nothing is still a file, but for folded stacks. */
TEST(every_writer_writes_empty_stacks)
{
    for (size_t i = 0; i < writer_count; i++) {
        struct stacks s;
        struct buf out = BUF_INIT;
        stacks_init(&s, values, 2);
        CHECK_INT(writers[i].write(&s, NULL, &out), 0);
        CHECK((out.len > 0) == (strcmp(writers[i].name, "folded") != 0));
        CHECK(writer_named(writers[i].name, strlen(writers[i].name)) == &writers[i]);
        buf_release(&out);
        stacks_release(&s);
    }
    CHECK(writer_named("json!", 5) == NULL);
    CHECK(writer_named("jso", 3) == NULL);
}

TEST(json_of_stacks_has_their_sums)
{
    struct stacks_broken broken[] = {{"stack slice too short", "libone.so", 3, 0},
                                     {"no call frame information", "[anon]", 1, 0}};
    struct stacks_ends ends = {
        .unwound = 9, .whole = 5, .by_code = 4, .guessed = 2, .from_cache = 1, broken, 2};
    struct stacks s;
    struct buf out = BUF_INIT;
    stacks_init(&s, values, 2);
    add(&s, "AB", 10);
    CHECK_INT(write_json(&s, NULL, &out), 0);
    CHECK(!strstr(buf_str(&out), "\"chains\"") && !strstr(buf_str(&out), "\"waits\""));
    stacks_set_ends(&s, &ends);
    memset(broken, 0, sizeof broken); /* they are the stacks' own */
    s.waits = (struct stacks_waits){.sampled = true, .count = 7, .wait_ms = 30, .asleep_ms = 20};
    buf_clear(&out);
    CHECK_INT(write_json(&s, NULL, &out), 0);
    CHECK(strstr(
        buf_str(&out),
        "\"chains\":{\"unwound\":9,\"whole\":5,\"by_code\":4,\"guessed\":2,\"late\":1,\"broken\":["
        "{\"reason\":\"stack slice too short\",\"module\":\"libone.so\",\"chains\":3},"
        "{\"reason\":\"no call frame information\",\"module\":\"[anon]\",\"chains\":1}]}"));
    CHECK(strstr(buf_str(&out), "\"waits\":{\"count\":7,\"running_ms\":0,\"wait_ms\":30,"
                                "\"asleep_ms\":20,\"preempted_ms\":0,\"end_lost\":0,"));
    buf_release(&out);
    stacks_release(&s);
}
