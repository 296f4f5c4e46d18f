#include "core/elf/module.h"

static void offer_all(const struct elf_table *t, elf_pointer_found *found, void *arg)
{
    GElf_Sym sym;
    for (size_t i = 1; i < t->count && gelf_getsym(t->symbols, (int)i, &sym); i++) {
        unsigned type = GELF_ST_TYPE(sym.st_info);
        bool is_function = type == STT_FUNC || type == STT_GNU_IFUNC;
        if (is_function && sym.st_shndx != SHN_UNDEF && sym.st_shndx < SHN_LORESERVE)
            found(arg, 0, sym.st_value);
    }
}

static void offer_mapping(const struct elf_table *t, elf_pointer_found *found, void *arg)
{
    GElf_Sym sym;
    for (size_t i = 1; i < t->count && gelf_getsym(t->symbols, (int)i, &sym); i++) {
        const char *name = elf_string(&t->names, sym.st_name);
        bool is_mark = name && name[0] == '$' && name[1] && (!name[2] || name[2] == '.');
        if (is_mark && sym.st_shndx != SHN_UNDEF && sym.st_shndx < SHN_LORESERVE)
            found(arg, (unsigned char)name[1], sym.st_value);
    }
}

static bool symtab_of(struct elf_module *m, const struct elf_sections *p, struct elf_table *out)
{
    return elf_table_of_section(m, p->symtab, p->extended, out);
}

void elf_mapping_symbols(struct elf_module *m, elf_pointer_found *found, void *arg)
{
    struct elf_sections p;
    struct elf_table t;
    bool awake = elf_wake(m);
    if (awake)
        elf_find_sections(m, &p);
    if (awake && symtab_of(m, &p, &t))
        offer_mapping(&t, found, arg);
}

void elf_function_symbols(struct elf_module *m, elf_pointer_found *found, void *arg)
{
    struct elf_sections p;
    struct elf_table t;
    if (!elf_wake(m))
        return;
    elf_find_sections(m, &p);
    if (symtab_of(m, &p, &t))
        offer_all(&t, found, arg);
    if (elf_table_of_section(m, p.dynsym, 0, &t) || elf_table_of_dynamic(m, &t))
        offer_all(&t, found, arg);
}
