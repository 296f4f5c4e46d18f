/*
 * raiseelf: a small ELF image of 32-bit ARM like that of libgcc, which defines
 * _Unwind_RaiseException at the beginning of its code, or of libstdc++, which has a stub of it.
 */
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    RAISEELF_CODE = 0x1000,
    RAISEELF_STUB = 0x40, /* in the code */
    RAISEELF_SLOT = 0x2000,
};

struct raiseelf {
    Elf32_Ehdr head;
    Elf32_Phdr segment[3];
    Elf32_Shdr section[6];
    Elf32_Sym symbol[2];
    Elf32_Rel slot;
    char string[64], name[64];
    uint32_t table[2];
    uint8_t code[0x60];
};

#define RAISEELF_AT(field) ((Elf32_Word)offsetof(struct raiseelf, field))
#define RAISEELF_PART(field, vaddr)                                                                \
    .sh_addr = (vaddr), .sh_offset = RAISEELF_AT(field),                                           \
    .sh_size = sizeof(((struct raiseelf *)0)->field)

static const uint32_t raiseelf_stub[] = {
    0xe28fc600, 0xe28cca00, 0xe5bcf000 | (RAISEELF_SLOT - RAISEELF_CODE - RAISEELF_STUB - 8)};

static inline void raiseelf_segments(struct raiseelf *i)
{
    i->head = (Elf32_Ehdr){.e_ident = ELFMAG "\1\1\1",
                           .e_type = ET_DYN,
                           .e_machine = EM_ARM,
                           .e_version = EV_CURRENT,
                           .e_phoff = RAISEELF_AT(segment),
                           .e_shoff = RAISEELF_AT(section),
                           .e_ehsize = sizeof(Elf32_Ehdr),
                           .e_phentsize = sizeof(Elf32_Phdr),
                           .e_phnum = 3,
                           .e_shentsize = sizeof(Elf32_Shdr),
                           .e_shnum = 6,
                           .e_shstrndx = 5};
    i->segment[0] = (Elf32_Phdr){PT_LOAD,        RAISEELF_AT(code), RAISEELF_CODE, RAISEELF_CODE,
                                 sizeof i->code, sizeof i->code,    PF_R | PF_X,   4};
    i->segment[1] = (Elf32_Phdr){PT_LOAD,         RAISEELF_AT(table), 0x800, 0x800,
                                 sizeof i->table, sizeof i->table,    PF_R,  4};
    i->segment[2] = i->segment[1];
    i->segment[2].p_type = PT_ARM_EXIDX;
}

static inline void raiseelf_sections(struct raiseelf *i)
{
    static const char names[] = "\0.dynsym\0.dynstr\0.rel.plt\0.plt\0.shstrtab";
    memcpy(i->name, names, sizeof names);
    i->section[1] = (Elf32_Shdr){.sh_name = 1,
                                 .sh_type = SHT_DYNSYM,
                                 RAISEELF_PART(symbol, 0),
                                 .sh_link = 2,
                                 .sh_entsize = sizeof(Elf32_Sym)};
    i->section[2] = (Elf32_Shdr){.sh_name = 9, .sh_type = SHT_STRTAB, RAISEELF_PART(string, 0)};
    i->section[3] = (Elf32_Shdr){.sh_name = 17,
                                 .sh_type = SHT_REL,
                                 RAISEELF_PART(slot, 0),
                                 .sh_link = 1,
                                 .sh_entsize = sizeof(Elf32_Rel)};
    i->section[4] = (Elf32_Shdr){.sh_name = 26,
                                 .sh_type = SHT_PROGBITS,
                                 .sh_addr = RAISEELF_CODE + RAISEELF_STUB,
                                 .sh_offset = RAISEELF_AT(code) + RAISEELF_STUB,
                                 .sh_size = sizeof raiseelf_stub};
    i->section[5] = (Elf32_Shdr){.sh_name = 31, .sh_type = SHT_STRTAB, RAISEELF_PART(name, 0)};
}

/* Its one symbol is _Unwind_RaiseException, the code itself, or that of a stub. */
static inline void raiseelf_make(struct raiseelf *i, const void *code, size_t len, bool defines)
{
    *i = (struct raiseelf){
        .symbol[1] = {.st_name = 1,
                      .st_value = defines ? RAISEELF_CODE | 1 : 0,
                      .st_size = defines ? 20 : 0,
                      .st_info = ELF32_ST_INFO(STB_GLOBAL, STT_FUNC),
                      .st_shndx = defines ? 4 : 0},
        .slot = {RAISEELF_SLOT, ELF32_R_INFO(1, R_ARM_JUMP_SLOT)},
        .string = "\0_Unwind_RaiseException",
        .table = {RAISEELF_CODE - 0x800, 0x80a8b0b0 /* pop {r4, lr} */},
    };
    raiseelf_segments(i);
    raiseelf_sections(i);
    memcpy(i->code, code, len);
    if (!defines)
        memcpy(i->code + RAISEELF_STUB, raiseelf_stub, sizeof raiseelf_stub);
}

#undef RAISEELF_AT
#undef RAISEELF_PART
