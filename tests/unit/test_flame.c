#include "unit.h"

#include "core/base/buf.h"
#include "core/export/flame_colour.h"
#include "core/export/flame_layout.h"
#include "core/export/flame_text.h"
#include "core/export/writer.h"
#include "core/text/rune.h"
#include "core/text/xml.h"

#include <stdlib.h>
#include <string.h>

static const struct stacks_value values[] = {{"samples", "count"}, {"time", "nanoseconds"}};

/* A node below parent: NAME in MODULE. */
static uint32_t call(struct stacks *s, uint32_t parent, const char *name, const char *module)
{
    struct stacks_function f = {.name = name, .module = stacks_module(s, module, "")};
    struct stacks_frame frame = {.function = stacks_function(s, &f)};
    return stacks_node(s, parent, stacks_frame(s, &frame));
}

static void add(struct stacks *s, uint32_t node, uint64_t n)
{
    stacks_add(s, STACKS_NONE, node, 0, (uint64_t[]){n, n * 1000});
}

static const char *name_of(const struct flame_tree *t, uint32_t node)
{
    return stacks_function_of(&t->stacks, node)->name;
}

TEST(rune_len_refuses_overlong_surrogate_and_cut_sequences)
{
    CHECK_INT(rune_len("a"), 1);
    CHECK_INT(rune_len("\xc3\xa9"), 2);
    CHECK_INT(rune_len("\xe2\x82\xac"), 3);
    CHECK_INT(rune_len("\xf0\x9f\x94\xa5"), 4);
    CHECK_INT(rune_len("\xc3"), 0);
    CHECK_INT(rune_len("\xc0\x80"), 0);
    CHECK_INT(rune_len("\xed\xa0\x80"), 0);
    CHECK_INT(rune_len("\xf4\x90\x80\x80"), 0);
    CHECK_INT(rune_len("\x80"), 0);
}

static void check_xml(const char *text, size_t len, const char *want)
{
    struct buf out = BUF_INIT;
    xml_add(&out, text, len);
    CHECK_STR(buf_str(&out), want);
    buf_release(&out);
}

TEST(xml_text_escapes_markup_and_replaces_invalid_characters)
{
    check_xml("a<b>&\"'", 7, "a&lt;b&gt;&amp;&quot;&#39;");
    check_xml("]]>", 3, "]]&gt;");
    check_xml("\x01\x1f\x7f\n", 4, "\ufffd\ufffd\ufffd\ufffd");
    check_xml("\xef\xbf\xbe\xef\xbf\xbf\xef\xbf\xbd", 9, "\ufffd\ufffd\ufffd");
    check_xml("gr\xc3\xbcn\xff", 6, "gr\xc3\xbcn\ufffd");
    check_xml("\xe2\x82\xac", 2, "\ufffd\ufffd"); /* cut within a character */
}

static void check_fit(const char *text, double columns, const char *want)
{
    struct buf out = BUF_INIT;
    flame_fit(&out, text, columns * FLAME_CHARACTER + 0.1);
    CHECK_STR(buf_str(&out), want);
    buf_release(&out);
}

TEST(flame_labels_are_cut_to_their_width)
{
    check_fit("main", 4, "main");
    check_fit("main", 3, "");
    check_fit("function", 4, "fu..");
    check_fit("function", 7, "funct..");
    check_fit("function", 8, "function");
    check_fit("f", 1, "f");
    check_fit("f", 0, "");
    check_fit("f", -3, "");
    check_fit("a<b>::c", 6, "a&lt;b&gt;..");
    check_fit("\xe6\xb0\xb4\xe7\x81\xab\xe6\x9c\xa8", 6, "\xe6\xb0\xb4\xe7\x81\xab\xe6\x9c\xa8");
    check_fit("\xe6\xb0\xb4\xe7\x81\xab\xe6\x9c\xa8", 5, "\xe6\xb0\xb4..");
    check_fit("gr\xc3\xb6\xc3\x9f"
              "e",
              5,
              "gr\xc3\xb6\xc3\x9f"
              "e");
}

static void check_amount(const struct stacks_value *value, uint64_t n, const char *want)
{
    struct buf out = BUF_INIT;
    flame_amount(&out, value, n);
    CHECK_STR(buf_str(&out), want);
    buf_release(&out);
}

