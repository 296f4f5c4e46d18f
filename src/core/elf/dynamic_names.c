#include "core/elf/module.h"

static void find_defined(struct elf_module *m, const struct elf_sections *sections,
                         elf_name_found *found, void *arg)
{
    struct elf_table t;
    GElf_Sym sym;
    bool is_arm = m->head.e_machine == EM_ARM;
    if (!elf_table_of_section(m, sections->dynsym, 0, &t) && !elf_table_of_dynamic(m, &t))
        return;
    for (size_t i = 1; i < t.count && gelf_getsym(t.symbols, (int)i, &sym); i++) {
        const char *name = elf_string(&t.names, sym.st_name);
        uint64_t start = sym.st_value & ~(uint64_t)is_arm; /* the Thumb bit */
        if (name && sym.st_shndx != SHN_UNDEF && GELF_ST_TYPE(sym.st_info) == STT_FUNC)
            found(arg, name, start, start + sym.st_size);
    }
}

static void find_stubs(struct elf_module *m, const struct elf_sections *sections,
                       elf_name_found *found, void *arg)
{
    struct symtab_builder *b = symtab_builder_new();
    if (!b)
        return;
    symtab_builder_budget(b, m->budget);
    elf_add_plt(m, sections, NULL, b);
    struct symtab *t = symtab_build(b);
    symtab_builder_free(b);
    for (size_t i = 0; t && i < symtab_count(t); i++) {
        const struct symbol *s = symtab_at(t, i);
        found(arg, s->name, s->start, s->end);
    }
    symtab_free(t);
}

void elf_dynamic_names(struct elf_module *m, elf_name_found *found, void *arg)
{
    struct elf_sections sections;
    if (!elf_wake(m))
        return;
    elf_find_sections(m, &sections);
    find_defined(m, &sections, found, arg);
    find_stubs(m, &sections, found, arg);
}
