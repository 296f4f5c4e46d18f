/* elfdump FILE: the functions of an ELF file as psuite sees them, `start end name` a line. */
#include "core/elf/elf.h"
#include "plat/file.h"

#include <inttypes.h>
#include <stdio.h>

static void dump(const struct symtab *t)
{
    for (size_t i = 0; i < symtab_count(t); i++) {
        const struct symbol *s = symtab_at(t, i);
        printf("%" PRIx64 " %" PRIx64 " %s\n", s->start, s->end, s->name);
    }
}

int main(int argc, char **argv)
{
    struct image image;
    struct elf_module *m;
    struct fail f;
    if (argc != 2)
        return 2;
    if (file_map(argv[1], SIZE_MAX, &image, &f) < 0 ||
        elf_open(image.data, image.len, &m, &f) < 0) {
        fprintf(stderr, "elfdump: %s: %s\n", argv[1], f.what);
        return 1;
    }
    dump(elf_symbols(m));
    elf_close(m);
    file_unmap(&image);
    return 0;
}
