#include "unit.h"

#include "core/base/buf.h"
#include "core/base/sort.h"
#include "core/symbol/kallsyms.h"

#include <errno.h>

/* NAME+OFFSET [MODULE] of an address. */
static const char *at(const struct kallsyms *k, uint64_t addr)
{
    static char text[128];
    size_t len;
    const struct symbol *s = kallsyms_find(k, addr);
    if (!s)
        return "-";
    const char *module = kallsyms_module(k, s, &len);
    snprintf(text, sizeof text, "%s+0x%" PRIx64 "%s%.*s", s->name, addr - s->start, len ? " " : "",
             (int)len, module);
    return text;
}

TEST(kallsyms_of_a_kernel)
{
    char text[] = "0000000000000000 A fixed_percpu_data\n"
                  "ffffffff81000000 T _stext\nffffffff81000000 T _text\n"
                  "ffffffff81000040 t foo.isra.0\nffffffff81000080 W weak\n"
                  "ffffffff81001000 T _etext\nffffffff82000000 D data\n"
                  "ffffffffc0201000 t in_mod\t[mod]\nffffffffc0201010 T other\t[mod-2]\n";
    struct kallsyms k;
    CHECK_INT(kallsyms_init(text, sizeof text - 1, &k), 0);
    CHECK_INT(k.lines, 9);
    CHECK(!k.restricted);
    CHECK(k.start == 0xffffffff81000000);
    CHECK_STR(at(&k, 0xffffffff80ffffff), "-");
    CHECK_STR(at(&k, 0xffffffff81000044), "foo.isra.0+0x4");
    CHECK_STR(at(&k, 0xffffffff81000fff), "weak+0xf7f");
    CHECK_STR(at(&k, 0xffffffff81001000), "-");
    CHECK_STR(at(&k, 0xffffffff82000010), "-");
    CHECK_STR(at(&k, 0xffffffffc0201008), "in_mod+0x8 mod");
    CHECK_STR(at(&k, 0xffffffffc0201010), "other+0x0 mod-2");
    CHECK_STR(at(&k, 0xffffffffc0401010), "-");
    CHECK_STR(kallsyms_named(&k, "weak!", 4)->name, "weak");
    CHECK(!kallsyms_named(&k, "wea", 3));
    CHECK(!kallsyms_named(&k, "", 0));
    kallsyms_release(&k);
}

TEST(kallsyms_that_the_kernel_hides)
{
    char text[] = "0000000000000000 T _text\n0000000000000000 t foo\t[mod]\n";
    struct kallsyms k;
    CHECK_INT(kallsyms_init(text, sizeof text - 1, &k), 0);
    CHECK(k.restricted);
    kallsyms_release(&k);
}

TEST(kallsyms_system_map_of_arm)
{
    char text[] = "         U __gone\nc0008000 T stext\nc0008000 t $a\nc0008100 T start_kernel\n"
                  "c0100000 A _end\nc0110000 t __kuser";
    struct kallsyms k;
    CHECK_INT(kallsyms_init(text, sizeof text - 1, &k), 0);
    CHECK(k.start == 0xc0008000);
    CHECK_STR(at(&k, 0xc0008010), "stext+0x10");
    CHECK_STR(at(&k, 0xc0008102), "start_kernel+0x2");
    kallsyms_release(&k);
}

TEST(kallsyms_without_a_symbol)
{
    char text[] = "hello\nc0008000\nc0008000 T\nc0008000 T \n";
    struct kallsyms k;
    CHECK_INT(kallsyms_init(text, sizeof text - 1, &k), -ENOEXEC);
}

TEST(a_text_in_parts_may_go)
{
    char first[] = "ffffffff81000000 T _text\nffffffff81000000 T _stext\n"
                   "ffffffff81000040 t foo.isra.0\n";
    char second[] = "ffffffff82000000 D data\nffffffffc0201000 t in_mod\t[mod]\n";
    struct kallsyms_reader r;
    struct kallsyms k;
    CHECK_INT(kallsyms_start(&r, NULL, 0), 0);
    kallsyms_add(&r, first, sizeof first - 1);
    memset(first, 'x', sizeof first);
    kallsyms_add(&r, second, sizeof second - 1);
    memset(second, 'x', sizeof second);
    CHECK_INT(kallsyms_finish(&r, &k), 0);
    CHECK_INT(k.lines, 5);
    CHECK(k.start == 0xffffffff81000000);
    CHECK_STR(kallsyms_find(&k, 0xffffffff81000044)->name, "foo.isra.0");
    CHECK_STR(kallsyms_find(&k, 0xffffffffc0201008)->name, "in_mod");
    CHECK(!kallsyms_find(&k, 0xffffffff82000010));
    kallsyms_release(&k);
}

