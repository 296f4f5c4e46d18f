#include "unit.h"

#include "core/symbol/perfmap.h"

static const char *name_at(const struct symtab *t, uint64_t addr)
{
    const struct symbol *s = symtab_find(t, addr);
    return s ? s->name : "-";
}

static struct symtab *symbols_of(char *text, size_t len)
{
    struct jit_code code = {0};
    perfmap_read(text, len, &code);
    struct symtab *t = jit_code_symbols(&code);
    jit_code_release(&code);
    return t;
}

TEST(perfmap_names_to_the_end_of_the_line)
{
    char text[] = "1000 20 LazyCompile:~f file.js:1\n0x2000 0x10 b\r\n3000 10 last";
    struct symtab *t = symbols_of(text, sizeof text - 1);
    CHECK_STR(name_at(t, 0x101f), "LazyCompile:~f file.js:1");
    CHECK_STR(name_at(t, 0x1020), "-");
    CHECK_STR(name_at(t, 0x2000), "b");
    CHECK_STR(name_at(t, 0x300f), "last");
    symtab_free(t);
}

TEST(perfmap_later_lines_count)
{
    char text[] = "1000 100 old\n1080 100 over_its_end\n2000 100 old2\n1f80 100 over_its_start\n"
                  "3000 10 first\n3000 10 second\n4000 100 outer_old\n4010 10 inside\n"
                  "5010 10 swallowed\n5000 100 outer_new\n";
    struct symtab *t = symbols_of(text, sizeof text - 1);
    CHECK_STR(name_at(t, 0x1000), "-");
    CHECK_STR(name_at(t, 0x1080), "over_its_end");
    CHECK_STR(name_at(t, 0x2000), "over_its_start");
    CHECK_STR(name_at(t, 0x20ff), "-");
    CHECK_STR(name_at(t, 0x3000), "second");
    CHECK_STR(name_at(t, 0x4000), "-");
    CHECK_STR(name_at(t, 0x4010), "inside");
    CHECK_STR(name_at(t, 0x5010), "outer_new");
    CHECK_INT(symtab_count(t), 5);
    symtab_free(t);
}

TEST(perfmap_passes_over_what_is_no_line)
{
    char text[] = "\nhello\n10\n10 20\n10 20 \n10 0 empty\nffffffffffffffff 2 wraps\n"
                  "11112222333344445 1 long\n40 4 good\n";
    struct symtab *t = symbols_of(text, sizeof text - 1);
    CHECK_INT(symtab_count(t), 1);
    CHECK_STR(name_at(t, 0x43), "good");
    symtab_free(t);
    char none[] = "";
    t = symbols_of(none, 0);
    CHECK_INT(symtab_count(t), 0);
    symtab_free(t);
}
