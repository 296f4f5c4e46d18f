#include "core/elf/module.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_64_bit(const struct elf_module *m)
{
    return m->image[EI_CLASS] == ELFCLASS64;
}

/* The number of so many bytes at an offset of the header or of the first section, which says how
 * many sections and program headers there are when they are too many for the header. */
static uint64_t head_number(const struct elf_module *m, size_t narrow_at, size_t wide_at,
                            size_t size)
{
    return elf_number(m, m->image + (is_64_bit(m) ? wide_at : narrow_at), (unsigned)size);
}

static uint64_t first_number(const struct elf_module *m, size_t narrow_at, size_t wide_at,
                             size_t size)
{
    uint64_t off = head_number(m, 32, 40, is_64_bit(m) ? 8 : 4);
    const uint8_t *first = off ? elf_bytes(m, off, is_64_bit(m) ? 64 : 40) : NULL;
    return first ? elf_number(m, first + (is_64_bit(m) ? wide_at : narrow_at), (unsigned)size) : 0;
}

/* libelf has a record of each section, and copies program headers: a file that is mostly a hole may
 * have billions. More than are in the file are none to libelf. */
static bool has_too_many(const struct elf_module *m)
{
    uint64_t sections = head_number(m, 48, 60, 2), segments = head_number(m, 44, 56, 2);
    if (!sections)
        sections = first_number(m, 20, 32, is_64_bit(m) ? 8 : 4);
    if (segments == PN_XNUM)
        segments = first_number(m, 28, 44, 4);
    return (sections > ELF_SECTIONS_MOST && sections <= m->len / (is_64_bit(m) ? 64 : 40)) ||
           (segments > ELF_SECTIONS_MOST && segments <= m->len / (is_64_bit(m) ? 56 : 32));
}

static int check_header(const struct elf_module *m, struct fail *f)
{
    if (m->len < EI_NIDENT || memcmp(m->image, ELFMAG, SELFMAG) != 0)
        return fail_set(f, ENOEXEC, "not an ELF file");
    if (m->image[EI_CLASS] != ELFCLASS32 && m->image[EI_CLASS] != ELFCLASS64)
        return fail_set(f, ENOEXEC, "ELF class is neither 32 nor 64 bit");
    if (m->image[EI_DATA] != ELFDATA2LSB && m->image[EI_DATA] != ELFDATA2MSB)
        return fail_set(f, ENOEXEC, "ELF byte order is unknown");
    if (m->len < (is_64_bit(m) ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr)))
        return fail_set(f, ENOEXEC, "ELF header is cut short");
    if (has_too_many(m))
        return fail_set(f, ENOEXEC, "over %d sections or program headers", ELF_SECTIONS_MOST);
    return 0;
}

/* A section table that is not all there is none to libelf, which is right for an image read out of
 * memory. */
static int open_libelf(struct elf_module *m, struct fail *f)
{
    elf_version(EV_CURRENT);
    /* It takes char * but does not write: what it converts, it converts into its own memory. */
    m->elf = elf_memory((char *)m->image, m->len);
    if (!m->elf || elf_kind(m->elf) != ELF_K_ELF || !gelf_getehdr(m->elf, &m->head))
        return fail_set(f, ENOEXEC, "%s", m->elf ? "not an ELF file" : elf_errmsg(-1));
    return 0;
}

void elf_rest(struct elf_module *m)
{
    elf_end(m->elf);
    m->elf = NULL;
}

bool elf_wake(struct elf_module *m)
{
    return m->elf || open_libelf(m, NULL) == 0;
}

static uint64_t clamp_size(uint64_t n, uint64_t from)
{
    return n <= UINT64_MAX - from ? n : UINT64_MAX - from;
}