TEST(no_part_is_no_kernel)
{
    struct kallsyms_reader r;
    struct kallsyms k;
    CHECK_INT(kallsyms_start(&r, NULL, 0), 0);
    CHECK_INT(kallsyms_finish(&r, &k), -ENOEXEC);
}

/* --- some addresses alone --- */

enum { LINES = 60, ADDRESSES = 40, ROUNDS = 400 };

static uint32_t any_number(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

/* A text whose addresses rise, but for some, with aliases. */
static void write_lines(uint32_t *seed, struct buf *out)
{
    uint64_t addr = 0x1000;
    for (int i = 0; i < LINES; i++) {
        uint32_t r = any_number(seed);
        addr = r % 13 == 0 ? 0x1000 + r / 16 % 0x4000 : addr + r / 16 % 5 * 0x40;
        buf_printf(out, "%016" PRIx64 " %c %sf%d\n", addr, "tTWtDtt"[r / 512 % 7],
                   r % 5 ? "" : "__pfx_", i);
    }
}

static void read_parts(const struct buf *text, const uint64_t *asked, size_t count,
                       struct kallsyms *out)
{
    struct kallsyms_reader r;
    CHECK_INT(kallsyms_start(&r, asked, count), 0);
    for (size_t at = 0, len; at < text->len; at += len) {
        const char *stop = text->data + at;
        for (int lines = 0; lines < 17 && *stop; lines++)
            stop = strchr(stop, '\n') + 1;
        len = (size_t)(stop - text->data) - at;
        char part[4096];
        memcpy(part, text->data + at, len);
        part[len] = '\0';
        kallsyms_add(&r, part, len);
        memset(part, 'x', len);
    }
    CHECK_INT(kallsyms_finish(&r, out), 0);
}

static bool is_same(const struct symbol *a, const struct symbol *b)
{
    return a && b ? a->start == b->start && a->end == b->end && strcmp(a->name, b->name) == 0
                  : a == b;
}

TEST(symbols_of_some_addresses_tell_what_all_tell)
{
    uint32_t seed = 1;
    for (int round = 0; round < ROUNDS; round++) {
        SCOPED_BUF text = BUF_INIT;
        struct kallsyms all, some;
        uint64_t asked[ADDRESSES];
        size_t count = any_number(&seed) % ADDRESSES;
        write_lines(&seed, &text);
        for (size_t i = 0; i < count; i++)
            asked[i] = 0xf00 + any_number(&seed) % 0x5000;
        sort_array(asked, count, sizeof *asked, order_of_u64);
        read_parts(&text, NULL, 0, &all);
        read_parts(&text, asked, count, &some);
        for (size_t i = 0; i < count; i++)
            CHECK(is_same(symtab_find(all.symbols, asked[i]), symtab_find(some.symbols, asked[i])));
        CHECK_INT(some.lines, all.lines);
        CHECK_INT(some.start, all.start);
        CHECK_INT(symtab_at(some.symbols, 0)->start, symtab_at(all.symbols, 0)->start);
        kallsyms_release(&all);
        kallsyms_release(&some);
    }
}

TEST(few_symbols_are_kept_for_few_addresses)
{
    static const uint64_t asked[] = {0x2010, 0x2020, 0x5000};
    SCOPED_BUF text = BUF_INIT;
    struct kallsyms k;
    for (int i = 1; i < 17; i++)
        buf_printf(&text, "%016x t f%x\n", i * 0x1000, i);
    read_parts(&text, asked, 3, &k);
    CHECK_INT(symtab_count(k.symbols), 6); /* the first, two and the next of each, the last */
    CHECK_STR(kallsyms_find(&k, 0x2010)->name, "f2");
    CHECK_INT(kallsyms_find(&k, 0x2010)->end, 0x3000);
    CHECK_STR(kallsyms_find(&k, 0x5000)->name, "f5");
    kallsyms_release(&k);
}
