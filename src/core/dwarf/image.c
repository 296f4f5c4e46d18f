#include "core/dwarf/image.h"

#include "core/elf/module.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const names[DWARF_SECTIONS] = {
    "debug_info",        "debug_abbrev",     "debug_line",   "debug_str",      "debug_line_str",
    "debug_str_offsets", "debug_addr",       "debug_ranges", "debug_rnglists", "debug_aranges",
    "debug_cu_index",    "gnu_debugaltlink", "debug_frame"};

static bool has_dwo(int s)
{
    return s != DWARF_ADDR && s != DWARF_RANGES && s != DWARF_ARANGES && s != DWARF_CU_INDEX &&
           s != DWARF_LINE_STR && s != DWARF_ALTLINK && s != DWARF_FRAME;
}

/* Which section a name means: .debug_info, .zdebug_info, and in split files .debug_info.dwo. */
static int section_of_name(const char *name, bool split, bool *zipped)
{
    if (name[0] != '.')
        return -1;
    *zipped = name[1] == 'z';
    name += 1 + *zipped;
    for (int s = 0; s < DWARF_SECTIONS; s++) {
        size_t len = strlen(names[s]);
        if (strncmp(name, names[s], len) == 0 &&
            strcmp(name + len, split && has_dwo(s) ? ".dwo" : "") == 0)
            return s;
    }
    return -1;
}

/* A compressed section, to be inflated once all are known. */
struct packed {
    const uint8_t *bytes;
    size_t len;
    uint64_t inflated; /* 0: there is none */
};

struct packed_sections {
    struct packed at[DWARF_SECTIONS];
};

static void leave_out(struct dwarf_image *d, uint64_t bytes)
{
    d->left_out.sections++;
    if (__builtin_add_overflow(d->left_out.bytes, bytes, &d->left_out.bytes))
        d->left_out.bytes = UINT64_MAX;
}

static void inflate_into(struct dwarf_image *d, int s, const struct packed *from)
{
    d->owned[s] = dwarf_inflate(from->bytes, from->len, from->inflated);
    if (!d->owned[s]) {
        budget_give(d->budget, (size_t)from->inflated);
        return;
    }
    d->section[s] = (struct dwarf_bytes){d->owned[s], (size_t)from->inflated};
    d->owned_bytes += (size_t)from->inflated;
}

static void inflate_all(struct dwarf_image *d, const struct packed_sections *p, size_t limit)
{
    for (int s = 0; s < DWARF_SECTIONS; s++) {
        uint64_t bytes = p->at[s].inflated;
        if (bytes > limit - d->owned_bytes || !budget_take(d->budget, (size_t)bytes))
            leave_out(d, bytes);
        else if (bytes)
            inflate_into(d, s, &p->at[s]);
    }
}

/* "ZLIB", the length as eight bytes of big end first, the stream. */
static void add_zdebug(struct packed *p, const uint8_t *bytes, size_t len)
{
    if (len > 12 && memcmp(bytes, "ZLIB", 4) == 0)
        *p = (struct packed){bytes + 12, len - 12, dwarf_read_be(bytes + 4, 8)};
}

/* Elf32_Chdr or Elf64_Chdr, the stream. */
static void add_compressed(struct packed *p, const struct elf_module *m, const uint8_t *bytes,
                           size_t len)
{
    bool wide = elf_bits(m) == 64;
    size_t head = wide ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);
    if (len > head && elf_number(m, bytes, 4) == ELFCOMPRESS_ZLIB)
        *p = (struct packed){bytes + head, len - head,
                             elf_number(m, bytes + (wide ? 8 : 4), wide ? 8 : 4)};
}

static void add_section(struct dwarf_image *d, struct elf_module *m, const GElf_Shdr *h,
                        const char *name, struct packed_sections *p)
{
    bool zipped = false;
    int s = section_of_name(name, d->split, &zipped);
    if (s < 0 || (s == DWARF_FRAME) != d->frame || d->section[s].len || p->at[s].inflated ||
        h->sh_type == SHT_NOBITS)
        return;
    const uint8_t *bytes = elf_bytes(m, h->sh_offset, h->sh_size);
    if (!bytes)
        return;
    if (h->sh_flags & SHF_COMPRESSED)
        add_compressed(&p->at[s], m, bytes, h->sh_size);
    else if (zipped)
        add_zdebug(&p->at[s], bytes, h->sh_size);
    else
        d->section[s] = (struct dwarf_bytes){bytes, h->sh_size};
}

