/*
 * cfielf: a small 64-bit ELF image around one section of call frame information, so that tests may
 * write its bytes by hand: code at CFIELF_CODE, the section loaded at CFIELF_SECTION.
 */
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CFIELF_CODE = 0x1000, CFIELF_CODE_BYTES = 0x10000, CFIELF_SECTION = 0x20000 };

struct cfielf { /* what stands before the section's bytes */
    Elf64_Ehdr head;
    Elf64_Phdr load;
    Elf64_Shdr section[3];
    char names[32];
};

/* Allocated; *len its length. name: .eh_frame or .debug_frame. */
static inline uint8_t *cfielf_new(unsigned machine, const char *name, const void *bytes,
                                  size_t size, size_t *len)
{
    struct cfielf e = {.head = {.e_type = ET_DYN,
                                .e_machine = (Elf64_Half)machine,
                                .e_version = EV_CURRENT,
                                .e_entry = CFIELF_CODE + 0x8000,
                                .e_phoff = offsetof(struct cfielf, load),
                                .e_shoff = offsetof(struct cfielf, section),
                                .e_ehsize = sizeof(Elf64_Ehdr),
                                .e_phentsize = sizeof(Elf64_Phdr),
                                .e_phnum = 1,
                                .e_shentsize = sizeof(Elf64_Shdr),
                                .e_shnum = 3,
                                .e_shstrndx = 2},
                       .load = {.p_type = PT_LOAD,
                                .p_flags = PF_R | PF_X,
                                .p_vaddr = CFIELF_CODE,
                                .p_memsz = CFIELF_CODE_BYTES},
                       .section = {[1] = {.sh_name = 1,
                                          .sh_type = SHT_PROGBITS,
                                          .sh_addr = CFIELF_SECTION,
                                          .sh_offset = sizeof e,
                                          .sh_size = size},
                                   [2] = {.sh_name = 16,
                                          .sh_type = SHT_STRTAB,
                                          .sh_offset = offsetof(struct cfielf, names),
                                          .sh_size = sizeof e.names}}};
    memcpy(e.head.e_ident, ELFMAG "\2\1\1", 7);
    strncpy(e.names + 1, name, 14);
    uint8_t *image = malloc(sizeof e + size);
    if (!image)
        abort();
    memcpy(image, &e, sizeof e);
    if (size)
        memcpy(image + sizeof e, bytes, size);
    *len = sizeof e + size;
    return image;
}
