/* Call trees: read from files of both versions, written again. What prof prints of them is
 * the applet's test. */
#include "proftrees.h"

#include "core/base/buf.h"
#include "core/prof/report.h"
#include "core/prof/stacks.h"
#include "core/prof/v1.h"
#include "core/symbol/demangle.h"

static void find(void *arg, uint32_t module, uint64_t address, struct prof_found *out)
{
    static const char *const names[] = {"main", "foo", "bar"};
    (void)arg;
    (void)module;
    if (address >= MAIN && address < BAR + 0x40)
        *out = (struct prof_found){.symbol = names[(address - MAIN) / 0x40],
                                   .start = address & ~UINT64_C(0x3f)};
}

TEST(both_byte_orders_are_read)
{
    for (int big = 0; big < 2; big++) {
        struct profmake m;
        struct prof_tree t;
        make_funcs(&m, big, PSPROF_ELAPSED);
        read_made(&m, &t);
        CHECK_INT(t.nodes, 3);
        CHECK_INT(t.threads, 1);
        CHECK_INT(t.thread[0].tid, 7);
        CHECK_STR(t.thread[0].name, "main");
        CHECK_STR(t.module[0].path, "/bin/prog");
        CHECK_INT(t.module[0].build_id_bytes, 3);
        CHECK_STR(t.about.command, "prog arg");
        CHECK_INT(node_at(&t, FOO)->count, 100);
        CHECK_INT(node_at(&t, FOO)->self_ns, 600);
        CHECK_INT(node_at(&t, MAIN)->total_ns, 1000);
        CHECK_INT(t.notes, 0);
        prof_tree_release(&t);
        free(m.bytes);
    }
}

TEST(open_calls_are_closed_by_the_last_event)
{
    struct profmake m;
    struct prof_tree t;
    profmake_start(&m, false, PSPROF_ELAPSED);
    PROFMAKE64(&m, m.bytes, psprof_header, end_ticks, 0);
    PROFMAKE64(&m, m.bytes, psprof_header, ticks_per_second, 2000000000);
    uint32_t thread = profmake_thread(&m, 7, "main", UINT64_C(1) << 40);
    int64_t entered = -((INT64_C(1) << 40) - 600);
    profmake_node(&m, profmake_root(&m, thread), 0, MAIN, 1, entered);
    read_made(&m, &t);
    CHECK(!t.about.ended);
    CHECK(t.node[0].open);
    CHECK_INT(t.node[0].self_ns, 300);
    prof_tree_release(&t);
    free(m.bytes);
}

TEST(pcs_lose_their_marks)
{
    struct profmake m;
    struct prof_tree t;
    profmake_start(&m, true, PSPROF_ELAPSED);
    PROFMAKE32(&m, m.bytes, psprof_header, machine, 40);
    uint32_t thread = profmake_thread(&m, 7, "main", 0);
    profmake_node(&m, profmake_root(&m, thread), 0, UINT64_C(1) << 63 | FOO | 1, 1, 5);
    read_made(&m, &t);
    CHECK(node_at(&t, FOO) != NULL);
    prof_tree_release(&t);
    free(m.bytes);
}

/* Of the same place as a sibling: a handler's. Their callees join, too, of this caller only. */
TEST(siblings_of_one_place_are_one)
{
    struct profmake m;
    struct prof_tree t;
    profmake_start(&m, false, PSPROF_ELAPSED);
    for (int i = 0; i < 2; i++) {
        uint32_t thread = profmake_thread(&m, 7, "main", 0);
        uint32_t main = profmake_node(&m, profmake_root(&m, thread), 0, MAIN, 1, 1000);
        uint32_t foo = profmake_node(&m, main, 0, FOO, 2, 300);
        profmake_node(&m, foo, 0, BAR, 1, 100);
        foo = profmake_node(&m, main, 0, FOO, 3, 200);
        profmake_node(&m, foo, 0, BAR, 4, 50);
    }
    read_made(&m, &t);
    CHECK_INT(t.nodes, 6);
    CHECK_INT(t.thread[1].begin, 3);
    CHECK_INT(node_at(&t, FOO)->count, 5);
    CHECK_INT(node_at(&t, FOO)->self_ns, 350);
    CHECK_INT(node_at(&t, BAR)->count, 5);
    CHECK_INT(t.node[t.thread[1].first].self_ns, 500);
    prof_tree_release(&t);
    free(m.bytes);
}

