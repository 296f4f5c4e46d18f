#include "unit.h"

#include "core/symbol/crash_log.h"

/* All places of a line: a=ADDRESS o=OFFSET m=MODULE f=FUNCTION n=NAME, `;' between. */
static const char *places(const char *line)
{
    static char text[512];
    struct logline_place p;
    size_t n = 0, at = 0;
    text[0] = '\0';
    while (logline_next(line, strlen(line), &at, &p)) {
        n += (size_t)snprintf(text + n, sizeof text - n, n ? ";" : "%s", "");
        if (p.absolute)
            n += (size_t)snprintf(text + n, sizeof text - n, " a=%" PRIx64, p.address);
        if (p.relative)
            n += (size_t)snprintf(text + n, sizeof text - n, " o=%" PRIx64, p.offset);
        const struct logline_text part[] = {p.module, p.function, p.name};
        for (int i = 0; i < 3; i++)
            if (part[i].at)
                n += (size_t)snprintf(text + n, sizeof text - n, " %c=%.*s", "mfn"[i],
                                      (int)part[i].len, part[i].at);
    }
    return text;
}

TEST(logline_debuggers_and_libc)
{
    CHECK_STR(places("#3  0x000055d0 in ?? ()"), " a=55d0");
    CHECK_STR(places("#1  0x55d0 in f (p=0x7ffe0000) at a.c:3"), " a=55d0; a=7ffe0000");
    CHECK_STR(places("/usr/lib/libfoo.so(+0x1234) [0x7f0011223344]"),
              " a=7f0011223344 o=1234 m=/usr/lib/libfoo.so");
    CHECK_STR(places("bin(func+0x1b)[0x55d000001234]"), " a=55d000001234 o=1b m=bin f=func");
    CHECK_STR(places("./bin() [0x401234]"), " a=401234");
    CHECK_STR(places("libfoo.so+0x1234"), " o=1234 n=libfoo.so");
}

TEST(logline_sanitizers_systemd_android)
{
    CHECK_STR(places("    #1 0x4a5b in foo /src/a.c:12:3 (/bin/x+0x4f3)"),
              " a=4a5b; o=4f3 n=/bin/x");
    CHECK_STR(places("#0  0x00007f12 raise (libc.so.6 + 0x3c)"), " a=7f12; o=3c n=libc.so.6");
    CHECK_STR(places("    #00 pc 00012345  /system/lib/libc.so (abort+12)"),
              " o=12345 m=/system/lib/libc.so");
}

TEST(loglines_of_kernels_have_pc_lr_and_offsets)
{
    CHECK_STR(places("pc : [<c0112233>]    lr : [<c0112244>]    psr: 60000013"),
              " a=c0112233; a=c0112244");
    CHECK_STR(places("PC is at foo+0x1b/0x40 [mod]"), " o=1b m=mod f=foo");
    CHECK_STR(places("LR is at foo.part.0+0x1b/0x40"), " o=1b f=foo.part.0");
    CHECK_STR(places(" [<ffffffff81000000>] ? foo+0x1b/0x40"), " a=ffffffff81000000");
    CHECK_STR(places("[<c0112233>] (foo) from [<c0223344>] (bar+0x10/0x20)"),
              " a=c0112233; a=c0223344");
    CHECK_STR(places("RIP: 0010:do_it+0x2a/0x30 [my-mod]"), " o=2a m=my-mod f=do_it");
    CHECK_STR(places("epc = 80001234, ra = ffffffff80001234"), " a=80001234; a=ffffffff80001234");
    CHECK_STR(places(" ? do_one_initcall+0x50/0x2f0"), " o=50 f=do_one_initcall");
}

TEST(loglines_without_addresses_have_no_places)
{
    CHECK_STR(places(""), "");
    CHECK_STR(places("hello 1234 deadbeef 0xzz x0x12 0x"), "");
    CHECK_STR(places("+0x12 (+0x1) [<c01122>] pc: 1234 20240101"), "");
    CHECK_STR(places("0x11112222333344445"), "");
}

TEST(logline_addresses_alone)
{
    uint64_t a;
    CHECK(logline_is_address("0x1234", 6, &a) && a == 0x1234);
    CHECK(logline_is_address("  dead \r", 8, &a) && a == 0xdead);
    CHECK(!logline_is_address("dead beef", 9, &a));
    CHECK(!logline_is_address("", 0, &a));
    CHECK(!logline_is_address("0x", 2, &a));
    CHECK(!logline_is_address("deadx", 5, &a));
    CHECK(!logline_is_address("11112222333344445", 17, &a));
}
