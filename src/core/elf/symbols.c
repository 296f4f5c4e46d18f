#include "core/base/scope.h"
#include "core/elf/module.h"

#include <stdlib.h>
#include <string.h>

/* Where a symbol lies: the range of its section, or of its segment in a file without sections. */
struct range {
    uint64_t start, end; /* end 0 = not known */
    bool exec;
};

/* A name that is longer, or beyond so many bytes of them all, is left out with its symbol: names of
 * a hostile file may overlap, and each be as long as the file. */
enum { NAME_MOST = 1 << 16 };
static const uint64_t NAMES_MOST = UINT64_C(1) << 32;

struct walk {
    struct elf_module *m;
    struct elf_table table;
    struct symtab_builder *builder, *ifuncs;
    size_t added, last_index;
    uint64_t names; /* bytes of those so far */
    GElf_Shdr last; /* the section of last_index: neighbours in the table mostly share theirs */
};

static bool section_of(struct walk *w, size_t index, GElf_Shdr *out)
{
    if (index != w->last_index) {
        if (!elf_section(w->m, index, &w->last)) {
            w->last_index = 0;
            return false;
        }
        w->last_index = index;
    }
    *out = w->last;
    return index != 0;
}

static struct range segment_range(const struct elf_module *m, uint64_t addr)
{
    for (size_t i = 0; i < m->segments; i++) {
        const struct elf_segment *s = &m->segment[i];
        if (addr >= s->vaddr && addr - s->vaddr < s->memsz)
            return (struct range){s->vaddr, s->vaddr + s->memsz, s->exec};
    }
    return (struct range){0, 0, false};
}

/* The symbol's address becomes absolute. False when it has no place in the module. */
static bool locate_symbol(struct walk *w, GElf_Sym *sym, size_t section, struct range *out)
{
    GElf_Shdr s;
    if (!section_of(w, section, &s)) {
        *out = segment_range(w->m, sym->st_value);
        return w->m->head.e_type != ET_REL;
    }
    if (w->m->head.e_type == ET_REL)
        sym->st_value += s.sh_addr;
    *out = (struct range){s.sh_addr, s.sh_addr + s.sh_size, s.sh_flags & SHF_EXECINSTR};
    if (out->end < out->start || sym->st_value < out->start || sym->st_value >= out->end)
        *out = (struct range){0, 0, false};
    return true;
}

static bool is_mapping_symbol(unsigned machine, const char *name)
{
    if ((machine != EM_ARM && machine != EM_AARCH64) || name[0] != '$')
        return false;
    return name[1] && strchr("atdx", name[1]) && (!name[2] || name[2] == '.');
}

static bool is_typed(const GElf_Sym *sym)
{
    unsigned type = GELF_ST_TYPE(sym->st_info);
    return type == STT_FUNC || type == STT_GNU_IFUNC;
}

/* Assembly written by hand often has no types. Its local labels are no functions. */
static bool is_untyped_code(const struct walk *w, const GElf_Sym *sym, const struct range *r,
                            const char *name)
{
    return GELF_ST_TYPE(sym->st_info) == STT_NOTYPE && r->exec && strncmp(name, ".L", 2) != 0 &&
           !is_mapping_symbol(w->m->head.e_machine, name);
}

static uint8_t binding_of(const GElf_Sym *sym)
{
    unsigned bind = GELF_ST_BIND(sym->st_info);
    return bind == STB_LOCAL ? 0 : bind == STB_WEAK ? 1 : 2;
}

static void add_symbol(struct walk *w, const GElf_Sym *sym, const struct range *r, const char *name)
{
    uint64_t avail = r->end ? r->end - sym->st_value : UINT64_MAX;
    struct symbol_found s = {.addr = sym->st_value,
                             .size = sym->st_size,
                             .limit = r->end,
                             .name = name,
                             .function = is_typed(sym),
                             .binding = binding_of(sym)};
    if (s.size > avail)
        s.size = avail;
    if (!s.size && !r->end)
        return; /* it would reach to the end of the address space */
    /* .symtab has the version behind an exported name: NAME@@VERSION */
    const char *version = strchr(name, '@');
    SCOPED_FREE char *plain =
        version && version > name ? strndup(name, (size_t)(version - name)) : NULL;
    if (plain) {
        s.name = plain;
        s.copy_name = true;
    }
    symtab_add(w->builder, &s);
    w->added++;
    if (GELF_ST_TYPE(sym->st_info) == STT_GNU_IFUNC)
        symtab_add(w->ifuncs, &s);
}