TEST(flame_amounts_have_units_and_separators)
{
    check_amount(&values[0], 0, "0 samples");
    check_amount(&values[0], 1, "1 sample");
    check_amount(&values[0], 999, "999 samples");
    check_amount(&values[0], 1234567, "1,234,567 samples");
    check_amount(&values[1], 1500000000, "1.500 s");
    check_amount(&(struct stacks_value){"size", "bytes"}, 3 << 20, "3.000 MiB");
    check_amount(&(struct stacks_value){"cpu", "cycles"}, 1000, "1,000 cycles");
}

TEST(flame_frames_stand_above_their_callers)
{
    struct stacks s;
    struct flame_tree t;
    struct flame_layout l;
    stacks_init(&s, values, 2);
    uint32_t root = call(&s, STACKS_NONE, "main", "prog");
    add(&s, call(&s, root, "zip", "prog"), 10);
    add(&s, call(&s, root, "beta", "lib"), 50);
    add(&s, call(&s, root, "beta", "app"), 20);
    add(&s, STACKS_NONE, 20);
    CHECK_INT(flame_tree_init(&t, &s, NULL), 0);
    CHECK_INT(flame_layout_init(&l, &t), 0);
    const char *const want[] = {"(unknown)", "main", "beta", "beta", "zip"};
    const double x[] = {0, 236, 236, 472, 1062}, width[] = {236, 944, 236, 590, 118};
    CHECK_INT(l.boxes, 5);
    CHECK_INT(l.rows, 3);
    for (size_t i = 0; i < l.boxes && i < 5; i++) {
        CHECK_STR(name_of(&t, l.box[i].node), want[i]);
        CHECK_INT(l.box[i].x * 1000 + 0.5, x[i] * 1000);
        CHECK_INT(l.box[i].width * 1000 + 0.5, width[i] * 1000);
    }
    flame_layout_release(&l);
    flame_tree_release(&t);
    stacks_release(&s);
}

TEST(flame_leaves_out_thin_frames)
{
    struct stacks s;
    struct flame_tree t;
    struct flame_layout l;
    stacks_init(&s, values, 2);
    uint32_t root = call(&s, STACKS_NONE, "main", "prog");
    add(&s, call(&s, call(&s, root, "thin", "prog"), "thinner", "prog"), 2);
    add(&s, call(&s, root, "seen", "prog"), 3);
    add(&s, root, 9995);
    CHECK_INT(flame_tree_init(&t, &s, NULL), 0);
    CHECK_INT(flame_layout_init(&l, &t), 0);
    CHECK_INT(l.boxes, 2);
    CHECK_INT(l.left_out, 2);
    CHECK_INT(l.widest, 2000);
    CHECK_STR(name_of(&t, l.box[1].node), "seen");
    flame_layout_release(&l);
    flame_tree_release(&t);
    stacks_release(&s);
}

/* Builds of one program, in other folders: nothing changed but the place of the time. */
TEST(flame_compares_builds_in_other_folders)
{
    struct stacks now, before;
    struct flame_tree t;
    struct flame_vanished gone;
    stacks_init(&now, values, 2);
    stacks_init(&before, values, 2);
    uint32_t root = call(&now, STACKS_NONE, "main", "/new/prog");
    uint32_t old_root = call(&before, STACKS_NONE, "main", "/old/prog");
    add(&now, call(&now, root, "same", "/new/prog"), 1000);
    add(&now, call(&now, root, "more", "/new/prog"), 900);
    add(&now, call(&now, root, "chance", "/new/prog"), 12);
    add(&now, call(&now, root, "less", "/new/prog"), 88);
    add(&before, call(&before, old_root, "same", "/old/prog"), 500);
    add(&before, call(&before, old_root, "more", "/old/prog"), 300);
    add(&before, call(&before, old_root, "chance", "/old/prog"), 5);
    add(&before, call(&before, old_root, "less", "/old/prog"), 95);
    add(&before, call(&before, old_root, "gone", "/old/prog"), 100);
    CHECK_INT(flame_tree_init(&t, &now, &before), 0);
    const char *const want[] = {"same", "same", "m3", "m2", "l4", "l4"};
    const char *const names[] = {"main", "same", "more", "chance", "less", "gone"};
    CHECK_INT(t.stacks.nodes, 6);
    for (uint32_t i = 0; i < 6; i++) {
        CHECK_STR(name_of(&t, i), names[i]);
        CHECK_STR(flame_change(&t, i, false), want[i]);
    }
    CHECK_STR(flame_change(&t, 3, true), "same");
    CHECK_STR(flame_change(&t, 4, true), "l4");
    CHECK_INT(flame_tree_vanished(&t, &gone), 0);
    CHECK_INT(gone.functions, 1);
    CHECK_INT(gone.weight, 100000);
    flame_tree_release(&t);
    stacks_release(&now);
    stacks_release(&before);
}

