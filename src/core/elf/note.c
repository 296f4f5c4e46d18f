#include "core/elf/module.h"

#include <string.h>

static uint64_t align_up(uint64_t n, uint64_t align)
{
    return (n + align - 1) & ~(align - 1);
}

/* Notes are three 32-bit numbers (name size, description size, type), the name, the description,
 * each padded. */
static bool find_note(struct elf_module *m, uint64_t off, uint64_t len, uint64_t align)
{
    const uint8_t *notes = elf_bytes(m, off, len);
    align = align == 8 ? 8 : 4;
    for (uint64_t at = 0; notes && len - at >= 12;) {
        uint64_t name_len = elf_number(m, notes + at, 4), id_len = elf_number(m, notes + at + 4, 4);
        uint64_t type = elf_number(m, notes + at + 8, 4), name = at + 12;
        uint64_t id = align_up(name + name_len, align), end = align_up(id + id_len, align);
        if (id > len || id_len > len - id)
            return false;
        if (type == NT_GNU_BUILD_ID && name_len == 4 && !memcmp(notes + name, "GNU", 4) && id_len) {
            m->build_id = notes + id;
            m->build_id_len = id_len;
            return true;
        }
        if (end > len)
            return false;
        at = end;
    }
    return false;
}

/* A hostile file may have thousands of areas of notes, each as long as the file: together they may
 * be as long as one, of at most a megabyte. */
static bool find_note_within(struct elf_module *m, uint64_t off, uint64_t len, uint64_t align,
                             uint64_t *budget)
{
    if (len > *budget)
        return false;
    *budget -= len;
    return find_note(m, off, len, align);
}

/* Sections too: objects and kernel modules have no segments. */
void elf_find_build_id(struct elf_module *m)
{
    enum { MOST = 1 << 20 }; /* of a sparse file all of it may be notes */
    uint64_t budget = m->len < MOST ? m->len : MOST;
    GElf_Phdr p;
    GElf_Shdr s;
    for (size_t i = 0; elf_next_segment(m, PT_NOTE, &i, &p);)
        if (find_note_within(m, p.p_offset, p.p_filesz, p.p_align, &budget))
            return;
    for (size_t i = 1; elf_section(m, i, &s); i++)
        if (s.sh_type == SHT_NOTE &&
            find_note_within(m, s.sh_offset, s.sh_size, s.sh_addralign, &budget))
            return;
}
