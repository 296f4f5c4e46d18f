/*
 * armelf: a small ELF image of 32-bit ARM around code and .ARM.exidx, so that tests may write both
 * by hand: code at ARMELF_CODE, the table at ARMELF_TABLE and what follows it in its segment.
 */
#pragma once

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ARMELF_CODE = 0x1000, ARMELF_CODE_BYTES = 0x10000, ARMELF_TABLE = 0x20000 };

struct armelf { /* what precedes the bytes of the code */
    Elf32_Ehdr head;
    Elf32_Phdr segment[3];
};

struct armelf_parts {
    const void *code;
    size_t code_len;
    const void *table; /* its first index_len bytes are .ARM.exidx, the others .ARM.extab */
    size_t table_len, index_len;
};

/* Allocated; *len its length. */
static inline uint8_t *armelf_new(const struct armelf_parts *p, size_t *len)
{
    Elf32_Word code = sizeof(struct armelf), table = code + (Elf32_Word)p->code_len;
    struct armelf e = {.head = {.e_type = ET_DYN,
                                .e_machine = EM_ARM,
                                .e_version = EV_CURRENT,
                                .e_entry = ARMELF_CODE + 0x8000,
                                .e_phoff = offsetof(struct armelf, segment),
                                .e_ehsize = sizeof(Elf32_Ehdr),
                                .e_phentsize = sizeof(Elf32_Phdr),
                                .e_phnum = 3},
                       .segment = {{.p_type = PT_LOAD,
                                    .p_flags = PF_R | PF_X,
                                    .p_vaddr = ARMELF_CODE,
                                    .p_offset = code,
                                    .p_filesz = (Elf32_Word)p->code_len,
                                    .p_memsz = ARMELF_CODE_BYTES},
                                   {.p_type = PT_LOAD,
                                    .p_flags = PF_R,
                                    .p_vaddr = ARMELF_TABLE,
                                    .p_offset = table,
                                    .p_filesz = (Elf32_Word)p->table_len,
                                    .p_memsz = (Elf32_Word)p->table_len},
                                   {.p_type = PT_ARM_EXIDX,
                                    .p_flags = PF_R,
                                    .p_vaddr = ARMELF_TABLE,
                                    .p_offset = table,
                                    .p_filesz = (Elf32_Word)p->index_len,
                                    .p_memsz = (Elf32_Word)p->index_len}}};
    memcpy(e.head.e_ident, ELFMAG "\1\1\1", 7);
    *len = sizeof e + p->code_len + p->table_len;
    uint8_t *image = malloc(*len);
    if (!image)
        abort();
    memcpy(image, &e, sizeof e);
    if (p->code_len)
        memcpy(image + code, p->code, p->code_len);
    if (p->table_len)
        memcpy(image + table, p->table, p->table_len);
    return image;
}
