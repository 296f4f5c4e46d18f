#include "unit.h"

#include "core/elf/symtab.h"

#include <stdlib.h>

enum { LOCAL, WEAK, GLOBAL };

static void add(struct symtab_builder *b, uint64_t addr, uint64_t size, uint64_t limit,
                bool function, int binding, const char *name)
{
    struct symbol_found s = {addr, size, limit, name, false, function, (uint8_t)binding};
    symtab_add(b, &s);
}

/* Frees the table. */
static char *shown(struct symtab *t)
{
    static char text[4096];
    size_t n = 0;
    text[0] = '\0';
    for (size_t i = 0; i < symtab_count(t); i++) {
        const struct symbol *s = symtab_at(t, i);
        n += (size_t)snprintf(text + n, sizeof text - n, "%" PRIx64 "-%" PRIx64 " %s\n", s->start,
                              s->end, s->name);
    }
    symtab_free(t);
    return text;
}

/* Two symbols at one address, in both orders; the first must be kept. */
static void prefer(const struct symbol_found *kept, const struct symbol_found *lost)
{
    for (int turn = 0; turn < 2; turn++) {
        struct symtab_builder *b = symtab_builder_new(NULL);
        symtab_add(b, turn ? kept : lost);
        symtab_add(b, turn ? lost : kept);
        struct symtab *t = symtab_build(b);
        CHECK_INT(symtab_count(t), 1);
        CHECK_STR(symtab_at(t, 0)->name, kept->name);
        symtab_free(t);
        symtab_builder_free(b);
    }
}

TEST(symtab_empty_answers_nothing)
{
    struct symtab_builder *b = symtab_builder_new(NULL);
    struct symtab *t = symtab_build(b);
    CHECK_INT(symtab_count(t), 0);
    CHECK(!symtab_find(t, 0));
    CHECK(!symtab_at(t, 0));
    symtab_free(t);
    symtab_builder_free(b);
    symtab_free(NULL);
    symtab_builder_free(NULL);
}

TEST(symtab_finds_by_range)
{
    struct symtab_builder *b = symtab_builder_new(NULL);
    add(b, 0x2000, 0x10, 0, true, GLOBAL, "second");
    add(b, 0x1000, 0x20, 0, true, GLOBAL, "first");
    struct symtab *t = symtab_build(b);
    CHECK(!symtab_find(t, 0));
    CHECK(!symtab_find(t, 0xfff));
    CHECK(symtab_find(t, 0x1000) == symtab_at(t, 0));
    CHECK(symtab_find(t, 0x101f) == symtab_at(t, 0));
    CHECK(!symtab_find(t, 0x1020));
    CHECK_STR(symtab_find(t, 0x200f)->name, "second");
    CHECK(!symtab_find(t, 0x2010));
    CHECK(!symtab_find(t, UINT64_MAX));
    symtab_free(t);
    symtab_builder_free(b);
}

TEST(symtab_ends_of_the_unsized)
{
    struct symtab_builder *b = symtab_builder_new(NULL);
    add(b, 0x10, 0, 0x100, true, GLOBAL, "to_next");
    add(b, 0x20, 0, 0x30, true, GLOBAL, "to_limit");
    add(b, 0x40, 0, 0, true, GLOBAL, "to_the_end");
    CHECK_STR(shown(symtab_build(b)),
              "10-20 to_next\n20-30 to_limit\n40-ffffffffffffffff to_the_end\n");
    symtab_builder_free(b);
}

TEST(symtab_cuts_where_the_next_begins)
{
    struct symtab_builder *b = symtab_builder_new(NULL);
    add(b, 0x10, 0x40, 0, true, GLOBAL, "outer");
    add(b, 0x20, 0x8, 0, true, LOCAL, "inner");
    add(b, 0x60, UINT64_MAX, 0, true, GLOBAL, "endless");
    add(b, 0x70, 1, 0, true, GLOBAL, "after");
    CHECK_STR(shown(symtab_build(b)), "10-20 outer\n20-28 inner\n60-70 endless\n70-71 after\n");
    symtab_builder_free(b);
}

TEST(symtab_drops_labels_inside_functions)
{
    struct symtab_builder *b = symtab_builder_new(NULL);
    add(b, 0x10, 0x10, 0, true, GLOBAL, "function");
    add(b, 0x18, 0, 0x100, false, GLOBAL, "label");
    add(b, 0x20, 0, 0x28, false, LOCAL, "untyped");
    CHECK_STR(shown(symtab_build(b)), "10-20 function\n20-28 untyped\n");
    symtab_builder_free(b);
}

TEST(symtab_keeps_the_best_of_an_address)
{
#define FOUND(size, function, binding, name)                                                       \
    &(struct symbol_found){0x10, size, 0x20, name, false, function, binding}
    prefer(FOUND(0, true, LOCAL, "f"), FOUND(4, false, GLOBAL, "a"));
    prefer(FOUND(4, true, LOCAL, "f"), FOUND(0, true, GLOBAL, "a"));
    prefer(FOUND(4, true, GLOBAL, "__f"), FOUND(4, true, WEAK, "a"));
    prefer(FOUND(4, true, WEAK, "__f"), FOUND(4, true, LOCAL, "a"));
    prefer(FOUND(4, true, GLOBAL, "longer"), FOUND(4, true, GLOBAL, "_a"));
    prefer(FOUND(4, true, GLOBAL, "longer"), FOUND(4, true, GLOBAL, "a.b"));
    prefer(FOUND(4, true, GLOBAL, "longer"), FOUND(4, true, GLOBAL, "a@V1"));
    prefer(FOUND(4, true, GLOBAL, "zz"), FOUND(4, true, GLOBAL, "aaa"));
#undef FOUND
}

