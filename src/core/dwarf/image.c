#include "core/dwarf/image.h"

#include "core/elf/module.h"
#include "packed.h"

#include <errno.h>
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

struct packed_sections {
    struct dwarf_packed at[DWARF_SECTIONS];
};

static int unpack(struct dwarf_image *d, int s, const struct dwarf_packed *p, size_t limit)
{
    if (!p->has_header)
        return -EBADMSG;
    if (!dwarf_unpacks(p->type))
        return -ENOTSUP;
    size_t len = (size_t)p->unpacked_len;
    if (p->unpacked_len > limit - d->owned_bytes || !budget_take(d->budget, len))
        return -EFBIG;
    int err = dwarf_unpack(p, &d->owned[s]);
    if (err) {
        budget_give(d->budget, len);
        return err;
    }
    d->section[s] = (struct dwarf_bytes){d->owned[s], len};
    d->owned_bytes += len;
    return 0;
}

/* In the order of enum dwarf_section, when all are known. */
static void unpack_all(struct dwarf_image *d, const struct packed_sections *all, size_t limit)
{
    for (int s = 0; s < DWARF_SECTIONS; s++) {
        const struct dwarf_packed *p = &all->at[s];
        int err = p->is_there ? unpack(d, s, p, limit) : 0;
        if (!err)
            continue;
        dwarf_leave_out(&d->left_out, err, p->type, p->unpacked_len);
        d->missing |= UINT32_C(1) << s;
    }
}

static void add_section(struct dwarf_image *d, struct elf_module *m, const GElf_Shdr *h,
                        const char *name, struct packed_sections *p)
{
    bool zipped = false;
    int s = section_of_name(name, d->split, &zipped);
    if (s < 0 || (s == DWARF_FRAME) != d->frame || d->section[s].len || p->at[s].is_there ||
        h->sh_type == SHT_NOBITS)
        return;
    const uint8_t *bytes = elf_bytes(m, h->sh_offset, h->sh_size);
    if (!bytes)
        return;
    if (h->sh_flags & SHF_COMPRESSED)
        p->at[s] = dwarf_packed_compressed(m, bytes, h->sh_size);
    else if (zipped)
        p->at[s] = dwarf_packed_zdebug(bytes, h->sh_size);
    else
        d->section[s] = (struct dwarf_bytes){bytes, h->sh_size};
}

static void add_sections(struct dwarf_image *d, struct elf_module *m)
{
    GElf_Shdr h;
    struct packed_sections packed = {0};
    struct elf_strings all = elf_section_names(m);
    for (size_t i = 1; elf_section(m, i, &h); i++) {
        const char *name = elf_string(&all, h.sh_name);
        if (name)
            add_section(d, m, &h, name, &packed);
    }
    unpack_all(d, &packed, dwarf_inflate_limit(m->len));
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

int dwarf_image_read(struct dwarf_image *d, const uint8_t *image, size_t len, bool split,
                     struct budget *budget, struct fail *f)
{
    *d = (struct dwarf_image){.split = split, .budget = budget};
    int err = read_sections(d, image, len, f);
    if (err || (d->section[DWARF_INFO].len && d->section[DWARF_ABBREV].len))
        return err;
    if (dwarf_left_out_any(&d->left_out))
        return dwarf_left_out_text(&d->left_out, f);
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
