#include "core/elf/module.h"

#include <string.h>

bool elf_section(struct elf_module *m, size_t index, GElf_Shdr *out)
{
    Elf_Scn *s = elf_getscn(m->elf, index);
    return s && gelf_getshdr(s, out);
}

static struct elf_strings strings_of_section(struct elf_module *m, size_t index)
{
    GElf_Shdr s;
    if (!index || !elf_section(m, index, &s) || s.sh_type != SHT_STRTAB ||
        s.sh_flags & SHF_COMPRESSED)
        return (struct elf_strings){NULL, 0};
    return elf_strings_at(m, s.sh_offset, s.sh_size);
}

static void set_by_type(struct elf_sections *p, size_t i, uint32_t type)
{
    size_t *slot = type == SHT_SYMTAB         ? &p->symtab
                   : type == SHT_DYNSYM       ? &p->dynsym
                   : type == SHT_SYMTAB_SHNDX ? &p->extended
                                              : NULL;
    if (slot && !*slot)
        *slot = i;
}

static void set_by_name(struct elf_sections *p, size_t i, const char *name)
{
    const struct {
        const char *name;
        size_t *slot;
    } known[] = {{".plt", &p->plt},          {".plt.sec", &p->plt_sec},  {".plt.got", &p->plt_got},
                 {".iplt", &p->iplt},        {".rela.plt", &p->rel_plt}, {".rel.plt", &p->rel_plt},
                 {".rela.dyn", &p->rel_dyn}, {".rel.dyn", &p->rel_dyn}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (!*known[k].slot && !strcmp(name, known[k].name))
            *known[k].slot = i;
}

struct elf_strings elf_section_names(struct elf_module *m)
{
    size_t strings = 0;
    elf_getshdrstrndx(m->elf, &strings);
    return strings_of_section(m, strings);
}

bool elf_next_section(struct elf_module *m, const char *name, size_t *i, GElf_Shdr *out)
{
    struct elf_strings names = elf_section_names(m);
    while (elf_section(m, (*i)++, out)) {
        const char *own = elf_string(&names, out->sh_name);
        if (own && strcmp(own, name) == 0)
            return true;
    }
    return false;
}

void elf_find_sections(struct elf_module *m, struct elf_sections *p)
{
    *p = (struct elf_sections){0};
    struct elf_strings names = elf_section_names(m);
    GElf_Shdr s;
    for (size_t i = 1; elf_section(m, i, &s); i++) {
        const char *name = elf_string(&names, s.sh_name);
        set_by_type(p, i, s.sh_type);
        if (name)
            set_by_name(p, i, name);
    }
}

static bool fill_table(struct elf_module *m, uint64_t off, uint64_t len, struct elf_table *t)
{
    size_t each = gelf_fsize(m->elf, ELF_T_SYM, 1, EV_CURRENT);
    t->symbols = elf_records(m, off, len, ELF_T_SYM);
    t->count = t->symbols && each ? t->symbols->d_size / each : 0;
    t->left_out = t->count ? len / each - t->count : 0;
    return t->count && t->names.len;
}

bool elf_table_of_section(struct elf_module *m, size_t index, size_t extended,
                          struct elf_table *out)
{
    GElf_Shdr s;
    size_t each = gelf_fsize(m->elf, ELF_T_SYM, 1, EV_CURRENT);
    *out = (struct elf_table){0};
    if (!index || !elf_section(m, index, &s) || s.sh_flags & SHF_COMPRESSED ||
        (s.sh_type != SHT_SYMTAB && s.sh_type != SHT_DYNSYM) ||
        (s.sh_entsize && s.sh_entsize != each))
        return false;
    out->names = strings_of_section(m, s.sh_link);
    if (!fill_table(m, s.sh_offset, s.sh_size, out))
        return false;
    if (extended && elf_section(m, extended, &s) && s.sh_link == index)
        out->extended = elf_records(m, s.sh_offset, s.sh_size, ELF_T_WORD);
    return true;
}

struct dynamic {
    uint64_t symbols, names, names_len, hash, gnu_hash;
};

static bool read_dynamic(struct elf_module *m, struct dynamic *d)
{
    size_t first = 0;
    GElf_Phdr p;
    if (!elf_next_segment(m, PT_DYNAMIC, &first, &p))
        return false;
    Elf_Data *data = elf_records(m, p.p_offset, p.p_filesz, ELF_T_DYN);
    GElf_Dyn e;
    for (int i = 0; data && gelf_getdyn(data, i, &e) && e.d_tag != DT_NULL; i++) {
        uint64_t *slot = e.d_tag == DT_SYMTAB     ? &d->symbols
                         : e.d_tag == DT_STRTAB   ? &d->names
                         : e.d_tag == DT_STRSZ    ? &d->names_len
                         : e.d_tag == DT_HASH     ? &d->hash
                         : e.d_tag == DT_GNU_HASH ? &d->gnu_hash
                                                  : NULL;
        if (slot)
            *slot = e.d_un.d_ptr;
    }
    return d->symbols && d->names;
}

/* One of the numbers of a hash table, all 32 bits wide. */
static bool word_at(const struct elf_module *m, uint64_t table, uint64_t at, uint64_t *out)
{
    const uint8_t *bytes = elf_bytes(m, table + at, 4);
    if (bytes)
        *out = elf_number(m, bytes, 4);
    return bytes;
}

/* DT_HASH: buckets, chains, and there is a chain for every symbol. */
static uint64_t count_by_hash(const struct elf_module *m, uint64_t addr)
{
    uint64_t off, avail, count = 0;
    return addr && elf_offset(m, addr, &off, &avail) && word_at(m, off, 4, &count) ? count : 0;
}

/* DT_GNU_HASH has no count: the last chain ends with the last symbol, marked by its lowest bit. */
static uint64_t count_by_gnu_hash(const struct elf_module *m, uint64_t addr)
{
    uint64_t off, avail, buckets, first, bloom, last = 0, chain = 1;
    if (!addr || !elf_offset(m, addr, &off, &avail) || !word_at(m, off, 0, &buckets) ||
        !word_at(m, off, 4, &first) || !word_at(m, off, 8, &bloom))
        return 0;
    enum { MOST = 1 << 24 }; /* of symbols, and of buckets: a hole has any number */
    off += 16 + bloom * (uint64_t)(elf_bits(m) / 8);
    if (buckets > MOST)
        return 0;
    for (uint64_t i = 0, symbol; i < buckets; i++) {
        if (!word_at(m, off, 4 * i, &symbol))
            return 0;
        last = symbol > last ? symbol : last;
    }
    if (last < first)
        return first;
    for (off += 4 * buckets; last < MOST && word_at(m, off, 4 * (last - first), &chain); last++)
        if (chain & 1)
            return last + 1;
    return 0;
}

bool elf_table_of_dynamic(struct elf_module *m, struct elf_table *out)
{
    struct dynamic d = {0};
    uint64_t off, avail, bytes;
    *out = (struct elf_table){0};
    if (!read_dynamic(m, &d) || !elf_offset(m, d.names, &off, &avail))
        return false;
    out->names = elf_strings_at(m, off, d.names_len < avail ? d.names_len : avail);
    uint64_t count = count_by_hash(m, d.hash);
    if (!count)
        count = count_by_gnu_hash(m, d.gnu_hash);
    if (!elf_offset(m, d.symbols, &off, &avail))
        return false;
    bytes = count * gelf_fsize(m->elf, ELF_T_SYM, 1, EV_CURRENT);
    return fill_table(m, off, bytes < avail ? bytes : avail, out);
}

bool elf_section_start(struct elf_module *m, const char *name, uint64_t *start)
{
    if (!elf_wake(m))
        return false;
    size_t first = 1;
    GElf_Shdr s;
    bool found = elf_next_section(m, name, &first, &s);
    if (found)
        *start = s.sh_addr;
    return found;
}