static int read_segments(struct elf_module *m, struct fail *f)
{
    enum { MAX_SEGMENTS = 1170 }; /* Linux loads no file with more than 64 KB of program headers */
    size_t count = 0;
    GElf_Phdr p;
    if (elf_getphdrnum(m->elf, &count) < 0 || !count || !gelf_getphdr(m->elf, 0, &p))
        return 0;
    count = count < MAX_SEGMENTS ? count : MAX_SEGMENTS;
    m->segment = calloc(count, sizeof *m->segment);
    if (!m->segment)
        return fail_set(f, ENOMEM, "program headers");
    for (size_t i = 0; i < count && gelf_getphdr(m->elf, (int)i, &p); i++)
        if (p.p_type == PT_LOAD)
            m->segment[m->segments++] = (struct elf_segment){
                .off = p.p_offset,
                .filesz = clamp_size(clamp_size(p.p_filesz, p.p_offset), p.p_vaddr),
                .vaddr = p.p_vaddr,
                .memsz = clamp_size(p.p_memsz, p.p_vaddr),
                .exec = p.p_flags & PF_X};
    return 0;
}

static struct symtab *no_symbols(void)
{
    struct symtab_builder *b = symtab_builder_new(NULL);
    struct symtab *t = b ? symtab_build(b) : NULL;
    symtab_builder_free(b);
    return t;
}

int elf_open(const uint8_t *image, size_t len, struct elf_module **out, struct fail *f)
{
    struct elf_module *m = calloc(1, sizeof *m);
    if (!m)
        return fail_set(f, ENOMEM, "ELF file");
    m->image = image;
    m->len = len;
    int err = check_header(m, f);
    if (!err)
        err = open_libelf(m, f);
    if (!err)
        err = read_segments(m, f);
    if (!err && !(m->symbols = no_symbols()))
        err = fail_set(f, ENOMEM, "ELF file");
    if (err) {
        elf_close(m);
        return err;
    }
    elf_find_build_id(m);
    elf_find_index(m);
    elf_find_links(m);
    *out = m;
    return 0;
}

void elf_close(struct elf_module *m)
{
    if (!m)
        return;
    elf_end(m->elf);
    symtab_free(m->symbols);
    free(m->segment);
    free(m);
}

void elf_set_budget(struct elf_module *m, struct budget *b)
{
    m->budget = b;
    elf_rest(m);
}

const uint8_t *elf_image(const struct elf_module *m, size_t *len)
{
    *len = m->len;
    return m->image;
}

static bool vaddr_in(const struct elf_module *m, uint64_t off, bool exec_only, uint64_t *vaddr)
{
    for (size_t i = 0; i < m->segments; i++) {
        const struct elf_segment *s = &m->segment[i];
        if ((exec_only && !s->exec) || off < s->off || off - s->off >= s->filesz)
            continue;
        *vaddr = s->vaddr + (off - s->off);
        return true;
    }
    return false;
}

bool elf_vaddr(const struct elf_module *m, uint64_t file_offset, uint64_t *vaddr)
{
    return vaddr_in(m, file_offset, true, vaddr) || vaddr_in(m, file_offset, false, vaddr);
}

bool elf_text(const struct elf_module *m, uint64_t *start, uint64_t *end)
{
    for (size_t i = 0; i < m->segments; i++) {
        const struct elf_segment *s = &m->segment[i];
        if (!s->exec || !s->memsz)
            continue;
        *start = s->vaddr;
        *end = s->vaddr + s->memsz;
        return true;
    }
    return false;
}

size_t elf_build_id(const struct elf_module *m, const uint8_t **id)
{
    *id = m->build_id;
    return m->build_id_len;
}

int elf_bits(const struct elf_module *m)
{
    return is_64_bit(m) ? 64 : 32;
}

bool elf_is_fixed(const struct elf_module *m)
{
    return m->head.e_type == ET_EXEC;
}

unsigned elf_machine(const struct elf_module *m)
{
    return m->head.e_machine;
}

bool elf_big_endian(const struct elf_module *m)
{
    return m->image[EI_DATA] == ELFDATA2MSB;
}
