#include "unit.h"

#include "core/symbol/llvm_output.h"

#include <stdlib.h>
#include <string.h>

static bool source(void *arg, const char *path, const char **text, size_t *len)
{
    *text = arg;
    *len = strlen(arg);
    return strcmp(path, "none.c") != 0;
}

/* Good until the next call. */
static const char *shown(struct llvm_format f, const struct answer *a)
{
    static struct buf out;
    struct demangler names = {.off = true};
    f.names = &names;
    f.source = source;
    buf_clear(&out);
    if (f.style == LLVM_JSON)
        llvm_json(&f, "a \"b\"", a, &out);
    else
        llvm_text(&f, a, &out);
    demangler_release(&names);
    return buf_str(&out);
}

#define SHOWN(a, ...) shown((struct llvm_format){__VA_ARGS__}, a)

static struct frame two[] = {{.function = "in",
                              .file = "/src/t.h",
                              .line = 2,
                              .column = 72,
                              .discriminator = 3,
                              .start_file = "/src/t.h",
                              .start_line = 1,
                              .start = 0x112c,
                              .has_start = true},
                             {.function = "f", .file = "/src/t.c", .line = 30, .column = 4}};
static const struct frames both = {
    .frame = two, .count = 2, .cap = 2, .symbol = "f.part.0", .start = 0x1129};
static const struct answer known = {
    .address = 0x112d, .vaddr = 0x112d, .bits = 64, .frames = &both};

TEST(llvm_text_of_frames)
{
    CHECK_STR(SHOWN(&known), "in\n/src/t.h:2:72\nf.part.0\n/src/t.c:30:4\n\n");
    CHECK_STR(SHOWN(&known, .no_functions = true, .address = true),
              "0x112d\n/src/t.h:2:72\n/src/t.c:30:4\n\n");
    CHECK_STR(SHOWN(&known, .pretty = true, .address = true, .basenames = true),
              "0x112d: in at t.h:2:72\n (inlined by) f.part.0 at t.c:30:4\n\n");
    CHECK_STR(SHOWN(&known, .style = LLVM_GNU),
              "in\n/src/t.h:2 (discriminator 3)\nf.part.0\n/src/t.c:30\n");
}

TEST(llvm_text_without_inlined_frames)
{
    CHECK_STR(SHOWN(&known, .no_inlines = true), "f.part.0\n/src/t.h:2:72\n\n");
    CHECK_STR(SHOWN(&known, .no_inlines = true, .style = LLVM_GNU),
              "in\n/src/t.h:2 (discriminator 3)\n");
}

TEST(llvm_text_of_every_fact)
{
    CHECK_STR(SHOWN(&known, .verbose = true, .no_inlines = true),
              "f.part.0\n  Filename: /src/t.h\n  Function start filename: /src/t.h\n"
              "  Function start line: 1\n  Function start address: 0x1129\n  Line: 2\n"
              "  Column: 72\n  Discriminator: 3\n\n");
}

TEST(llvm_text_of_nothing)
{
    const struct frames none = {0};
    const struct answer unknown = {.address = 0x12, .bits = 64, .frames = &none};
    const struct answer unread = {.address = 0x12, .bits = 64};
    CHECK_STR(SHOWN(&unknown), "??\n??:0:0\n\n");
    CHECK_STR(SHOWN(&unread, .style = LLVM_GNU, .pretty = true), "?? at ??:0\n");
    CHECK_STR(SHOWN(&unread, .style = LLVM_JSON),
              "{\"Address\":\"0x12\",\"ModuleName\":\"a \\\"b\\\"\",\"Symbol\":[]}");
    CHECK_STR(SHOWN(&unknown, .style = LLVM_JSON),
              "{\"Address\":\"0x12\",\"ModuleName\":\"a \\\"b\\\"\",\"Symbol\":[{\"Column\":0,"
              "\"Discriminator\":0,\"FileName\":\"\",\"FunctionName\":\"\",\"Line\":0,"
              "\"StartAddress\":\"\",\"StartFileName\":\"\",\"StartLine\":0}]}");
}

/* The lines around a place in a text; what the place itself prints is cut off. */
static const char *around(char *text, uint32_t line, uint32_t context)
{
    struct frame at = {.function = "f", .file = "t.c", .line = line};
    const struct frames one = {.frame = &at, .count = 1, .cap = 1};
    const struct answer a = {.bits = 64, .frames = &one};
    const char *all =
        SHOWN(&a, .context = context, .source_arg = text, .style = LLVM_GNU, .no_functions = true);
    return strchr(all, '\n') + 1;
}

TEST(llvm_context_of_a_line)
{
    char text[] = "one\r\ntwo\n\nfour\nfive";
    CHECK_STR(around(text, 2, 0), "");
    CHECK_STR(around(text, 2, 1), "2 >: two\n");
    CHECK_STR(around(text, 1, 3), "1 >: one\n2  : two\n3  : \n");
    CHECK_STR(around(text, 4, 4), "2  : two\n3  : \n4 >: four\n5  : five\n");
    CHECK_STR(around(text, 5, 20), " 1  : one\n 2  : two\n 3  : \n 4  : four\n 5 >: five\n");
    CHECK_STR(around(text, 9, 3), "");
    CHECK_STR(around(text, 0, 2), "1  : one\n2  : two\n");
}

TEST(llvm_json_has_the_source)
{
    struct frame at = {.file = "t.c", .line = 1};
    const struct frames one = {.frame = &at, .count = 1, .cap = 1};
    const struct answer a = {.bits = 64, .frames = &one};
    char text[] = "\tx";
    const char *json = SHOWN(&a, .style = LLVM_JSON, .context = 1, .source_arg = text);
    CHECK(strstr(json, "\"Line\":1,\"Source\":\"1 >: \\tx\\n\",\"StartAddress\":\"\""));
}

TEST(llvm_json_of_an_error)
{
    struct buf out = BUF_INIT;
    const uint64_t address = 16;
    llvm_json_error("x", &address, "no\n", &out);
    llvm_json_error("y", NULL, "none", &out);
    CHECK_STR(buf_str(&out), "{\"Address\":\"0x10\",\"Error\":{\"Message\":\"no\\n\"},"
                             "\"ModuleName\":\"x\"}"
                             "{\"Error\":{\"Message\":\"none\"},\"ModuleName\":\"y\"}");
    buf_release(&out);
}
