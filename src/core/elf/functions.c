/* Functions by the tables of symbols, each alias too. */
#include "core/elf/module.h"
#include "core/elf/named.h"

#include <string.h>

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

static bool dynamic_table(struct elf_module *m, const struct elf_sections *p, struct elf_table *out)
{
    return elf_table_of_section(m, p->dynsym, 0, out) || elf_table_of_dynamic(m, out);
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
    if (dynamic_table(m, &p, &t))
        offer_all(&t, found, arg);
}

/* --- by their names --- */

static void find_defined(struct elf_module *m, const struct elf_sections *sections,
                         elf_name_found *found, void *arg)
{
    struct elf_table t;
    GElf_Sym sym;
    bool is_arm = m->head.e_machine == EM_ARM;
    if (!dynamic_table(m, sections, &t))
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
    struct symtab_builder *b = symtab_builder_new(m->budget);
    if (!b)
        return;
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

/* --- those that are wanted --- */

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
    if (symtab_of(m, &places, &table))
        walk_table(m, &table, &n);
    if (dynamic_table(m, &places, &table))
        walk_table(m, &table, &n);
    elf_close(m);
}
