#include "unit.h"

#include "core/symbol/jitdump.h"

#include <errno.h>
#include <stdlib.h>

static struct symtab *symbols_of(const char *name, size_t less)
{
    struct jit_code code = {0};
    struct fail f = {0};
    char path[64];
    size_t len;
    snprintf(path, sizeof path, "fuzz/corpus/jitdump/%s", name);
    char *bytes = unit_file(path, &len);
    CHECK_INT(jitdump_read((uint8_t *)bytes, len - less, &code, &f), 0);
    struct symtab *t = jit_code_symbols(&code);
    jit_code_release(&code);
    free(bytes);
    return t;
}

static const char *name_at(const struct symtab *t, uint64_t addr)
{
    const struct symbol *s = symtab_find(t, addr);
    return s ? s->name : "-";
}

/* A function that was moved stands at both places; one whose memory was used again is gone. */
static void check_functions(const char *name)
{
    struct symtab *t = symbols_of(name, 0);
    CHECK_INT(symtab_count(t), 3);
    CHECK_STR(name_at(t, 0x1000), "-");
    CHECK_STR(name_at(t, 0x1017), "over");
    CHECK_STR(name_at(t, 0x2007), "g");
    CHECK_STR(name_at(t, 0x2008), "-");
    CHECK_STR(name_at(t, 0x3000), "g");
    symtab_free(t);
}

TEST(jitdump_of_both_byte_orders)
{
    check_functions("little");
    check_functions("big");
}

TEST(jitdump_that_is_still_written)
{
    struct symtab *t = symbols_of("cut", 0);
    CHECK_INT(symtab_count(t), 1);
    CHECK_STR(name_at(t, 0x100f), "whole");
    symtab_free(t);
}

TEST(jitdump_passes_over_what_is_no_function)
{
    struct symtab *t = symbols_of("odd", 0);
    CHECK_INT(symtab_count(t), 1);
    CHECK_STR(name_at(t, 0x5003), "good");
    symtab_free(t);
}

static void check_refused(const char *name, size_t len, const char *why)
{
    struct jit_code code = {0};
    struct fail f = {0};
    char path[64];
    snprintf(path, sizeof path, "fuzz/corpus/jitdump/%s", name);
    char *bytes = unit_file(path, NULL);
    CHECK_INT(jitdump_read((uint8_t *)bytes, len, &code, &f), -EINVAL);
    CHECK_STR(f.what, why);
    free(bytes);
}

TEST(jitdump_of_another_kind_is_refused)
{
    check_refused("version", 40, "jitdump version 2, expected 1");
    check_refused("little", 39, "not a jitdump file");
    check_refused("odd", 47, "a damaged jitdump file");
}

TEST(jitdump_by_its_path)
{
    CHECK(jitdump_is_path("/home/u/.debug/jit/java/jit-123.dump"));
    CHECK(jitdump_is_path("jit-1.dump"));
    CHECK(!jitdump_is_path("/tmp/jit-.dump"));
    CHECK(!jitdump_is_path("/tmp/jit-1.dump2"));
    CHECK(!jitdump_is_path("/tmp/jit-1a.dump"));
    CHECK(!jitdump_is_path("/jit-1.dump/libc.so"));
}
