/*
 * Where functions start, by the index of the unwinding information: it is there in stripped files
 * too. PT_GNU_EH_FRAME holds .eh_frame_hdr (Linux Standard Base, "Exception Frames"): version 1,
 * three encodings, the place of .eh_frame, a count, and pairs of 32-bit distances from the header
 * itself, sorted: function, its entry. PT_ARM_EXIDX holds pairs of words, sorted: the function as a
 * 31-bit distance from the word itself, its entry (ARM EHABI, section 5).
 */
#include "core/base/search.h"
#include "core/elf/module.h"

enum {
    ENC_ABSENT = 0xff,
    ENC_UDATA4 = 0x03,
    ENC_DATAREL_SDATA4 = 0x3b,
    HEADER = 4,
    ENTRY = 8,
};

/* Bytes of an encoded pointer, 0 when its length is not fixed. */
static unsigned encoded_size(unsigned encoding)
{
    switch (encoding & 0x07) {
    case 2:
        return 2;
    case 3:
        return 4;
    case 4:
        return 8;
    default:
        return 0;
    }
}

static void read_eh_frame_hdr(struct elf_module *m, const GElf_Phdr *p)
{
    const uint8_t *h = elf_bytes(m, p->p_offset, HEADER);
    if (!h || h[0] != 1 || h[1] == ENC_ABSENT || h[2] != ENC_UDATA4 || h[3] != ENC_DATAREL_SDATA4)
        return;
    unsigned skip = HEADER + encoded_size(h[1]);
    const uint8_t *count = elf_bytes(m, p->p_offset, skip + 4u);
    if (!count || skip == HEADER)
        return;
    uint64_t entries = elf_number(m, count + skip, 4);
    const uint8_t *table = elf_bytes(m, p->p_offset + skip + 4, entries * ENTRY);
    if (table)
        m->index = (struct elf_index){table, (size_t)entries, p->p_vaddr, false};
}

static void read_exidx(struct elf_module *m, const GElf_Phdr *p)
{
    const uint8_t *table = elf_bytes(m, p->p_offset, p->p_filesz);
    if (table)
        m->index = (struct elf_index){table, (size_t)(p->p_filesz / ENTRY), p->p_vaddr, true};
}

void elf_find_index(struct elf_module *m)
{
    size_t segments = 0;
    GElf_Phdr p;
    elf_getphdrnum(m->elf, &segments);
    for (size_t i = 0; i < segments && gelf_getphdr(m->elf, (int)i, &p) && !m->index.entries; i++)
        if (p.p_type == PT_GNU_EH_FRAME)
            read_eh_frame_hdr(m, &p);
        else if (p.p_type == PT_ARM_EXIDX && m->head.e_machine == EM_ARM)
            read_exidx(m, &p);
}

static uint64_t function_at(const struct elf_module *m, size_t i)
{
    const struct elf_index *x = &m->index;
    uint32_t word = (uint32_t)elf_number(m, x->table + i * ENTRY, 4);
    if (x->arm) /* 31 bits with a sign; addresses are 32 bits wide */
        return (uint32_t)(x->base + i * ENTRY + (uint32_t)((int32_t)(word << 1) >> 1));
    return x->base + (uint64_t)(int64_t)(int32_t)word;
}

bool elf_function_start(const struct elf_module *m, uint64_t vaddr, uint64_t *start)
{
    uint64_t end;
    return elf_function_extent(m, vaddr, start, &end);
}

bool elf_function_extent(const struct elf_module *m, uint64_t vaddr, uint64_t *start, uint64_t *end)
{
    size_t next = FIRST_WHERE(m->index.entries, i, function_at(m, i) > vaddr);
    if (next == 0)
        return false;
    *start = function_at(m, next - 1);
    *end = next < m->index.entries ? function_at(m, next) : UINT64_MAX;
    return *start <= vaddr;
}

size_t elf_function_count(const struct elf_module *m)
{
    return m->index.entries;
}

uint64_t elf_function_at(const struct elf_module *m, size_t i)
{
    return function_at(m, i);
}
