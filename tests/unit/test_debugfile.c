#include "unit.h"

#include "core/elf/debugfile.h"

#include <errno.h>
#include <stdlib.h>

struct opened {
    char *bytes;
    size_t len;
    struct elf_module *elf;
};

static struct opened opened(const char *path)
{
    struct opened o = {0};
    char below[128];
    snprintf(below, sizeof below, "data/debug/%s", path);
    o.bytes = unit_file(below, &o.len);
    CHECK_INT(elf_open((const uint8_t *)o.bytes, o.len, &o.elf, NULL), 0);
    return o;
}

static void closed(struct opened *o)
{
    elf_close(o->elf);
    free(o->bytes);
}

static const char *joined(struct debugfile_paths *p)
{
    static char text[1024];
    size_t n = 0;
    text[0] = '\0';
    for (size_t i = 0; i < p->count; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s\n", p->path[i]);
    debugfile_paths_release(p);
    return text;
}

TEST(debugfile_paths_by_link_in_a_folder_of_their_own)
{
    struct opened o = opened("by-link/prog");
    struct debugfile_search s = {.dir = {"/a"}, .dirs = 1, .debuglink_dir = "/l"};
    struct debugfile_paths p;
    debugfile_candidates(&s, o.elf, "/usr/bin/prog", &p);
    CHECK_STR(joined(&p), "/usr/bin/prog.debug\n"
                          "/usr/bin/.debug/prog.debug\n"
                          "/l/usr/bin/prog.debug\n");
    closed(&o);
}

TEST(debugfile_paths_by_build_id)
{
    struct opened o = opened("by-id/prog");
    struct debugfile_search s = {0};
    struct debugfile_paths p;
    debugfile_candidates(&s, o.elf, "/usr/bin/prog", &p);
    CHECK_STR(joined(&p), "/usr/lib/debug/.build-id/01/23456789abcdef.debug\n");
    s = (struct debugfile_search){.dir = {"/a", "/b"}, .dirs = 2, .sysroot = "/root"};
    debugfile_candidates(&s, o.elf, "/usr/bin/prog", &p);
    CHECK_STR(joined(&p), "/root/a/.build-id/01/23456789abcdef.debug\n"
                          "/a/.build-id/01/23456789abcdef.debug\n"
                          "/root/b/.build-id/01/23456789abcdef.debug\n"
                          "/b/.build-id/01/23456789abcdef.debug\n"
                          "/root/usr/bin/prog\n");
    closed(&o);
}

TEST(debugfile_paths_by_link)
{
    struct opened o = opened("by-link/prog");
    struct debugfile_search s = {0};
    struct debugfile_paths p;
    debugfile_candidates(&s, o.elf, "/usr/bin/prog", &p);
    CHECK_STR(joined(&p), "/usr/bin/prog.debug\n/usr/bin/.debug/prog.debug\n"
                          "/usr/lib/debug/usr/bin/prog.debug\n");
    debugfile_candidates(&s, o.elf, "[vdso]", &p);
    CHECK_STR(joined(&p), "");
    debugfile_alt_candidates(&s, o.elf, "/usr/bin/prog", &p);
    CHECK_STR(joined(&p), "");
    closed(&o);
}

static int judged(const char *of, const char *candidate)
{
    struct opened a = opened(of), b = opened(candidate);
    int r = debugfile_verify(a.elf, b.elf, (const uint8_t *)b.bytes, b.len, NULL);
    closed(&a);
    closed(&b);
    return r;
}

TEST(debugfile_of_another_build_is_refused)
{
    CHECK_INT(judged("by-id/prog", "dbg/.build-id/01/23456789abcdef.debug"), 0);
    CHECK_INT(judged("by-id/prog", "full"), 0);
    CHECK_INT(judged("stale/prog", "dbg/.build-id/fe/dcba9876543210.debug"), -ESTALE);
    CHECK_INT(judged("by-link/prog", "by-link/prog.debug"), 0);
    CHECK_INT(judged("wrong/prog", "wrong/prog.debug"), -ESTALE);
    CHECK_INT(judged("by-link/prog", "../elf/aarch64.so"), -ESTALE);
}

TEST(debuglinks_are_parsed_and_cut_ones_refused)
{
    struct debuglink link;
    struct debugaltlink alt;
    static const uint8_t good[] = "abc.debug\0\0\0\x04\x03\x02\x01", alternate[] = "x\0\x12\x34";
    CHECK(debuglink_parse(good, 16, false, &link));
    CHECK_STR(link.name, "abc.debug");
    CHECK(link.crc == 0x01020304);
    CHECK(debuglink_parse(good, 16, true, &link) && link.crc == 0x04030201);
    CHECK(!debuglink_parse(good, 15, false, &link));
    CHECK(!debuglink_parse(good, 9, false, &link));
    CHECK(!debuglink_parse((const uint8_t *)"../abcd\0abcd", 12, false, &link));
    CHECK(!debuglink_parse((const uint8_t *)"..\0\0abcd", 8, false, &link));
    CHECK(!debuglink_parse((const uint8_t *)"\0\0\0\0abcd", 8, false, &link));
    CHECK(debugaltlink_parse(alternate, 4, &alt) && alt.id_len == 2 && alt.id[1] == 0x34);
    CHECK(!debugaltlink_parse(alternate, 1, &alt));
}

TEST(debugfile_paths_in_caches)
{
    static const uint8_t id[] = {0xab, 0xcd, 0xef};
    struct debugfile_caches both = {"/c", "/p"}, none = {0};
    struct debugfile_paths p = {0};
    debugfile_cached(&both, id, sizeof id, &p);
    CHECK_STR(joined(&p), "/c/abcdef/debuginfo\n/p/.build-id/ab/cdef/debug\n"
                          "/p/.build-id/ab/cdef/elf\n");
    debugfile_cached(&both, id, 1, &p);
    CHECK_STR(joined(&p), "");
    debugfile_cached(&none, id, sizeof id, &p);
    CHECK_STR(joined(&p), "");
}
