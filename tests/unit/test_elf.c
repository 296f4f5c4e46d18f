#include "unit.h"

#include "core/base/buf.h"
#include "core/base/bytes.h"
#include "core/elf/elf.h"
#include "plat/file.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/auxv.h>

#define FOLDER "data/elf/"

static struct elf_module *opened(const void *image, size_t len)
{
    struct elf_module *m = NULL;
    struct fail f = {0};
    if (elf_open(image, len, &m, &f) < 0)
        printf("    %s\n", f.what);
    return m;
}

static void show(struct elf_module *m, struct buf *out)
{
    const struct symtab *t = elf_symbols(m);
    for (size_t i = 0; i < symtab_count(t); i++) {
        const struct symbol *s = symtab_at(t, i);
        buf_printf(out, "%" PRIx64 " %" PRIx64 " %s\n", s->start, s->end, s->name);
    }
}

/* The symbols of an image, which the caller frees; "(refused)" when it is none. */
static char *symbols_of(const void *image, size_t len)
{
    struct buf out = BUF_INIT;
    struct elf_module *m = NULL;
    if (elf_open(image, len, &m, NULL) < 0)
        return strdup("(refused)");
    show(m, &out);
    elf_close(m);
    return out.data ? out.data : strdup("");
}

/* A file's symbols are those of the NAME.sym beside it. The map is read-only: libelf must not write
 * there. */
static void check_symbols(const char *name, enum elf_symbol_source source)
{
    char path[512];
    struct image image;
    struct buf got = BUF_INIT;
    snprintf(path, sizeof path, "%s/" FOLDER "%s", unit_folder(), name);
    CHECK_INT(file_map(path, SIZE_MAX, &image, NULL), 0);
    CHECK(image.mapped);
    struct elf_module *m = opened(image.data, image.len);
    if (!m) {
        CHECK(m);
        return;
    }
    show(m, &got);
    CHECK_INT(elf_symbol_source(m), source);
    snprintf(path, sizeof path, "%s/" FOLDER "%s.sym", unit_folder(), name);
    if (getenv("UPDATE"))
        file_write(path, got.data, got.len, true, NULL);
    char *want = unit_file(path + strlen(unit_folder()) + 1, NULL);
    printf("    %s\n", name);
    CHECK_STR(buf_str(&got), want);
    free(want);
    elf_close(m);
    file_unmap(&image);
    buf_release(&got);
}

