/*
 * Where a file has its call frame information: .eh_frame by its section, or, in a file without
 * section headers (a vDSO), by PT_GNU_EH_FRAME, whose header points to it; .debug_frame by its
 * section; .ARM.exidx by PT_ARM_EXIDX.
 */
#include "cfi_table.h"

#include "core/base/scope.h"
#include "core/dwarf/image.h"
#include "core/elf/module.h"

#include <errno.h>
#include <stdlib.h>

static const struct processor {
    unsigned machine, registers, pc;
} processors[] = {{EM_X86_64, 17, 16}, {EM_AARCH64, 32, 32}, {EM_ARM, 16, 15}};

static const struct processor *processor_of(unsigned machine)
{
    for (size_t i = 0; i < sizeof processors / sizeof processors[0]; i++)
        if (processors[i].machine == machine)
            return &processors[i];
    return NULL;
}

static void add_frame(struct cfi_file *x, const struct elf_module *m, struct cfi_section s)
{
    if (!s.bytes || !s.len || x->frames == sizeof x->frame / sizeof x->frame[0])
        return;
    s.big_endian = elf_big_endian(m);
    s.addr_size = (uint8_t)(elf_bits(m) / 8);
    x->frame[x->frames++] = s;
}

static bool add_section(struct cfi_file *x, struct elf_module *m)
{
    GElf_Shdr h;
    for (size_t i = 1; elf_next_section(m, ".eh_frame", &i, &h);) {
        if (h.sh_type == SHT_NOBITS || h.sh_flags & SHF_COMPRESSED)
            continue;
        add_frame(x, m,
                  (struct cfi_section){.bytes = elf_bytes(m, h.sh_offset, h.sh_size),
                                       .len = h.sh_size,
                                       .addr = h.sh_addr,
                                       .eh = true});
        return x->frames;
    }
    return false;
}

/* The header's bytes: version 1, the encodings of the pointer, of the count, of the table. */
static void add_pointed(struct cfi_file *x, struct elf_module *m, const GElf_Phdr *p)
{
    enum { ENCODING = 1, POINTER = 4 };
    uint64_t off, left;
    struct cfi_section header = {.bytes = elf_bytes(m, p->p_offset, p->p_filesz),
                                 .len = p->p_filesz,
                                 .addr = p->p_vaddr,
                                 .addr_size = (uint8_t)(elf_bits(m) / 8)};
    if (!header.bytes || header.len <= POINTER || header.bytes[0] != 1)
        return;
    struct dwarf_cursor c = {header.bytes, POINTER, header.len, elf_big_endian(m), false};
    uint64_t addr = cfi_pointer(&header, &c, header.bytes[ENCODING], header.addr_size);
    if (c.bad || !elf_offset(m, addr, &off, &left))
        return;
    add_frame(x, m,
              (struct cfi_section){
                  .bytes = elf_bytes(m, off, left), .len = left, .addr = addr, .eh = true});
}

static void add_by_segment(struct cfi_file *x, struct elf_module *m)
{
    GElf_Phdr p;
    for (size_t i = 0; !x->frames && elf_next_segment(m, PT_GNU_EH_FRAME, &i, &p);)
        add_pointed(x, m, &p);
}

/* The table is sorted by an address of 32 bits; its distances lead into the segment that it is in.
 */
static void add_exidx(struct cfi_file *x, const struct elf_module *m)
{
    const struct elf_index *t = &m->index;
    for (size_t i = 0; i < m->segments && t->arm; i++) {
        const struct elf_segment *s = &m->segment[i];
        const uint8_t *bytes = elf_bytes(m, s->off, s->filesz);
        uint64_t at = t->base - s->vaddr, room = s->filesz - at;
        if (!bytes || t->base < s->vaddr || at > s->filesz || at % 4 || t->entries > room / 8)
            continue;
        x->exidx =
            (struct cfi_exidx){bytes, s->filesz, s->vaddr, at, t->entries, elf_big_endian(m)};
        return;
    }
}

static void add_debug_frame(struct cfi_file *x, struct elf_module *m, struct budget *budget)
{
    SCOPED(dwarf_image_release) struct dwarf_image d;
    if (dwarf_image_read_frame(&d, m->image, m->len, budget, NULL) == 0) {
        x->owned = d.owned[DWARF_FRAME];
        d.owned[DWARF_FRAME] = NULL;
        add_frame(x, m,
                  (struct cfi_section){.bytes = d.section[DWARF_FRAME].at,
                                       .len = d.section[DWARF_FRAME].len});
    }
}

static void add_code(struct cfi_file *x, const struct elf_module *m)
{
    for (size_t i = 0; i < m->segments && x->codes < CFI_SEGMENTS; i++) {
        const struct elf_segment *s = &m->segment[i];
        if (s->exec && s->memsz)
            x->code[x->codes++] = (struct cfi_code){s->vaddr, s->vaddr + s->memsz};
    }
}

static int read_elf(struct cfi_file *x, struct cfi *c, struct elf_module *m, bool main,
                    struct fail *f)
{
    const struct processor *p = processor_of(elf_machine(m));
    if (!p)
        return fail_set(f, ENOTSUP, "machine %u: unknown registers", elf_machine(m));
    if (main) {
        c->machine = p->machine;
        c->registers = p->registers;
        c->pc = p->pc;
        c->addr_size = (uint8_t)(elf_bits(m) / 8);
        c->big_endian = elf_big_endian(m);
        c->entry = m->head.e_entry;
    }
    if (c->machine != p->machine || c->big_endian != elf_big_endian(m))
        return fail_set(f, ENOEXEC, "file for another processor");
    add_code(x, m);
    if (!add_section(x, m))
        add_by_segment(x, m);
    if (main)
        add_exidx(x, m);
    if (main && p->machine == EM_ARM)
        arm_raisers_find(c, m);
    return 0;
}

int cfi_file_read(struct cfi_file *x, struct cfi *c, const struct cfi_image *image, bool main,
                  struct fail *f)
{
    struct elf_module *m;
    int err = elf_open(image->bytes, image->len, &m, f);
    if (err)
        return err;
    err = read_elf(x, c, m, main, f);
    if (!err)
        add_debug_frame(x, m, image->budget);
    elf_close(m);
    return err;
}

void cfi_file_release(struct cfi_file *x)
{
    free(x->owned);
    *x = (struct cfi_file){0};
}

bool cfi_file_has_code(const struct cfi_file *x, uint64_t start, uint64_t end)
{
    for (size_t i = 0; i < x->codes; i++)
        if (start >= x->code[i].start && start < end && end <= x->code[i].end)
            return true;
    return false;
}