static void add_sections(struct dwarf_image *d, struct elf_module *m)
{
    GElf_Shdr h;
    size_t strings = 0;
    struct packed_sections packed = {0};
    if (elf_getshdrstrndx(m->elf, &strings) < 0 || !elf_section(m, strings, &h))
        return;
    struct elf_strings all = elf_strings_at(m, h.sh_offset, h.sh_size);
    for (size_t i = 1; elf_section(m, i, &h); i++) {
        const char *name = elf_string(&all, h.sh_name);
        if (name)
            add_section(d, m, &h, name, &packed);
    }
    inflate_all(d, &packed, dwarf_inflate_limit(m->len));
}

static int read_sections(struct dwarf_image *d, const uint8_t *image, size_t len, struct fail *f)
{
    struct elf_module *m;
    int err = elf_open(image, len, &m, f);
    if (err)
        return err;
    d->big_endian = elf_big_endian(m);
    d->addr_size = (uint8_t)(elf_bits(m) / 8);
    add_sections(d, m);
    elf_close(m);
    return 0;
}

/* Of 22000000000 bytes: "22.0 GB". */
static void size_text(uint64_t bytes, char *out, size_t size)
{
    static const char *const units[] = {"bytes", "KB", "MB", "GB"};
    size_t unit = 0;
    double amount = (double)bytes;
    for (; amount >= 1024 && unit < 3; unit++)
        amount /= 1024;
    snprintf(out, size, "%.*f %s", unit ? 1 : 0, amount, units[unit]);
}

int dwarf_left_out_text(const struct dwarf_left_out *l, struct fail *f)
{
    char size[32];
    size_text(l->bytes, size, sizeof size);
    return fail_set(f, 0,
                    "%zu compressed debug section%s of %s %s left out: over the limit "
                    "(objcopy --decompress-debug-sections)",
                    l->sections, l->sections == 1 ? "" : "s", size,
                    l->sections == 1 ? "is" : "are");
}

int dwarf_image_read(struct dwarf_image *d, const uint8_t *image, size_t len, bool split,
                     struct budget *budget, struct fail *f)
{
    *d = (struct dwarf_image){.split = split, .budget = budget};
    int err = read_sections(d, image, len, f);
    if (err || (d->section[DWARF_INFO].len && d->section[DWARF_ABBREV].len))
        return err;
    if (d->left_out.sections) {
        dwarf_left_out_text(&d->left_out, f);
        return -EFBIG;
    }
    err = fail_set(f, ENODATA, "no debug information");
    fail_hint(f, "compile with -g, or name its file of debug symbols");
    return err;
}

int dwarf_image_read_frame(struct dwarf_image *d, const uint8_t *image, size_t len,
                           struct budget *budget, struct fail *f)
{
    *d = (struct dwarf_image){.frame = true, .budget = budget};
    int err = read_sections(d, image, len, f);
    if (err || d->section[DWARF_FRAME].len)
        return err;
    return fail_set(f, ENODATA, "no .debug_frame");
}

void dwarf_image_release(struct dwarf_image *d)
{
    for (int s = 0; s < DWARF_SECTIONS; s++)
        free(d->owned[s]);
    budget_give(d->budget, d->owned_bytes);
    *d = (struct dwarf_image){0};
}

struct dwarf_cursor dwarf_cursor_at(const struct dwarf_image *d, enum dwarf_section s,
                                    uint64_t offset)
{
    struct dwarf_bytes b = d->section[s];
    bool bad = offset > b.len;
    return (struct dwarf_cursor){b.at, bad ? b.len : (size_t)offset, b.len, d->big_endian, bad};
}

const char *dwarf_string_at(const struct dwarf_image *d, enum dwarf_section s, uint64_t offset)
{
    struct dwarf_bytes b = d->section[s];
    if (offset >= b.len || !memchr(b.at + offset, 0, b.len - (size_t)offset))
        return NULL;
    return (const char *)b.at + offset;
}