TEST(flame_modules_have_different_hues)
{
    struct stacks s;
    struct flame_tree t;
    char name[32];
    unsigned seen = 0;
    stacks_init(&s, values, 2);
    for (int i = 0; i < 12; i++) {
        snprintf(name, sizeof name, "/lib/lib%d.so", i);
        add(&s, call(&s, STACKS_NONE, "f", name), (uint64_t)(100 - i));
    }
    CHECK_INT(flame_tree_init(&t, &s, NULL), 0);
    uint8_t *hues = flame_hues(&t);
    for (int i = 0; hues && i < 10; i++)
        seen |= 1u << hues[i];
    CHECK_INT(seen, 0x3ff);
    CHECK_INT(hues && hues[10] < 10 && hues[11] < 10, 1);
    free(hues);
    flame_tree_release(&t);
    stacks_release(&s);
}

/* The build-id of a process that has ended may not be known. */
static uint32_t call_of_build(struct stacks *s, const char *name, const char *build_id)
{
    struct stacks_function f = {.name = name, .module = stacks_module(s, "/usr/lib/cc1", build_id)};
    struct stacks_frame frame = {.function = stacks_function(s, &f)};
    return stacks_node(s, STACKS_NONE, stacks_frame(s, &frame));
}

TEST(flame_modules_of_one_name_are_one)
{
    struct stacks s;
    struct buf out = BUF_INIT;
    stacks_init(&s, values, 2);
    add(&s, call_of_build(&s, "f", "0123456789abcdef"), 25);
    add(&s, call(&s, STACKS_NONE, "h", "/lib/other.so"), 40);
    add(&s, call_of_build(&s, "g", ""), 35);
    CHECK_INT(writer_named("flame", 5)->write(&s, NULL, &out), 0);
    const char *legend = strstr(buf_str(&out), ">cc1 60.00%<");
    CHECK(legend != NULL);
    CHECK(legend && !strstr(legend + 1, ">cc1 "));
    buf_release(&out);
    stacks_release(&s);
}

TEST(flame_heading_has_the_method_and_lost_samples)
{
    struct stacks s;
    struct buf out = BUF_INIT;
    stacks_init(&s, values, 1);
    s.origin.applet = "prof";
    s.origin.method = "a < b";
    s.origin.lost = 1200;
    stacks_add(&s, STACKS_NONE, call(&s, STACKS_NONE, "main", "prog"), 0, (uint64_t[]){5});
    CHECK_INT(writer_named("flame", 5)->write(&s, NULL, &out), 0);
    CHECK(strstr(buf_str(&out), ">prof: a &lt; b</text>"));
    CHECK(strstr(buf_str(&out), ">5 samples; 1,200 lost</text>"));
    buf_release(&out);
    stacks_release(&s);
}

/* Sums past 64 bits make a wrong picture, but no more. */
TEST(flame_survives_sums_past_64_bits)
{
    struct stacks s;
    struct flame_tree t;
    struct flame_layout l;
    stacks_init(&s, values, 1);
    uint32_t root = call(&s, STACKS_NONE, "main", "prog");
    uint64_t half = UINT64_MAX / 2 + 1;
    stacks_add(&s, STACKS_NONE, call(&s, root, "a", "prog"), 0, &half);
    stacks_add(&s, STACKS_NONE, call(&s, root, "b", "prog"), 0, &half);
    stacks_add(&s, STACKS_NONE, call(&s, STACKS_NONE, "c", "prog"), 0, (uint64_t[]){7});
    CHECK_INT(flame_tree_init(&t, &s, NULL), 0);
    CHECK_INT(flame_layout_init(&l, &t), 0);
    CHECK_INT(l.boxes, 3);
    for (size_t i = 0; i < l.boxes; i++)
        CHECK(l.box[i].x >= 0 && l.box[i].width >= 0 && l.box[i].x + l.box[i].width <= FLAME_WIDTH);
    flame_layout_release(&l);
    flame_tree_release(&t);
    stacks_release(&s);
}