TEST(symtab_keeps_the_later_of_equals)
{
    struct symtab_builder *b = symtab_builder_new(NULL);
    symtab_add(b, &(struct symbol_found){0x10, 4, 0x20, "C1", false, true, WEAK});
    symtab_add(b, &(struct symbol_found){0x10, 4, 0x20, "C2", false, true, WEAK});
    symtab_add(b, &(struct symbol_found){0x8, 4, 0x20, "before", false, true, WEAK});
    struct symtab *t = symtab_build(b);
    CHECK_STR(symtab_find(t, 0x10)->name, "C2");
    symtab_free(t);
    symtab_builder_free(b);
}

TEST(symtab_copies_names_when_asked)
{
    struct symtab_builder *b = symtab_builder_new(NULL);
    char name[32];
    for (int i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "function_%d@plt", i);
        struct symbol_found s = {
            .addr = 16 * (uint64_t)i, .size = 16, .name = name, .copy_name = true};
        symtab_add(b, &s);
    }
    struct symtab *t = symtab_build(b);
    CHECK_INT(symtab_count(t), 5000);
    CHECK_STR(symtab_find(t, 16 * 4321 + 15)->name, "function_4321@plt");
    symtab_free(t);
    symtab_builder_free(b);
}

TEST(symtab_copies_a_name_once_that_ends_the_one_before)
{
    static const char *const name[] = {"__pfx_run", "run", "run", "un", "rerun", "__pfx_run"};
    struct symtab_builder *b = symtab_builder_new(NULL);
    for (unsigned i = 0; i < 6; i++)
        symtab_add(
            b, &(struct symbol_found){.addr = i, .size = 1, .name = name[i], .copy_name = true});
    struct symtab *t = symtab_build(b);
    symtab_builder_free(b);
    for (unsigned i = 0; i < 6; i++)
        CHECK_STR(symtab_at(t, i)->name, name[i]);
    CHECK(symtab_at(t, 1)->name == symtab_at(t, 0)->name + strlen("__pfx_"));
    CHECK(symtab_at(t, 3)->name == symtab_at(t, 0)->name + strlen("__pfx_r"));
    CHECK(symtab_at(t, 5)->name != symtab_at(t, 0)->name);
    symtab_free(t);
}

TEST(symtab_knows_the_unnamed)
{
    char name[] = "";
    struct symtab_builder *b = symtab_builder_new(NULL);
    symtab_add(b, &(struct symbol_found){.addr = 1, .size = 1, .name = name});
    symtab_add(b, &(struct symbol_found){.addr = 2, .size = 1, .name = name, .copy_name = true});
    symtab_add(b, &(struct symbol_found){.addr = 3, .size = 1, .name = "a", .copy_name = true});
    symtab_add(b, &(struct symbol_found){.addr = 4, .size = 1, .name = "b"});
    struct symtab *t = symtab_build(b);
    for (size_t i = 0; i < 4; i++)
        CHECK_INT(symbol_is_named(symtab_at(t, i)), i >= 2);
    symtab_free(t);
    symtab_builder_free(b);
}

TEST(symtab_builder_is_empty_after_building)
{
    struct symtab_builder *b = symtab_builder_new(NULL);
    add(b, 0x10, 1, 0, true, GLOBAL, "old");
    symtab_free(symtab_build(b));
    add(b, 0x20, 1, 0, true, GLOBAL, "new");
    CHECK_STR(shown(symtab_build(b)), "20-21 new\n");
    symtab_builder_free(b);
}

/* Against the plainest search there is. */
TEST(symtab_agrees_with_a_linear_search)
{
    srand(1);
    struct symtab_builder *b = symtab_builder_new(NULL);
    for (int i = 0; i < 300; i++)
        add(b, (uint64_t)(rand() % 4096), (uint64_t)(rand() % 24), 4096, rand() % 4, rand() % 3,
            "x");
    struct symtab *t = symtab_build(b);
    for (uint64_t addr = 0; addr < 5000; addr++) {
        const struct symbol *found = NULL;
        for (size_t i = 0; i < symtab_count(t); i++)
            if (addr >= symtab_at(t, i)->start && addr < symtab_at(t, i)->end)
                found = symtab_at(t, i);
        if (symtab_find(t, addr) != found)
            CHECK(!"the same symbol");
    }
    symtab_free(t);
    symtab_builder_free(b);
}

TEST(symtab_counts_what_is_too_much)
{
    struct symtab_builder *b = symtab_builder_new(NULL);
    for (uint64_t i = 0; i < SYMTAB_MAX + 3; i++)
        symtab_add(b, &(struct symbol_found){.addr = i, .size = 1, .name = "x"});
    struct symtab *t = symtab_build(b);
    CHECK_INT(symtab_count(t), SYMTAB_MAX);
    CHECK_INT(symtab_left_out(t), 3);
    symtab_free(t);
    t = symtab_build(b);
    CHECK_INT(symtab_left_out(t), 0);
    CHECK_INT(symtab_left_out(NULL), 0);
    symtab_free(t);
    symtab_builder_free(b);
}
