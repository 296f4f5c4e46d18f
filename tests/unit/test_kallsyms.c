#include "unit.h"

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
    CHECK_INT(kallsyms_start(&r), 0);
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
    CHECK_INT(kallsyms_start(&r), 0);
    CHECK_INT(kallsyms_finish(&r, &k), -ENOEXEC);
}