TEST(elf_symbols_of_every_machine)
{
    const char *names[] = {
        "x86_64.exe",     "x86_64.pie",        "x86_64-ibt.pie", "x86_64.so",
        "x86_64-sysv.so", "x86_64-static.exe", "i386.so",        "arm-thumb.so",
        "arm-a32.exe",    "arm-mixed.exe",     "armeb-be8.so",   "armeb-be32.so",
        "aarch64.so",     "aarch64-bti.pie",   "aarch64-pac.so", "aarch64_be.so",
        "x86_64.o",       "odd.exe",           "x86_64-lld.pie", "aarch64-bti.exe",
        "arm-lld.so",     "aarch64-lld.so"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        check_symbols(names[i], ELF_SYMBOLS_SYMTAB);
}

TEST(elf_symbols_of_stripped_files)
{
    check_symbols("x86_64-stripped.so", ELF_SYMBOLS_DYNSYM);
    check_symbols("x86_64-headless.so", ELF_SYMBOLS_DYNSYM);
    check_symbols("x86_64-sysv-headless.so", ELF_SYMBOLS_DYNSYM);
}

TEST(elf_symbols_of_the_goldens)
{
    for (int bits = 32; bits <= 64; bits += 32) {
        char path[64];
        size_t len;
        snprintf(path, sizeof path, "golden/tprof/prog.elf%d", bits);
        char *image = unit_file(path, &len), *got = symbols_of(image, len);
        CHECK_STR(got, "1000 1040 main\n1040 1080 foo\n1080 10c0 bar\n");
        struct elf_module *m = opened(image, len);
        uint64_t start, end, vaddr;
        CHECK(elf_text(m, &start, &end));
        CHECK_INT(start, 0x1000);
        CHECK_INT(end, 0x10c0);
        CHECK(elf_vaddr(m, 0x1044, &vaddr));
        CHECK_INT(vaddr, 0x1044);
        CHECK(!elf_vaddr(m, 0x10c0, &vaddr));
        CHECK_INT(elf_bits(m), bits);
        elf_close(m);
        free(got);
        free(image);
    }
}

TEST(elf_tells_what_it_is)
{
    size_t len;
    char *image = unit_file(FOLDER "aarch64_be.so", &len);
    struct elf_module *m = opened(image, len);
    const uint8_t *id;
    CHECK_INT(elf_bits(m), 64);
    CHECK_INT(elf_machine(m), EM_AARCH64);
    CHECK(elf_big_endian(m));
    CHECK_INT(elf_build_id(m, &id), 8);
    CHECK(!memcmp(id, "\x01\x23\x45\x67\x89\xab\xcd\xef", 8));
    CHECK((const char *)id > image && (const char *)id < image + len);
    elf_close(m);
    image[0] = 'x';
    struct fail f;
    CHECK_INT(elf_open((uint8_t *)image, len, &m, &f), -ENOEXEC);
    CHECK_STR(f.what, "not an ELF file");
    free(image);
}

TEST(elf_refuses_what_is_none)
{
    size_t len;
    struct elf_module *m = NULL;
    char *image = unit_file(FOLDER "x86_64.exe", &len);
    for (size_t cut = 0; cut < sizeof(Elf64_Ehdr); cut++)
        CHECK_INT(elf_open((uint8_t *)image, cut, &m, NULL), -ENOEXEC);
    CHECK_INT(elf_open(NULL, 0, &m, NULL), -ENOEXEC);
    CHECK_INT(elf_open((const uint8_t *)"!<arch>\nfoo.o/          0           0", 34, &m, NULL),
              -ENOEXEC);
    CHECK(!m);
    elf_close(NULL);
    free(image);
}

TEST(elf_reads_what_is_left_of_a_cut_file)
{
    size_t len;
    char *image = unit_file(FOLDER "x86_64-stripped.so", &len);
    Elf64_Ehdr *h = (Elf64_Ehdr *)image;
    char *got = symbols_of(
        image, h->e_shoff + 100); /* an image out of memory has no section headers either */
    CHECK(strstr(got, "global_function"));
    free(got);
    for (size_t cut = len; cut > 0; cut -= cut > 7 ? 7 : cut) {
        char *exact = malloc(cut);
        memcpy(exact, image, cut);
        free(symbols_of(exact, cut));
        free(exact);
    }
    free(image);
}

/* --- hostile files: one header field of a good one is changed --- */

static Elf64_Shdr *section_of_type(char *image, uint32_t type)
{
    Elf64_Ehdr *h = (Elf64_Ehdr *)image;
    Elf64_Shdr *s = (Elf64_Shdr *)(image + h->e_shoff);
    for (int i = 0; i < h->e_shnum; i++)
        if (s[i].sh_type == type)
            return &s[i];
    return NULL;
}

static char *good(size_t *len, Elf64_Shdr **symtab)
{
    char *image = unit_file(FOLDER "x86_64.so", len);
    *symtab = section_of_type(image, SHT_SYMTAB);
    return image;
}

/* Frees both. */
static void check_has(char *image, size_t len, const char *name, bool wanted)
{
    char *got = symbols_of(image, len);
    bool has = strstr(got, name);
    if (has != wanted)
        printf("    %s: %s\n%s", name, wanted ? "missing" : "should not be there", got);
    CHECK(has == wanted);
    free(got);
    free(image);
}

TEST(elf_bad_symtab_falls_back_to_dynsym)
{
    size_t len;
    Elf64_Shdr *s;
    char *image = good(&len, &s);
    s->sh_flags |= SHF_COMPRESSED;
    check_has(image, len, "local_function", false);
    image = good(&len, &s);
    s->sh_flags |= SHF_COMPRESSED;
    check_has(image, len, "global_function", true);
    image = good(&len, &s);
    s->sh_offset = len - 8;
    check_has(image, len, "global_function", true);
    image = good(&len, &s);
    s->sh_size = UINT64_MAX;
    check_has(image, len, "global_function", true);
    image = good(&len, &s);
    s->sh_entsize = 5;
    check_has(image, len, "global_function", true);
    image = good(&len, &s);
    s->sh_link = 0xffff;
    check_has(image, len, "global_function", true);
}

TEST(elf_symtab_without_a_function_falls_back_to_dynsym)
{
    size_t len;
    Elf64_Shdr *s;
    char *image = good(&len, &s);
    Elf64_Sym *sym = (Elf64_Sym *)(image + s->sh_offset);
    for (size_t i = 0; i < s->sh_size / sizeof *sym; i++)
        sym[i].st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
    struct elf_module *m = opened(image, len);
    CHECK_INT(elf_symbol_source(m), ELF_SYMBOLS_DYNSYM);
    elf_close(m);
    free(image);
}

TEST(elf_entry_size_may_be_missing)
{
    size_t len;
    Elf64_Shdr *s;
    char *image = good(&len, &s);
    s->sh_entsize = 0;
    check_has(image, len, "local_function", true);
}

TEST(elf_names_stay_in_their_table)
{
    size_t len;
    Elf64_Shdr *s;
    char *image = good(&len, &s);
    Elf64_Shdr *strings = (Elf64_Shdr *)(image + ((Elf64_Ehdr *)image)->e_shoff) + s->sh_link;
    Elf64_Sym *sym = (Elf64_Sym *)(image + s->sh_offset);
    for (size_t i = 0; i < s->sh_size / sizeof *sym; i++)
        sym[i].st_name = (uint32_t)strings->sh_size + (uint32_t)i;
    check_has(image, len, "local_function", false);
    image = good(&len, &s);
    strings = (Elf64_Shdr *)(image + ((Elf64_Ehdr *)image)->e_shoff) + s->sh_link;
    memset(image + strings->sh_offset, 'a', strings->sh_size);
    check_has(image, len, "aaa", false);
}

TEST(elf_section_counts_beyond_the_file)
{
    size_t len;
    Elf64_Shdr *s;
    char *image = good(&len, &s);
    ((Elf64_Ehdr *)image)->e_shnum = 0xfeff;
    check_has(image, len, "global_function", true);
    image = good(&len, &s);
    Elf64_Ehdr *h = (Elf64_Ehdr *)image;
    h->e_shnum = 0;
    ((Elf64_Shdr *)(image + h->e_shoff))->sh_size = 1ULL << 30;
    /* More than a 32-bit libelf could ever hold: it refuses such a file as a whole. */
    check_has(image, len, sizeof(size_t) == 8 ? "global_function" : "(refused)", true);
    image = good(&len, &s);
    ((Elf64_Ehdr *)image)->e_phnum = PN_XNUM;
    check_has(image, len, "local_function", true);
    image = good(&len, &s);
    ((Elf64_Ehdr *)image)->e_shoff = UINT64_MAX - 7;
    check_has(image, len, "global_function", true);
}

TEST(elf_sizes_that_overflow)
{
    size_t len;
    Elf64_Shdr *s;
    char *image = good(&len, &s);
    Elf64_Sym *sym = (Elf64_Sym *)(image + s->sh_offset);
    for (size_t i = 0; i < s->sh_size / sizeof *sym; i++)
        sym[i].st_size = UINT64_MAX - i;
    check_has(image, len, "local_function", true);
    image = good(&len, &s);
    sym = (Elf64_Sym *)(image + s->sh_offset);
    for (size_t i = 0; i < s->sh_size / sizeof *sym; i++)
        sym[i].st_value = UINT64_MAX - i;
    check_has(image, len, "ffffffffffffffff", true);
}

TEST(elf_section_indices_of_their_own_table)
{
    size_t len;
    Elf64_Shdr *s;
    char *image = good(&len, &s);
    Elf64_Ehdr *h = (Elf64_Ehdr *)image;
    Elf64_Shdr *all = (Elf64_Shdr *)(image + h->e_shoff), *extended = &all[h->e_shnum - 1];
    Elf64_Sym *sym = (Elf64_Sym *)(image + s->sh_offset);
    uint32_t *index = (uint32_t *)(image + all[1].sh_offset); /* over what is not needed for this */
    size_t count = s->sh_size / sizeof *sym;
    extended->sh_type = SHT_SYMTAB_SHNDX;
    extended->sh_link = (uint32_t)(s - all);
    extended->sh_offset = all[1].sh_offset;
    extended->sh_size = count * sizeof *index;
    for (size_t i = 0; i < count; i++) {
        index[i] = sym[i].st_shndx < SHN_LORESERVE ? sym[i].st_shndx : 0;
        sym[i].st_shndx = SHN_XINDEX;
    }
    check_has(image, len, "local_function", true);
}

TEST(elf_hash_chain_off_the_end)
{
    size_t len;
    char *image = unit_file(FOLDER "x86_64-stripped.so", &len);
    Elf64_Shdr *hash = section_of_type(image, SHT_GNU_HASH);
    uint32_t buckets = get_le32(image + hash->sh_offset);
    uint64_t chains =
        hash->sh_offset + 16 + 8 * get_le32(image + hash->sh_offset + 8) + 4 * buckets;
    for (uint64_t at = chains; at + 4 <= hash->sh_offset + hash->sh_size; at += 4)
        image[at] &= (char)0xfe;
    ((Elf64_Ehdr *)image)->e_shoff = len; /* so that the hash table is asked */
    free(symbols_of(image, len));
    put_le32(image + hash->sh_offset, UINT32_MAX);
    check_has(image, len, "function", false);
}

/* --- real files --- */

static void check_lookups(const struct symtab *t)
{
    uint64_t before = 0;
    for (size_t i = 0; i < symtab_count(t); i++) {
        const struct symbol *s = symtab_at(t, i);
        bool right = s->start >= before && s->end > s->start && symtab_find(t, s->start) == s &&
                     symtab_find(t, s->end - 1) == s && symtab_find(t, s->end) != s && s->name[0];
        if (!right) {
            CHECK(right);
            return;
        }
        before = s->end;
    }
}

TEST(elf_big_files_answer_for_every_symbol)
{
    const char *paths[] = {"/usr/bin/python3.11", "/lib/x86_64-linux-gnu/libc.so.6",
                           "/lib/aarch64-linux-gnu/libc.so.6",
                           "/usr/arm-linux-gnueabihf/lib/libc.so.6",
                           "/usr/aarch64-linux-gnu/lib/libc.so.6"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct image image;
        if (file_map(paths[i], SIZE_MAX, &image, NULL) < 0)
            continue;
        struct elf_module *m = opened(image.data, image.len);
        check_lookups(elf_symbols(m));
        printf("    %s: %zu symbols\n", paths[i], symtab_count(elf_symbols(m)));
        CHECK(symtab_count(elf_symbols(m)) > 1000);
        elf_close(m);
        file_unmap(&image);
    }
}

TEST(elf_vdso_out_of_our_own_memory)
{
    const uint8_t *vdso = (const uint8_t *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
    if (!vdso)
        return;
    struct elf_module *m =
        opened(vdso, 4096); /* its section headers are further on, or not mapped at all */
    CHECK_INT(elf_symbol_source(m), ELF_SYMBOLS_DYNSYM);
    char *got = symbols_of(vdso, 4096);
    CHECK(strstr(got, "clock_gettime"));
    free(got);
    elf_close(m);
}

/* The index of the unwinding information has each function's start, by whatever address in it. */
static void check_starts(const char *name)
{
    size_t len;
    char path[128];
    snprintf(path, sizeof path, FOLDER "%s", name);
    char *image = unit_file(path, &len);
    struct elf_module *m = opened(image, len);
    const struct symtab *t = elf_symbols(m);
    size_t checked = 0;
    for (size_t i = 0; i < symtab_count(t); i++) {
        const struct symbol *s = symtab_at(t, i);
        uint64_t start = 0, end = 0;
        if (strchr(s->name, '@'))
            continue;
        CHECK(elf_function_extent(m, s->end - 1, &start, &end));
        CHECK_INT(start, s->start);
        CHECK(end >= s->end && !(elf_function_start(m, end - 1, &start) && start != s->start));
        checked++;
    }
    CHECK(checked >= 3);
    elf_close(m);
    free(image);
}

TEST(elf_function_starts_without_symbols)
{
    check_starts("x86_64-unwind.so");
    check_starts("arm-unwind.so");
    check_starts("aarch64.so");
    check_starts("aarch64_be.so");
}

TEST(elf_function_starts_are_not_invented)
{
    size_t len;
    uint64_t start;
    char *image = unit_file(FOLDER "x86_64.so", &len);
    struct elf_module *m = opened(image, len);
    CHECK(!elf_function_start(m, 0x418, &start));
    elf_close(m);
    free(image);
}