TEST(prof_tree_skips_and_counts_damaged_nodes)
{
    struct profmake m;
    struct prof_tree t;
    profmake_start(&m, false, PSPROF_ELAPSED);
    uint32_t thread = profmake_thread(&m, 7, "main", 0);
    uint32_t main = profmake_node(&m, profmake_root(&m, thread), 0, MAIN, 1, 1000);
    uint32_t foo = profmake_node(&m, main, 0, FOO, 1, 300);
    PROFMAKE32(&m, profmake_slot(&m, foo), psprof_node, down, main);
    PROFMAKE32(&m, profmake_slot(&m, foo), psprof_node, right, 4000);
    PROFMAKE32(&m, profmake_slot(&m, thread), psprof_thread, next, thread);
    read_made(&m, &t);
    CHECK_INT(t.nodes, 2);
    CHECK_INT(t.threads, 1);
    CHECK_INT(t.notes, 3);
    CHECK_STR(t.note[0], "index 1 used twice"); /* the thread */
    CHECK_STR(t.note[2], "index out of range 4000 [max 6]");
    prof_tree_release(&t);
    free(m.bytes);
}

TEST(heads_that_are_none_are_refused)
{
    struct profmake m;
    struct prof_tree t;
    struct fail f;
    make_funcs(&m, false, PSPROF_ELAPSED);
    CHECK(prof_v2_read(m.bytes, PSPROF_HEADER_BYTES - 1, &t, &f) < 0);
    CHECK_STR(f.what, "cut off: 4095 bytes, the header alone has 4096");
    prof_tree_release(&t);
    PROFMAKE32(&m, m.bytes, psprof_header, slot_bytes, 128);
    CHECK(prof_v2_read(m.bytes, profmake_len(&m), &t, &f) < 0);
    CHECK_STR(f.what, "unknown layout (header of 4096 bytes, slots of 128)");
    prof_tree_release(&t);
    PROFMAKE32(&m, m.bytes, psprof_header, byte_order, 5);
    CHECK(prof_v2_read(m.bytes, profmake_len(&m), &t, &f) < 0);
    CHECK_STR(f.what, "damaged: no byte order");
    prof_tree_release(&t);
    free(m.bytes);
}

TEST(recursion_counts_once_and_any_depth_is_walked)
{
    enum { DEPTH = 200000 };
    struct profmake m;
    struct prof_tree t;
    struct prof_names n;
    struct demangler names = {.off = true};
    struct prof_flat flat;
    struct stacks s;
    size_t flattened;
    profmake_start(&m, false, PSPROF_ELAPSED);
    uint32_t prog = profmake_module(&m, "/bin/prog", 0, NULL, 0);
    uint32_t at = profmake_root(&m, profmake_thread(&m, 7, "main", 0));
    for (int64_t i = 0; i < DEPTH; i++)
        at = profmake_node(&m, at, prog, FOO, 1, DEPTH - i);
    read_made(&m, &t);
    CHECK_INT(prof_names_make(&t, &(struct prof_naming){.find = find, .names = &names}, &n), 0);
    CHECK_INT(prof_flat_make(&n, PROF_NONE, &flat), 0);
    CHECK_INT(flat.rows, 1);
    CHECK_INT(flat.row[0].calls, DEPTH);
    CHECK_INT(flat.row[0].self_ns, DEPTH);
    CHECK_INT(flat.row[0].total_ns, DEPTH);
    prof_flat_release(&flat);
    CHECK_INT(prof_stacks(&n, &(struct prof_stacks_want){PROF_NONE, false, 10}, &s, &flattened), 0);
    CHECK_INT(s.nodes, 10);
    CHECK_INT(stacks_total(&s, 0), DEPTH);
    CHECK_INT(stacks_total(&s, 1), DEPTH);
    CHECK_INT(flattened, DEPTH - 10);
    stacks_release(&s);
    prof_names_release(&n);
    demangler_release(&names);
    prof_tree_release(&t);
    free(m.bytes);
}

