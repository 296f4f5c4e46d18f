#include "core/elf/module.h"

#include "core/base/bytes.h"

#include <string.h>

const uint8_t *elf_bytes(const struct elf_module *m, uint64_t off, uint64_t len)
{
    return off <= m->len && len <= m->len - off ? m->image + off : NULL;
}

uint64_t elf_number(const struct elf_module *m, const uint8_t *at, unsigned size)
{
    bool big = m->image[EI_DATA] == ELFDATA2MSB;
    switch (size) {
    case 2:
        return get_u16(at, big);
    case 4:
        return get_u32(at, big);
    default:
        return get_u64(at, big);
    }
}

bool elf_next_segment(struct elf_module *m, uint32_t type, size_t *i, GElf_Phdr *out)
{
    size_t count = 0;
    elf_getphdrnum(m->elf, &count);
    while (*i < count && gelf_getphdr(m->elf, (int)(*i)++, out))
        if (out->p_type == type)
            return true;
    return false;
}

bool elf_offset(const struct elf_module *m, uint64_t vaddr, uint64_t *off, uint64_t *avail)
{
    for (size_t i = 0; i < m->segments; i++) {
        const struct elf_segment *s = &m->segment[i];
        if (vaddr < s->vaddr || vaddr - s->vaddr >= s->filesz)
            continue;
        *off = s->off + (vaddr - s->vaddr);
        *avail = s->filesz - (vaddr - s->vaddr);
        return true;
    }
    return false;
}

const uint8_t *elf_memory_at(const struct elf_module *m, uint64_t vaddr, uint64_t *avail)
{
    uint64_t off;
    if (!elf_offset(m, vaddr, &off, avail) || off >= m->len)
        return NULL;
    *avail = *avail < m->len - off ? *avail : m->len - off;
    return m->image + off;
}

Elf_Data *elf_records(struct elf_module *m, uint64_t off, uint64_t len, Elf_Type type)
{
    size_t each = gelf_fsize(m->elf, type, 1, EV_CURRENT);
    if (!each || len < each || !elf_bytes(m, off, len))
        return NULL;
    len = len < ELF_TABLE_MOST ? len : ELF_TABLE_MOST;
    return elf_getdata_rawchunk(m->elf, (int64_t)off, len - len % each, type);
}

struct elf_strings elf_strings_at(const struct elf_module *m, uint64_t off, uint64_t len)
{
    struct elf_strings s = {NULL, 0};
    const uint8_t *base = elf_bytes(m, off, len);
    const uint8_t *last = base ? memrchr(base, '\0', len) : NULL;
    if (last) {
        s.base = (const char *)base;
        s.len = (size_t)(last - base) + 1;
    }
    return s;
}

const char *elf_string(const struct elf_strings *s, uint64_t index)
{
    return index < s->len ? s->base + index : NULL;
}
