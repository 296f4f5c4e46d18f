/* Addresses of code in data: what a table of labels or of functions is made of. */
#include "core/elf/module.h"

/* A hostile file has its bytes in any number of segments: so many are looked into, and of their
 * bytes as many as the file has. */
enum { MAX_SEGMENTS = 64 };

struct search {
    struct elf_module *m;
    size_t segments;
    uint64_t left; /* bytes */
    elf_pointer_found *found;
    void *arg;
};

static void offer(const struct search *s, uint64_t at, uint64_t vaddr)
{
    for (size_t i = 0; i < s->segments; i++) {
        const struct elf_segment *x = &s->m->segment[i];
        if (x->exec && vaddr >= x->vaddr && vaddr - x->vaddr < x->memsz)
            s->found(s->arg, at, vaddr);
    }
}

static void search_words(struct search *s, const struct elf_segment *x)
{
    unsigned size = (unsigned)elf_bits(s->m) / 8;
    uint64_t skip = -x->vaddr & (size - 1);
    const uint8_t *bytes = x->filesz <= s->left ? elf_bytes(s->m, x->off, x->filesz) : NULL;
    s->left -= bytes ? x->filesz : 0;
    for (uint64_t at = skip; bytes && at < x->filesz && x->filesz - at >= size; at += size)
        offer(s, x->vaddr + at, elf_number(s->m, bytes + at, size));
}

/* Where the relocations with addends are: PT_DYNAMIC's DT_RELA. */
static Elf_Data *find_relocations(struct elf_module *m)
{
    uint64_t addr = 0, len = 0, off, avail;
    GElf_Phdr p;
    GElf_Dyn e;
    for (size_t i = 0; elf_next_segment(m, PT_DYNAMIC, &i, &p);) {
        Elf_Data *d = elf_records(m, p.p_offset, p.p_filesz, ELF_T_DYN);
        for (int k = 0; d && gelf_getdyn(d, k, &e) && e.d_tag != DT_NULL; k++) {
            addr = e.d_tag == DT_RELA ? e.d_un.d_ptr : addr;
            len = e.d_tag == DT_RELASZ ? e.d_un.d_val : len;
        }
    }
    if (!addr || !elf_offset(m, addr, &off, &avail))
        return NULL;
    return elf_records(m, off, len < avail ? len : avail, ELF_T_RELA);
}

static void search_relocations(const struct search *s)
{
    GElf_Rela r;
    Elf_Data *d = elf_wake(s->m) ? find_relocations(s->m) : NULL;
    for (int i = 0; d && gelf_getrela(d, i, &r); i++)
        if (GELF_R_SYM(r.r_info) == 0)
            offer(s, r.r_offset, (uint64_t)r.r_addend);
}

void elf_code_pointers(struct elf_module *m, elf_pointer_found *found, void *arg)
{
    struct search s = {.m = m, .left = m->len, .found = found, .arg = arg};
    s.segments = m->segments < MAX_SEGMENTS ? m->segments : MAX_SEGMENTS;
    for (size_t i = 0; i < s.segments; i++)
        search_words(&s, &m->segment[i]);
    search_relocations(&s);
}
