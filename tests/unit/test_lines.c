#include "unit.h"

#include "core/base/buf.h"
#include "core/base/zstd/unzstd.h"
#include "core/dwarf/lines.h"
#include "core/elf/elf.h"
#include "plat/file.h"

#include <errno.h>
#include <stdlib.h>

#define FOLDER "data/dwarf/"

enum { DEEPEST = 64 };

/* A file of the folder, mapped read-only: nothing may write there. */
static struct image mapped(const char *name)
{
    char path[512];
    struct image image = {0};
    snprintf(path, sizeof path, "%s/" FOLDER "%s", unit_folder(), name);
    CHECK_INT(file_map(path, SIZE_MAX, &image, NULL), 0);
    return image;
}

struct opened {
    struct image image, other[4];
    size_t others;
    struct elf_module *m;
    struct lines *l;
};

static struct opened opened(const char *name)
{
    struct opened o = {.image = mapped(name)};
    struct fail f = {0};
    if (elf_open(o.image.data, o.image.len, &o.m, &f) < 0 ||
        lines_open(o.image.data, o.image.len, NULL, &o.l, &f) < 0) {
        printf("    %s: %s\n", name, f.what);
        CHECK(o.l);
        exit(1);
    }
    return o;
}

static void closed(struct opened *o)
{
    lines_close(o->l);
    elf_close(o->m);
    file_unmap(&o->image);
    for (size_t i = 0; i < o->others; i++)
        file_unmap(&o->other[i]);
}

static bool read_split(void *arg, const char *path, const uint8_t **bytes, size_t *len)
{
    struct opened *o = arg;
    const char *name = strrchr(path, '/');
    if (o->others == sizeof o->other / sizeof o->other[0])
        return false;
    struct image *image = &o->other[o->others++];
    *image = mapped(name ? name + 1 : path);
    *bytes = image->data;
    *len = image->len;
    return image->data;
}

/* --- against llvm-symbolizer --- */

static void show_frame(const struct lines_frame *f, struct buf *out)
{
    buf_printf(out, "%s\n%s:%" PRIu32 ":%" PRIu32 "\n", f->function ? f->function : "??",
               f->file ? f->file : "??", f->line, f->column);
}

/* As there, clones go by their symbols, and so does what has no linkage name in DWARF. */
static bool goes_by_symbol(const char *function, const char *symbol)
{
    return !function || strchr(symbol, '.') ||
           (strncmp(symbol, "_Z", 2) == 0 && strncmp(function, "_Z", 2) != 0);
}

static void show(struct opened *o, uint64_t addr, struct buf *out)
{
    struct lines_frame frame[DEEPEST] = {{0}};
    size_t count = lines_at(o->l, addr, frame, DEEPEST);
    const struct symbol *s = symtab_find(elf_symbols(o->m), addr);
    count = count ? count : 1;
    const char **outer = &frame[count - 1].function;
    if (s && goes_by_symbol(*outer, s->name))
        *outer = s->name;
    for (size_t i = 0; i < count; i++)
        show_frame(&frame[i], out);
    buf_addc(out, '\n');
}

/* .text of all these files begins there; every second byte is asked, until the answers end. */
static char *answers(struct opened *o, const char *want)
{
    struct buf got = BUF_INIT;
    uint64_t addr = 0x10000;
    for (const char *p = want; (p = strstr(p, "\n\n")); p += 2, addr += 2)
        show(o, addr, &got);
    return got.data;
}

static void check_answers(struct opened *o, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, FOLDER "%s.lines", name);
    char *want = unit_file(path, NULL), *got = answers(o, want);
    CHECK_STR(got, want);
    free(got);
    free(want);
}

static void check_file(const char *name)
{
    struct opened o = opened(name);
    lines_set_split(o.l, read_split, &o);
    check_answers(&o, name);
    CHECK_INT(lines_missing(o.l, NULL), 0);
    closed(&o);
}

