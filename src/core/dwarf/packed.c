#include "packed.h"

#include "core/dwarf/cursor.h"
#include "core/elf/module.h"

struct dwarf_packed dwarf_packed_compressed(const struct elf_module *m, const uint8_t *bytes,
                                            size_t len)
{
    bool wide = elf_bits(m) == 64;
    size_t head = wide ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);
    if (len <= head)
        return (struct dwarf_packed){.is_there = true};
    return (struct dwarf_packed){
        .is_there = true,
        .has_header = true,
        .type = (uint32_t)elf_number(m, bytes, 4),
        .stream = bytes + head,
        .len = len - head,
        .unpacked_len = elf_number(m, bytes + (wide ? 8 : 4), wide ? 8 : 4),
    };
}

struct dwarf_packed dwarf_packed_zdebug(const uint8_t *bytes, size_t len)
{
    enum { HEAD = 12 };
    if (len <= HEAD || memcmp(bytes, "ZLIB", 4) != 0)
        return (struct dwarf_packed){.is_there = true};
    return (struct dwarf_packed){
        .is_there = true,
        .has_header = true,
        .type = DWARF_ZLIB,
        .stream = bytes + HEAD,
        .len = len - HEAD,
        .unpacked_len = dwarf_read_be(bytes + 4, 8),
    };
}
