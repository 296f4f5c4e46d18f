/* debug_elf: an ELF file of 64 bits that has debug sections and nothing else. */
#pragma once

#include "core/base/buf.h"

#include <elf.h>
#include <string.h>

enum { DEBUG_ELF_SECTIONS = 4 };

struct debug_section {
    const char *name;
    uint64_t flags;
    struct buf bytes; /* released by debug_elf */
};

static inline void debug_elf_header(struct buf *b, size_t sections)
{
    Elf64_Ehdr e = {.e_type = ET_EXEC,
                    .e_machine = EM_X86_64,
                    .e_version = EV_CURRENT,
                    .e_ehsize = sizeof e,
                    .e_shentsize = sizeof(Elf64_Shdr),
                    .e_shnum = (Elf64_Half)(sections + 2),
                    .e_shstrndx = (Elf64_Half)(sections + 1)};
    memcpy(e.e_ident, ELFMAG, SELFMAG);
    e.e_ident[EI_CLASS] = ELFCLASS64;
    e.e_ident[EI_DATA] = ELFDATA2LSB;
    e.e_ident[EI_VERSION] = EV_CURRENT;
    buf_add(b, &e, sizeof e);
}

/* At most DEBUG_ELF_SECTIONS of them; the file is padded to len bytes. */
static inline struct buf debug_elf(struct debug_section *s, size_t n, size_t len)
{
    struct buf b = BUF_INIT, names = BUF_INIT;
    Elf64_Shdr head[DEBUG_ELF_SECTIONS + 2] = {{0}};
    debug_elf_header(&b, n);
    buf_addc(&names, '\0');
    for (size_t i = 0; i < n; i++) {
        head[i + 1] = (Elf64_Shdr){.sh_name = (Elf64_Word)names.len,
                                   .sh_type = SHT_PROGBITS,
                                   .sh_flags = s[i].flags,
                                   .sh_offset = b.len,
                                   .sh_size = s[i].bytes.len};
        buf_add(&b, s[i].bytes.data, s[i].bytes.len);
        buf_add(&names, s[i].name, strlen(s[i].name) + 1);
        buf_release(&s[i].bytes);
    }
    head[n + 1] =
        (Elf64_Shdr){.sh_name = 0, .sh_type = SHT_STRTAB, .sh_offset = b.len, .sh_size = names.len};
    buf_add(&b, names.data, names.len);
    while (b.len % 8 || b.len < len)
        buf_addc(&b, '\0');
    ((Elf64_Ehdr *)(void *)b.data)->e_shoff = b.len;
    buf_add(&b, head, (n + 2) * sizeof head[0]);
    buf_release(&names);
    return b;
}
