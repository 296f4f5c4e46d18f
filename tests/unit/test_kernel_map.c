#include "unit.h"

#include "core/base/buf.h"
#include "core/symbol/kallsyms.h"
#include "core/symbol/kernel_map.h"

static const char symbols[] = "ffffffff81000000 T _stext\nffffffff81000000 T _text\n"
                              "ffffffff81000010 t foo\nffffffff82209000 T _etext\n"
                              "ffffffff83000000 D data\nffffffffc0201000 t in_mod\t[mod]\n";
static const char modules[] = "ext4 1150976 2 - Live 0xffffffffc0400000\n"
                              "jbd2 212992 1 ext4, Live 0xffffffffc03f0000 (O)\n"
                              "mbcache 16384 1 ext4, Live 0xffffffffc0300000";

static const char *at(const struct kernel_map *m, uint64_t address)
{
    for (size_t i = 0; i < m->ranges; i++)
        if (address >= m->range[i].start && address < m->range[i].end)
            return m->range[i].name;
    return "-";
}

TEST(kernel_map_has_the_kernel_and_its_modules)
{
    struct kernel_map m;
    CHECK_INT(kernel_map_init(symbols, sizeof symbols - 1, modules, sizeof modules - 1, &m), 0);
    CHECK_INT(m.ranges, 4);
    CHECK(!m.restricted);
    CHECK_STR(at(&m, 0xffffffff80ffffff), "-");
    CHECK_STR(at(&m, 0xffffffff81000000), "[kernel]");
    CHECK_STR(at(&m, 0xffffffff82208fff), "[kernel]");
    CHECK_STR(at(&m, 0xffffffff82209000), "-");
    CHECK_STR(at(&m, 0xffffffffc0303fff), "[mbcache]");
    CHECK_STR(at(&m, 0xffffffffc0304000), "-");
    CHECK_STR(at(&m, 0xffffffffc03fffff), "[jbd2]"); /* its size reaches into the next */
    CHECK_STR(at(&m, 0xffffffffc0400000), "[ext4]");
    CHECK_STR(at(&m, 0), "-");
    CHECK_STR(at(&m, UINT64_MAX), "-");
    kernel_map_release(&m);
}

TEST(kernel_map_of_text_that_kallsyms_has_read)
{
    char text[sizeof symbols];
    struct kallsyms k;
    struct kernel_map m;
    memcpy(text, symbols, sizeof symbols);
    CHECK_INT(kallsyms_init(text, sizeof symbols - 1, &k), 0);
    CHECK_INT(kernel_map_init(text, sizeof symbols - 1, NULL, 0, &m), 0);
    CHECK_INT(m.ranges, 1);
    CHECK_STR(at(&m, 0xffffffff81000010), "[kernel]");
    kernel_map_release(&m);
    kallsyms_release(&k);
}

TEST(kernel_map_of_the_lines_that_are_kept)
{
    struct buf kept = BUF_INIT;
    struct kernel_map m;
    kernel_map_keep(symbols, 60, &kept); /* the rest of the third line follows */
    kernel_map_keep(symbols + 60, sizeof symbols - 61, &kept);
    CHECK_STR(buf_str(&kept), "ffffffff81000000 T _stext\nffffffff81000000 T _text\n"
                              "ffffffff82209000 T _etext\n");
    CHECK_INT(kernel_map_init(kept.data, kept.len, NULL, 0, &m), 0);
    CHECK_INT(m.ranges, 1);
    CHECK_STR(at(&m, 0xffffffff82208fff), "[kernel]");
    kernel_map_release(&m);
    buf_release(&kept);
}

TEST(kernel_map_of_arm)
{
    static const char text[] = "c0008000 T _text\nc0300000 T _stext\nc0e00000 T _etext\n";
    static const char mods[] = "8021q 40960 0 - Live 0xbf000000\n";
    struct kernel_map m;
    CHECK_INT(kernel_map_init(text, sizeof text - 1, mods, sizeof mods - 1, &m), 0);
    CHECK_STR(at(&m, 0xbf009fff), "[8021q]");
    CHECK_STR(at(&m, 0xc0008000), "[kernel]");
    kernel_map_release(&m);
}

TEST(hidden_addresses_are_told)
{
    static const char text[] = "0000000000000000 T _text\n0000000000000000 T _etext\n";
    static const char mods[] = "ext4 1150976 2 - Live 0x0000000000000000\n";
    struct kernel_map m;
    CHECK_INT(kernel_map_init(text, sizeof text - 1, NULL, 0, &m), 0);
    CHECK(m.restricted && m.ranges == 0);
    kernel_map_release(&m);
    CHECK_INT(kernel_map_init(NULL, 0, mods, sizeof mods - 1, &m), 0);
    CHECK(m.restricted && m.ranges == 0);
    kernel_map_release(&m);
}

TEST(what_is_no_module_is_passed_over)
{
    static const char mods[] =
        "\nx\nx y z\nx -1 0 - Live 0x1000\na 16 0 - Live 0xfffffffffffffff8\n"
        "b 0 0 - Live 0x2000\nc 16 0 - Live\n";
    struct kernel_map m;
    CHECK_INT(kernel_map_init(NULL, 0, mods, sizeof mods - 1, &m), 0);
    CHECK_INT(m.ranges, 1);
    CHECK_STR(at(&m, UINT64_MAX - 1), "[a]");
    kernel_map_release(&m);
}