TEST(written_as_version_1_it_is_read_again)
{
    struct profmake m;
    struct prof_tree t, again;
    struct buf out = BUF_INIT;
    struct prof_v1_lost lost;
    profmake_start(&m, true, PSPROF_ELAPSED);
    uint32_t prog = profmake_module(&m, "/bin/prog", 0x50000, NULL, 0);
    uint32_t lib = profmake_module(&m, "/lib/lib.so", 0x90000, NULL, 0);
    for (int i = 0; i < 2; i++) {
        uint32_t root = profmake_root(&m, profmake_thread(&m, 7, "main", 0));
        uint32_t main = profmake_node(&m, root, prog, 0x50000 + MAIN, 1, 9999999);
        profmake_node(&m, main, prog, 0x50000 + FOO, 3, 5000000);
        profmake_node(&m, main, lib, 0x90000 + BAR, 2, 1000000);
    }
    read_made(&m, &t);
    CHECK_INT(prof_v1_write(&t, &out, &lost), 0);
    CHECK_INT(out.len, 7 * PROF_V1_RECORD);
    CHECK_INT(lost.nodes, 0);
    CHECK_INT(lost.foreign, 2);
    CHECK_INT(prof_v1_read((const uint8_t *)out.data, out.len, &again, NULL), 0);
    CHECK_INT(again.nodes, 6);
    CHECK_INT(again.about.root_ms, 19); /* of both threads together, cut */
    CHECK_INT(node_at(&again, FOO)->count, 3);
    CHECK_INT(node_at(&again, FOO)->total_ns, 5000000);
    CHECK_INT(node_at(&again, MAIN)->self_ns, 3000000); /* 9 - 5 - 1 */
    CHECK_INT(node_at(&again, 0)->count, 2);
    prof_tree_release(&again);
    prof_tree_release(&t);
    buf_release(&out);
    free(m.bytes);
}

TEST(version_1_has_room_for_65535_records)
{
    enum { CALLEES = 70000 };
    struct profmake m;
    struct prof_tree t, again;
    struct buf out = BUF_INIT;
    struct prof_v1_lost lost;
    profmake_start(&m, false, PSPROF_ELAPSED);
    uint32_t prog = profmake_module(&m, "/bin/prog", 0, NULL, 0);
    uint32_t root = profmake_root(&m, profmake_thread(&m, 7, "main", 0));
    uint32_t main = profmake_node(&m, root, prog, MAIN, 1, 1);
    for (uint32_t i = 0; i < CALLEES; i++)
        profmake_node(&m, main, prog, FOO + i, 1, 0);
    read_made(&m, &t);
    CHECK_INT(prof_v1_write(&t, &out, &lost), 0);
    CHECK_INT(out.len, (size_t)PROF_V1_MAX_RECORDS * PROF_V1_RECORD);
    CHECK_INT(lost.nodes, CALLEES + 1 - (PROF_V1_MAX_RECORDS - 1));
    CHECK_INT(prof_v1_read((const uint8_t *)out.data, out.len, &again, NULL), 0);
    CHECK_INT(again.nodes, PROF_V1_MAX_RECORDS - 1);
    CHECK_INT(again.notes, 0);
    prof_tree_release(&again);
    prof_tree_release(&t);
    buf_release(&out);
    free(m.bytes);
}

/* Version 1: main is open, entered at -30 on a clock that reads 50 at the dump. */
TEST(version_1_open_calls_have_the_roots_time_added)
{
    static const uint8_t file[] = {0,    1, 0xff, 0xff, 0,  0,    0,    0,    0,    0,   0,
                                   0,    0, 0,    0,    50, 0xff, 0xff, 0xff, 0xff, 0,   0,
                                   0x10, 0, 0,    0,    0,  1,    0xff, 0xff, 0xff, 0xe2};
    struct prof_tree t;
    CHECK_INT(prof_v1_read(file, sizeof file, &t, NULL), 0);
    CHECK_INT(t.node[0].self_ns, 20000000);
    CHECK(t.node[0].open);
    prof_tree_release(&t);
}
