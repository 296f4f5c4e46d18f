#include "core/elf/module.h"

#include "core/base/buf.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct relocation_types {
    unsigned machine;
    uint32_t jump_slot, glob_dat, irelative;
};

static const struct relocation_types types[] = {
    {EM_X86_64, R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT, R_X86_64_IRELATIVE},
    {EM_AARCH64, R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT, R_AARCH64_IRELATIVE},
    {EM_ARM, R_ARM_JUMP_SLOT, R_ARM_GLOB_DAT, R_ARM_IRELATIVE},
};

struct plt {
    struct elf_module *m;
    const struct relocation_types *types;
    const struct symtab *ifuncs, *slots; /* by the address of the slot */
    struct symtab_builder *slots_found, *builder;
    struct buf name;
    size_t budget; /* bytes of names that may still be copied: of hostile files each stub may
                      have the same endless name */
};

static const char *symbol_name(const struct elf_table *t, size_t i)
{
    GElf_Sym sym;
    if (!t->symbols || i >= t->count || !gelf_getsym(t->symbols, (int)i, &sym))
        return NULL;
    const char *name = elf_string(&t->names, sym.st_name);
    return name && *name ? name : NULL;
}

/* An IRELATIVE slot holds its resolver's address when the relocation has no addend. */
static uint64_t resolver_of(const struct plt *p, const GElf_Rela *r, bool addend)
{
    uint64_t off, avail;
    if (addend)
        return (uint64_t)r->r_addend;
    if (!elf_offset(p->m, r->r_offset, &off, &avail) || !elf_bytes(p->m, off, 4))
        return 0;
    return elf_number(p->m, elf_bytes(p->m, off, 4), 4);
}

static void slot_found(struct plt *p, uint64_t addr, const char *name, bool copy)
{
    struct symbol_found s = {.addr = addr, .size = 1, .name = name, .copy_name = copy};
    symtab_add(p->slots_found, &s);
}

static void add_resolved_slot(struct plt *p, uint64_t addr, uint64_t resolver)
{
    char text[40];
    if (p->m->head.e_machine == EM_ARM)
        resolver &= ~(uint64_t)1; /* the Thumb bit */
    const struct symbol *known = p->ifuncs ? symtab_find(p->ifuncs, resolver) : NULL;
    snprintf(text, sizeof text, "*ABS*+0x%" PRIx64, resolver);
    if (known && known->start == resolver)
        slot_found(p, addr, known->name, false);
    else if (resolver)
        slot_found(p, addr, text, true);
}

static void add_slot(struct plt *p, const struct elf_table *t, const GElf_Rela *r, bool addend)
{
    uint64_t type = GELF_R_TYPE(r->r_info);
    if (type == p->types->jump_slot || type == p->types->glob_dat) {
        const char *name = symbol_name(t, GELF_R_SYM(r->r_info));
        if (name)
            slot_found(p, r->r_offset, name, false);
    } else if (type == p->types->irelative) {
        add_resolved_slot(p, r->r_offset, resolver_of(p, r, addend));
    }
}

static void add_slots(struct plt *p, size_t section)
{
    GElf_Shdr s;
    struct elf_table symbols;
    if (!section || !elf_section(p->m, section, &s) || s.sh_flags & SHF_COMPRESSED ||
        (s.sh_type != SHT_RELA && s.sh_type != SHT_REL))
        return;
    bool addend = s.sh_type == SHT_RELA;
    elf_table_of_section(p->m, s.sh_link, 0, &symbols);
    Elf_Data *data = elf_records(p->m, s.sh_offset, s.sh_size, addend ? ELF_T_RELA : ELF_T_REL);
    for (int i = 0; data; i++) {
        GElf_Rela with = {0};
        GElf_Rel without = {0};
        if (addend ? !gelf_getrela(data, i, &with) : !gelf_getrel(data, i, &without))
            break;
        if (!addend)
            with = (GElf_Rela){without.r_offset, without.r_info, 0};
        add_slot(p, &symbols, &with, addend);
    }
}

static void name_stub(struct plt *p, const struct elf_stub *stub)
{
    const struct symbol *slot = symtab_find(p->slots, stub->slot);
    size_t len = slot ? strnlen(slot->name, p->budget) : 0;
    p->budget -= len;
    if (!slot || !p->budget)
        return;
    buf_clear(&p->name);
    buf_add(&p->name, slot->name, len);
    buf_adds(&p->name, "@plt");
    if (buf_error(&p->name))
        return;
    struct symbol_found s = {.addr = stub->addr,
                             .size = stub->size,
                             .name = p->name.data,
                             .copy_name = true,
                             .function = true};
    symtab_add(p->builder, &s);
}

/* Instructions are little-endian on AArch64 always, on ARM in files of BE8. */
static bool big_endian_code(const struct elf_module *m)
{
    return elf_big_endian(m) && m->head.e_machine == EM_ARM && !(m->head.e_flags & EF_ARM_BE8);
}

static void name_stubs(struct plt *p, size_t section)
{
    GElf_Shdr s;
    if (!section || !elf_section(p->m, section, &s) || s.sh_type != SHT_PROGBITS ||
        s.sh_flags & SHF_COMPRESSED)
        return;
    struct elf_code code = {.machine = p->m->head.e_machine,
                            .addr = s.sh_addr,
                            .len = s.sh_size,
                            .bytes = elf_bytes(p->m, s.sh_offset, s.sh_size),
                            .big_endian = big_endian_code(p->m)};
    struct elf_stub stub;
    for (size_t at = 0; code.bytes && elf_next_stub(&code, &at, &stub);)
        name_stub(p, &stub);
}

static void name_all(struct plt *p, const struct elf_sections *sections)
{
    add_slots(p, sections->rel_plt);
    if (sections->plt_got || sections->iplt)
        add_slots(p, sections->rel_dyn);
    struct symtab *slots = symtab_build(p->slots_found);
    if (!slots)
        return;
    p->slots = slots;
    name_stubs(p, sections->plt);
    name_stubs(p, sections->plt_sec);
    name_stubs(p, sections->plt_got);
    name_stubs(p, sections->iplt);
    symtab_free(slots);
}

void elf_add_plt(struct elf_module *m, const struct elf_sections *sections,
                 const struct symtab *ifuncs, struct symtab_builder *b)
{
    struct plt p = {.m = m, .ifuncs = ifuncs, .builder = b, .budget = m->len};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].machine == m->head.e_machine)
            p.types = &types[i];
    if (!p.types || m->head.e_type == ET_REL)
        return;
    p.slots_found = symtab_builder_new(m->budget);
    if (p.slots_found)
        name_all(&p, sections);
    symtab_builder_free(p.slots_found);
    buf_release(&p.name);
}
