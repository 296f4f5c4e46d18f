/* linesdump FILE [SUPPLEMENT]: reads hexadecimal addresses from standard input, a line each, and
 * prints the functions and lines there as `llvm-symbolizer --no-demangle -e FILE` does. FILE.dwp
 * and .dwo files are found by themselves. */
#include "core/elf.h"
#include "core/lines.h"
#include "plat/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 256 };

static struct image opened(const char *path)
{
    struct image image;
    struct fail f;
    if (file_map(path, SIZE_MAX, &image, &f) == 0)
        return image;
    fprintf(stderr, "linesdump: %s: %s\n", f.what, strerror(f.err));
    exit(1);
}

/* The images of .dwo files stay mapped until the end. */
static bool read_split(void *arg, const char *path, const uint8_t **bytes, size_t *len)
{
    struct image image;
    (void)arg;
    if (file_map(path, SIZE_MAX, &image, NULL) < 0)
        return false;
    *bytes = image.data;
    *len = image.len;
    return true;
}

/* The symbol table knows the names of clones (.isra.0, .cold), which DWARF does not; otherwise
 * DWARF's is the right one of several symbols at one address. */
static void use_symbol(struct elf_module *m, uint64_t vaddr, struct lines_frame *last)
{
    const struct symbol *s = symtab_find(elf_symbols(m), vaddr);
    if (s && !strchr(s->name, '@') && (!last->function || strchr(s->name, '.')))
        last->function = s->name;
}

/* printf would be a quarter of all. */
static void put_number(char before, uint32_t n)
{
    char text[12], *at = text + sizeof text - 1;
    *at = '\0';
    do
        *--at = (char)('0' + n % 10);
    while (n /= 10);
    *--at = before;
    fputs_unlocked(at, stdout);
}

static void answer(struct lines *l, struct elf_module *m, uint64_t vaddr)
{
    struct lines_frame frame[DEEPEST];
    frame[0] = (struct lines_frame){0};
    size_t count = lines_at(l, vaddr, frame, DEEPEST);
    count = count ? count : 1;
    use_symbol(m, vaddr, &frame[count - 1]);
    for (size_t i = 0; i < count; i++) {
        const struct lines_frame *f = &frame[i];
        fputs_unlocked(f->function ? f->function : "??", stdout);
        putchar_unlocked('\n');
        fputs_unlocked(f->file ? f->file : "??", stdout);
        put_number(':', f->line);
        put_number(':', f->column);
        putchar_unlocked('\n');
    }
    putchar_unlocked('\n');
}

static void give_package(struct lines *l, const char *path)
{
    char name[4096];
    struct image image;
    snprintf(name, sizeof name, "%s.dwp", path);
    if (file_map(name, SIZE_MAX, &image, NULL) == 0)
        lines_set_package(l, image.data, image.len, NULL);
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 3)
        return 2;
    struct image image = opened(argv[1]);
    struct elf_module *m;
    struct lines *l;
    struct fail f;
    if (elf_open(image.data, image.len, &m, &f) < 0 ||
        lines_open(image.data, image.len, &l, &f) < 0) {
        fprintf(stderr, "linesdump: %s: %s\n", argv[1], f.what);
        return 1;
    }
    lines_set_split(l, read_split, NULL);
    give_package(l, argv[1]);
    if (argc > 2) {
        struct image alt = opened(argv[2]);
        lines_set_supplement(l, alt.data, alt.len, NULL);
    }
    char line[64];
    while (fgets(line, sizeof line, stdin))
        answer(l, m, strtoull(line, NULL, 16));
    const char *missing;
    if (lines_missing(l, &missing))
        fprintf(stderr, "linesdump: %s: missing\n", missing);
    fprintf(stderr, "%zu KiB, %zu broken\n", lines_bytes(l) / 1024, lines_broken(l));
    lines_close(l);
    elf_close(m);
    return 0;
}
