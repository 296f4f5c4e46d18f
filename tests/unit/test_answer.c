#include "unit.h"

#include "core/symbol/sym_output.h"

static const char *shown(struct answer_format f, const struct answer *a)
{
    static char text[512];
    struct buf out = BUF_INIT;
    struct demangler names = {.off = false};
    f.names = &names;
    answer_text(&f, a, &out);
    snprintf(text, sizeof text, "%s", buf_str(&out));
    buf_release(&out);
    demangler_release(&names);
    return text;
}

#define SHOWN(a, ...) shown((struct answer_format){__VA_ARGS__}, a)

/* What addr2line 2.40 prints for the same. */
TEST(answer_with_an_inlined_function)
{
    struct frame f[] = {{.function = "in", .file = "/tmp/t.c", .line = 2, .column = 72},
                        {.function = "main", .file = "/tmp/t.c", .line = 3, .column = 34}};
    struct frames frames = {.frame = f, .count = 2, .cap = 2, .symbol = "main", .start = 0x1129};
    struct answer a = {.address = 0x112d, .vaddr = 0x112d, .bits = 64, .frames = &frames};
    CHECK_STR(SHOWN(&a, .style = ANSWER_GNU), "/tmp/t.c:2\n");
    CHECK_STR(SHOWN(&a, .style = ANSWER_GNU, .functions = true), "in\n/tmp/t.c:2\n");
    CHECK_STR(SHOWN(&a, .style = ANSWER_GNU, .functions = true, .inlines = true),
              "in\n/tmp/t.c:2\nmain\n/tmp/t.c:3\n");
    CHECK_STR(SHOWN(&a, .style = ANSWER_GNU, .functions = true, .inlines = true, .pretty = true),
              "in at /tmp/t.c:2\n (inlined by) main at /tmp/t.c:3\n");
    CHECK_STR(SHOWN(&a, .style = ANSWER_GNU, .functions = true, .inlines = true, .address = true),
              "0x000000000000112d\nin\n/tmp/t.c:2\nmain\n/tmp/t.c:3\n");
    CHECK_STR(SHOWN(&a, .style = ANSWER_PSUITE), "main+0x4 at /tmp/t.c:2\n");
    CHECK_STR(SHOWN(&a, .style = ANSWER_PSUITE, .inlines = true),
              "in at /tmp/t.c:2\n (inlined by) main+0x4 at /tmp/t.c:3\n");
    CHECK_STR(
        SHOWN(&a, .style = ANSWER_JSON, .inlines = true),
        "{\"psuite\":1,\"applet\":\"sym\",\"address\":\"0x112d\",\"offset_bytes\":4,\"frames\":["
        "{\"name\":\"in\",\"file\":\"/tmp/t.c\",\"line\":2,\"column\":72},"
        "{\"name\":\"main\",\"file\":\"/tmp/t.c\",\"line\":3,\"column\":34}]}\n");
}

TEST(answer_with_a_discriminator)
{
    struct frame f[] = {
        {.function = "f", .file = "a.c", .line = 7, .column = 1, .discriminator = 3}};
    struct frames frames = {.frame = f, .count = 1, .cap = 1, .symbol = "f", .start = 0x1000};
    struct answer a = {.address = 0x1004, .vaddr = 0x1004, .bits = 64, .frames = &frames};
    CHECK_STR(SHOWN(&a, .style = ANSWER_GNU), "a.c:7 (discriminator 3)\n");
    CHECK_STR(SHOWN(&a, .style = ANSWER_PSUITE), "f+0x4 at a.c:7\n");
}

TEST(answer_with_a_name_alone)
{
    struct frame f[] = {{.function = "_ZN3foo3barEi"}};
    struct frames frames = {
        .frame = f, .count = 1, .cap = 1, .symbol = "_ZN3foo3barEi", .start = 0x1000};
    struct answer a = {.address = 0x7f0000001004,
                       .vaddr = 0x1004,
                       .bits = 32,
                       .frames = &frames,
                       .module = "libfoo.so.1",
                       .module_len = 9};
    if (!demangle_able())
        return;
    CHECK_STR(SHOWN(&a, .style = ANSWER_GNU, .functions = true), "foo::bar(int)\n??:?\n");
    CHECK_STR(SHOWN(&a, .style = ANSWER_PSUITE, .address = true),
              "0x7f0000001004: foo::bar(int)+0x4 [libfoo.so]\n");
    CHECK_STR(
        SHOWN(&a, .style = ANSWER_JSON),
        "{\"psuite\":1,\"applet\":\"sym\",\"address\":\"0x7f0000001004\",\"module\":\"libfoo.so\","
        "\"module_address\":\"0x1004\",\"offset_bytes\":4,\"frames\":["
        "{\"name\":\"foo::bar(int)\",\"raw\":\"_ZN3foo3barEi\"}]}\n");
}

TEST(answer_with_a_part_of_a_function)
{
    struct frame f[] = {{.function = "f", .file = "a.c", .line = 7, .column = 1}};
    struct frames frames = {
        .frame = f, .count = 1, .cap = 1, .symbol = "f.part.0", .start = 0x1000};
    struct answer a = {.address = 0x1004, .vaddr = 0x1004, .bits = 64, .frames = &frames};
    CHECK_STR(SHOWN(&a, .style = ANSWER_GNU, .functions = true), "f\na.c:7\n");
    CHECK_STR(SHOWN(&a, .style = ANSWER_PSUITE), "f.part.0+0x4 at a.c:7\n");
}

TEST(answers_without_a_symbol_in_every_style)
{
    struct frames none = {0};
    struct answer a = {.address = 0x12, .vaddr = 0x12, .bits = 64, .frames = &none};
    CHECK_STR(SHOWN(&a, .style = ANSWER_GNU), "??:0\n");
    CHECK_STR(SHOWN(&a, .style = ANSWER_GNU, .functions = true), "??\n??:0\n");
    CHECK_STR(SHOWN(&a, .style = ANSWER_GNU, .functions = true, .pretty = true), "?? ??:0\n");
    CHECK_STR(SHOWN(&a, .style = ANSWER_PSUITE), "??\n");
    a.module = "libfoo.so";
    a.module_len = 9;
    CHECK_STR(SHOWN(&a, .style = ANSWER_PSUITE), "?? [libfoo.so+0x12]\n");
}
