#include "core/symbol/llvm_symbols.h"
#include "core/base/search.h"
#include "core/base/sort.h"

#include "core/base/grow.h"
#include "core/elf/module.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    struct llvm_symbol symbol;
    size_t order; /* in the file */
};

struct llvm_symbols {
    struct entry *entry; /* by start, each start once */
    size_t count, cap;
};

struct walk {
    struct elf_module *m;
    struct elf_table table;
    struct llvm_symbols *out;
    const char *file; /* of the last STT_FILE */
    bool tagged;      /* addresses keep their tags */
};

/* A section's index; 0 when it is in none (absolute, common, undefined). */
static size_t section_of(const GElf_Sym *sym, Elf32_Word extended)
{
    if (sym->st_shndx == SHN_XINDEX)
        return extended;
    return sym->st_shndx < SHN_LORESERVE ? sym->st_shndx : 0;
}

/* Where the instruction set or data begins: no function's name. */
static bool is_marker(unsigned machine, const char *name)
{
    if (machine == EM_ARM)
        return !*name || (name[0] == '$' && name[1] && strchr("adt", name[1]));
    return machine == EM_AARCH64 && name[0] == '$' && name[1] && strchr("dx", name[1]);
}

static bool is_wanted(const struct walk *w, const GElf_Sym *sym, const char *name, size_t section)
{
    GElf_Shdr s;
    unsigned type = GELF_ST_TYPE(sym->st_info);
    bool typed =
        type == STT_NOTYPE || type == STT_FUNC || type == STT_OBJECT || type == STT_GNU_IFUNC;
    return typed && !is_marker(w->m->head.e_machine, name) && elf_section(w->m, section, &s);
}

/* Without the tag that bits 56 to 63 may hold; they are as bit 55, which a kernel's have set. */
static uint64_t without_tag(uint64_t address)
{
    uint64_t tag = (uint64_t)0xff << 56;
    return address >> 55 & 1 ? address | tag : address & ~tag;
}

static bool add_entry(struct walk *w, const GElf_Sym *sym, const char *name)
{
    struct llvm_symbols *t = w->out;
    bool local = GELF_ST_BIND(sym->st_info) == STB_LOCAL;
    uint64_t start = w->tagged ? sym->st_value : without_tag(sym->st_value);
    if (w->m->head.e_machine == EM_ARM && GELF_ST_TYPE(sym->st_info) == STT_FUNC)
        start &= ~(uint64_t)1; /* the Thumb bit */
    if (!grow(&t->entry, &t->cap, t->count, sizeof *t->entry))
        return false;
    struct llvm_symbol symbol = {start, sym->st_size, name, local ? w->file : NULL};
    t->entry[t->count] = (struct entry){symbol, t->count};
    t->count++;
    return true;
}

static bool add_if_wanted(struct walk *w, const GElf_Sym *sym, Elf32_Word extended)
{
    const char *name = elf_string(&w->table.names, sym->st_name);
    size_t section = section_of(sym, extended);
    if (!name)
        return true;
    if (!section && GELF_ST_TYPE(sym->st_info) == STT_FILE)
        w->file = *name ? name : NULL;
    return !section || !is_wanted(w, sym, name, section) || add_entry(w, sym, name);
}

static bool walk_table(struct walk *w)
{
    for (size_t i = 1; i < w->table.count; i++) {
        GElf_Sym sym;
        Elf32_Word extended = 0;
        if (!gelf_getsymshndx(w->table.symbols, w->table.extended, (int)i, &sym, &extended))
            break;
        if (!add_if_wanted(w, &sym, extended))
            return false;
    }
    return true;
}

/* --- one a start: the largest, of these the last --- */

static int compare_entries(const void *pa, const void *pb)
{
    const struct entry *a = pa, *b = pb;
    return ORDER(a->symbol.start, b->symbol.start) ?:
           ORDER(a->symbol.size, b->symbol.size) ?:
           ORDER(a->order, b->order);
}

static void drop_duplicates(struct llvm_symbols *t)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->count; i++)
        if (i + 1 == t->count || t->entry[i].symbol.start != t->entry[i + 1].symbol.start)
            t->entry[kept++] = t->entry[i];
    t->count = kept;
}

/* --- the table --- */

static bool read_symbols(struct llvm_symbols *t, struct elf_module *m, bool tagged)
{
    struct elf_sections places;
    struct walk w = {.m = m, .out = t, .tagged = tagged};
    elf_find_sections(m, &places);
    size_t table = places.symtab ? places.symtab : places.dynsym;
    size_t extended = places.symtab ? places.extended : 0;
    if (!elf_table_of_section(m, table, extended, &w.table))
        return true;
    if (!walk_table(&w))
        return false;
    sort_array(t->entry, t->count, sizeof *t->entry, compare_entries);
    drop_duplicates(t);
    return true;
}

struct llvm_symbols *llvm_symbols_new(const uint8_t *image, size_t len, bool tagged)
{
    struct elf_module *m;
    struct llvm_symbols *t = calloc(1, sizeof *t);
    if (!t || elf_open(image, len, &m, NULL) < 0) {
        free(t);
        return NULL;
    }
    bool ok = read_symbols(t, m, tagged);
    elf_close(m);
    if (ok)
        return t;
    llvm_symbols_free(t);
    return NULL;
}

void llvm_symbols_free(struct llvm_symbols *t)
{
    if (t)
        free(t->entry);
    free(t);
}

const struct llvm_symbol *llvm_symbols_find(const struct llvm_symbols *t, uint64_t vaddr)
{
    size_t above = FIRST_ABOVE(t->entry, t->count, symbol.start, vaddr);
    const struct llvm_symbol *s = above ? &t->entry[above - 1].symbol : NULL;
    return s && (!s->size || vaddr - s->start < s->size) ? s : NULL;
}