/* They may be in no section, and share their address with a function. */
static void note_kernel_text(struct elf_module *m, const GElf_Sym *sym, const char *name)
{
    if (strcmp(name, "_text") == 0)
        m->text = sym->st_value;
    else if (strcmp(name, "_stext") == 0)
        m->stext = sym->st_value;
}

static const char *name_of(struct walk *w, const GElf_Sym *sym)
{
    const char *name = elf_string(&w->table.names, sym->st_name);
    size_t len = name ? strnlen(name, NAME_MOST) : 0;
    if (len == NAME_MOST || len > NAMES_MOST - w->names) {
        symtab_leave_out(w->builder, 1);
        return NULL;
    }
    w->names += len;
    return name;
}

static void handle_symbol(struct walk *w, GElf_Sym *sym, uint32_t extended)
{
    const char *name = name_of(w, sym);
    size_t section = sym->st_shndx;
    struct range r;
    if (name && sym->st_shndx != SHN_UNDEF)
        note_kernel_text(w->m, sym, name);
    if (section == SHN_XINDEX)
        section = extended;
    else if (section >= SHN_LORESERVE)
        return;
    if (section == SHN_UNDEF || !name || !*name)
        return;
    if (w->m->head.e_machine == EM_ARM && is_typed(sym))
        sym->st_value &= ~(uint64_t)1; /* the Thumb bit */
    if (locate_symbol(w, sym, section, &r) && (is_typed(sym) || is_untyped_code(w, sym, &r, name)))
        add_symbol(w, sym, &r, name);
}

static bool walk_table(struct walk *w)
{
    for (size_t i = 1; i < w->table.count; i++) {
        GElf_Sym sym;
        Elf32_Word extended = 0;
        if (!gelf_getsymshndx(w->table.symbols, w->table.extended, (int)i, &sym, &extended))
            break;
        handle_symbol(w, &sym, extended);
    }
    symtab_leave_out(w->builder, w->table.left_out);
    return w->added;
}

static enum elf_symbol_source walk_all(struct walk *w, const struct elf_sections *p)
{
    if (elf_table_of_section(w->m, p->symtab, p->extended, &w->table) && walk_table(w))
        return ELF_SYMBOLS_SYMTAB;
    if (elf_table_of_section(w->m, p->dynsym, 0, &w->table) && walk_table(w))
        return ELF_SYMBOLS_DYNSYM;
    if (elf_table_of_dynamic(w->m, &w->table) && walk_table(w))
        return ELF_SYMBOLS_DYNSYM;
    return ELF_SYMBOLS_NONE;
}

static void build_with(struct elf_module *m, struct walk *w)
{
    struct elf_sections sections;
    elf_find_sections(m, &sections);
    enum elf_symbol_source source = walk_all(w, &sections);
    struct symtab *ifuncs = symtab_build(w->ifuncs);
    elf_add_plt(m, &sections, ifuncs, w->builder);
    symtab_free(ifuncs);
    struct symtab *t = symtab_build(w->builder);
    if (t) {
        symtab_free(m->symbols);
        m->symbols = t;
        m->source = source;
    }
}

static void build_symbols(struct elf_module *m)
{
    struct walk w = {
        .m = m, .builder = symtab_builder_new(m->budget), .ifuncs = symtab_builder_new(m->budget)};
    if (w.builder && w.ifuncs && elf_wake(m))
        build_with(m, &w);
    symtab_builder_free(w.builder);
    symtab_builder_free(w.ifuncs);
}

const struct symtab *elf_symbols(struct elf_module *m)
{
    if (!m->built) {
        build_symbols(m);
        elf_rest(m); /* names are in the image: libelf's copies are needed no more */
        m->built = true;
    }
    return m->symbols;
}

uint64_t elf_kernel_text(struct elf_module *m)
{
    elf_symbols(m);
    return m->text ? m->text : m->stext;
}

enum elf_symbol_source elf_symbol_source(struct elf_module *m)
{
    elf_symbols(m);
    return m->source;
}
