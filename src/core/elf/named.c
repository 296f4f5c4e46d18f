#include "core/elf/named.h"

#include "core/elf/module.h"

#include <string.h>

enum { MAX_NAME = 1 << 12 };

struct naming {
    const struct elf_wanted *wanted;
    size_t count;
    void (*found)(void *arg, uint64_t address);
};

static void compare(const struct naming *n, const char *name, uint64_t address)
{
    for (size_t i = 0; i < n->count; i++)
        if (n->wanted[i].name[0] == name[0] && strncmp(n->wanted[i].name, name, MAX_NAME) == 0)
            n->found(n->wanted[i].arg, address);
}

static void walk_table(const struct elf_module *m, const struct elf_table *t,
                       const struct naming *n)
{
    GElf_Sym sym;
    uint64_t mask = m->head.e_machine == EM_ARM ? ~UINT64_C(1) : ~UINT64_C(0);
    for (size_t i = 1; i < t->count && gelf_getsym(t->symbols, (int)i, &sym); i++) {
        const char *name = elf_string(&t->names, sym.st_name);
        if (name && name[0] && sym.st_shndx != SHN_UNDEF && sym.st_value &&
            GELF_ST_TYPE(sym.st_info) == STT_FUNC)
            compare(n, name, sym.st_value & mask);
    }
}

void elf_named(const uint8_t *image, size_t len, const struct elf_wanted *wanted, size_t count,
               void (*found)(void *arg, uint64_t address))
{
    struct naming n = {wanted, count, found};
    struct elf_sections places;
    struct elf_table table;
    struct elf_module *m;
    if (!count || elf_open(image, len, &m, NULL) < 0)
        return;
    elf_find_sections(m, &places);
    if (elf_table_of_section(m, places.symtab, places.extended, &table))
        walk_table(m, &table, &n);
    if (elf_table_of_section(m, places.dynsym, 0, &table))
        walk_table(m, &table, &n);
    else if (elf_table_of_dynamic(m, &table))
        walk_table(m, &table, &n);
    elf_close(m);
}