TEST(lines_of_compilers_and_levels)
{
    const char *names[] = {"gcc-O0",   "gcc-O1",    "gcc-O2",      "gcc-O3",    "clang-O0",
                           "clang-O1", "clang-O2",  "clang-O3",    "gcc-names", "clang-names",
                           "gcc-lto",  "clang-lto", "gcc-sections"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        check_file(names[i]);
}

TEST(lines_of_functions_in_local_classes)
{
    const char *names[] = {"gcc-local", "gcc-local-O0", "gcc-local-dwarf4", "clang-local"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        check_file(names[i]);
}

TEST(lines_of_every_version)
{
    const char *names[] = {"gcc-dwarf2",   "gcc-dwarf3",   "gcc-dwarf4",  "gcc-dwarf64",
                           "clang-dwarf2", "clang-dwarf3", "clang-dwarf4"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        check_file(names[i]);
}

TEST(lines_of_other_machines)
{
    const char *names[] = {"armhf-thumb", "armhf-a32", "armeb-be8",
                           "arm64",       "arm64-be",  "arm64-be-dwarf4"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        check_file(names[i]);
}

TEST(lines_of_compressed_sections)
{
    check_file("gcc-zlib");
    check_file("gcc-zdebug");
}

TEST(lines_of_sections_compressed_by_zstd)
{
    if (!unzstd_available())
        SKIP("built without zstd");
    check_file("gcc-zstd");
    check_file("armeb-zstd");
    check_file("arm64-be-zstd");
}

TEST(lines_of_split_units)
{
    check_file("split-gcc4");
    check_file("split-gcc5");
    check_file("split-clang4");
    check_file("split-clang5");
}

TEST(lines_of_dwp_packages)
{
    const char *names[] = {"split-gcc4", "split-clang4", "split-clang5"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct opened o = opened(names[i]);
        char package[64];
        snprintf(package, sizeof package, "%s.dwp", names[i]);
        o.other[o.others] = mapped(package);
        CHECK_INT(lines_set_package(o.l, o.other[0].data, o.other[0].len, NULL), 0);
        o.others++;
        check_answers(&o, names[i]);
        CHECK_INT(lines_missing(o.l, NULL), 0);
        closed(&o);
    }
}

TEST(lines_name_the_split_file_that_is_missing)
{
    struct opened o = opened("split-gcc5");
    struct lines_frame frame[DEEPEST];
    const char *path = NULL;
    CHECK_INT(lines_missing(o.l, &path), 0);
    CHECK(!path);
    CHECK_INT(lines_at(o.l, 0x10000, frame, DEEPEST), 1);
    CHECK(!frame[0].function && frame[0].line && frame[0].file);
    CHECK_INT(lines_missing(o.l, &path), 1);
    CHECK(path && strstr(path, "split-gcc5-"));
    closed(&o);
}

TEST(lines_of_files_that_share_a_dwz_file)
{
    const char *names[] = {"dwz-one", "dwz-two"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct opened o = opened(names[i]);
        struct lines_link link;
        CHECK(lines_supplement(o.l, &link));
        CHECK_STR(link.path, "dwz-shared");
        CHECK_INT(link.build_id_len, 20);
        o.other[0] = mapped("dwz-shared");
        o.others = 1;
        CHECK_INT(lines_set_supplement(o.l, o.other[0].data, o.other[0].len, NULL), 0);
        check_answers(&o, names[i]);
        closed(&o);
    }
    check_file("dwz-self");
}

/* --- the rest of the contract --- */

static void check_refused(const char *name)
{
    struct image image = mapped(name);
    struct lines *l = NULL;
    struct fail f = {0};
    CHECK_INT(lines_open(image.data, image.len, NULL, &l, &f), -ENODATA);
    CHECK_STR(f.what, "no debug information");
    CHECK(f.hint[0]);
    CHECK(!l);
    file_unmap(&image);
}

TEST(lines_need_debug_information)
{
    struct lines *l = NULL;
    check_refused("stripped");
    check_refused("stripped-symtab");
    CHECK_INT(lines_open((const uint8_t *)"text", 4, NULL, &l, NULL), -ENOEXEC);
    lines_close(NULL);
}

/* The outermost frame at the end of each function is the symbol table's. */
static void check_functions(const char *name)
{
    struct opened o = opened(name);
    const struct symtab *t = elf_symbols(o.m);
    lines_set_split(o.l, read_split, &o);
    for (size_t i = 0; i < symtab_count(t); i++) {
        const struct symbol *s = symtab_at(t, i);
        struct lines_frame frame[8];
        size_t frames = lines_at(o.l, s->end - 1, frame, 8);
        CHECK(frames && !frame[frames - 1].inlined);
        const char *outermost = frames ? frame[frames - 1].function : NULL;
        CHECK(outermost && strncmp(outermost, s->name, strlen(outermost)) == 0);
    }
    CHECK_INT(lines_at(o.l, 0x5000, &(struct lines_frame){0}, 1), 0);
    closed(&o);
}

TEST(lines_know_the_functions)
{
    const char *names[] = {"gcc-O0", "clang-O2", "armhf-thumb", "arm64-be", "split-gcc4"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        check_functions(names[i]);
}

TEST(lines_outside_are_none)
{
    struct opened o = opened("gcc-O2");
    struct lines_frame frame[2];
    CHECK_INT(lines_at(o.l, 0, frame, 2), 0);
    CHECK_INT(lines_at(o.l, UINT64_MAX, frame, 2), 0);
    CHECK_INT(lines_at(o.l, 0x10000, frame, 0), 0);
    CHECK_INT(lines_at(o.l, 0x10000, frame, 1), 1);
    closed(&o);
}

/* Bytes that the answers take of a budget, under a limit of units that are kept. */
static size_t taken_by_answers(size_t limit)
{
    struct budget b;
    struct opened o = {.image = mapped("gcc-O2")};
    budget_init(&b, SIZE_MAX / 2);
    CHECK_INT(elf_open(o.image.data, o.image.len, &o.m, NULL), 0);
    CHECK_INT(lines_open(o.image.data, o.image.len, &b, &o.l, NULL), 0);
    lines_limit(o.l, limit);
    size_t before = b.left;
    check_answers(&o, "gcc-O2");
    size_t taken = before - b.left;
    closed(&o);
    return taken;
}

TEST(lines_limit_keeps_the_answers)
{
    size_t limited = taken_by_answers(0);
    CHECK(limited > 0);
    CHECK(limited < taken_by_answers(SIZE_MAX));
}

/* Any byte of the sections may be wrong: an answer is then missing or wrong, nothing worse. */
TEST(lines_of_damaged_files)
{
    const char *names[] = {"gcc-O2", "clang-dwarf4", "gcc-zlib", "gcc-zstd"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct image image = mapped(names[i]);
        uint8_t *copy = malloc(image.len);
        for (size_t at = 64; at < image.len; at += 7) {
            struct lines *l;
            struct lines_frame frame[DEEPEST];
            memcpy(copy, image.data, image.len);
            copy[at] ^= (uint8_t)(at | 1);
            if (lines_open(copy, image.len, NULL, &l, NULL) < 0)
                continue;
            for (uint64_t addr = 0x10000; addr < 0x10100; addr += 0x10)
                CHECK(lines_at(l, addr, frame, DEEPEST) <= DEEPEST);
            lines_close(l);
        }
        free(copy);
        file_unmap(&image);
    }
}
