/*
 * The entries of .eh_frame and .debug_frame: what functions have in common (CIE) and the functions
 * (FDE). The two sections differ in what marks a CIE, how it is pointed to, and how addresses are
 * written.
 */
#include "cfi_table.h"

enum { /* DW_EH_PE_: the low four bits are the format, the next three what it counts from */
       FORMAT = 0x0f,
       ABSOLUTE = 0,
       ULEB = 1,
       DATA2 = 2,
       DATA4 = 3,
       DATA8 = 4,
       SLEB = 9,
       SIGNED = 8,
       BASE = 0x70,
       FROM_HERE = 0x10,
       ALIGNED = 0x50,
       INDIRECT = 0x80,
       OMITTED = 0xff,
};

static uint64_t sign_extended(uint64_t n, unsigned bytes)
{
    unsigned up = 64 - 8 * bytes;
    return (uint64_t)((int64_t)(n << up) >> up);
}

static uint64_t encoded_number(struct dwarf_cursor *c, uint8_t format, uint8_t addr_size)
{
    static const uint8_t sizes[] = {[DATA2] = 2, [DATA4] = 4, [DATA8] = 8};
    uint8_t kind = format & ~SIGNED & FORMAT;
    if (format == ULEB)
        return dwarf_uleb(c);
    if (format == SLEB)
        return (uint64_t)dwarf_sleb(c);
    if (kind == ABSOLUTE)
        return dwarf_number(c, addr_size);
    if (kind > DATA8) {
        c->bad = true;
        return 0;
    }
    uint64_t n = dwarf_number(c, sizes[kind]);
    return format & SIGNED ? sign_extended(n, sizes[kind]) : n;
}

static void align(const struct cfi_section *s, struct dwarf_cursor *c, uint8_t addr_size)
{
    uint64_t here = s->addr + c->at;
    dwarf_skip(c, -here & (addr_size - 1u));
}

uint64_t cfi_pointer(const struct cfi_section *s, struct dwarf_cursor *c, uint8_t encoding,
                     uint8_t addr_size)
{
    uint64_t here = s->addr + c->at;
    if (encoding == ALIGNED) {
        align(s, c, addr_size);
        return dwarf_number(c, addr_size);
    }
    uint64_t n = encoded_number(c, encoding & FORMAT, addr_size);
    if ((encoding & BASE) == FROM_HERE)
        n += here;
    if (encoding & INDIRECT || ((encoding & BASE) && (encoding & BASE) != FROM_HERE))
        c->bad = true;
    return addr_size == 4 ? (uint32_t)n : n;
}

/* Where an FDE's CIE is: .eh_frame counts back from the pointer itself. */
static void read_cie_offset(const struct cfi_section *s, struct dwarf_cursor *c, bool wide,
                            struct cfi_head *out)
{
    size_t here = c->at;
    unsigned size = wide && !s->eh ? 8 : 4;
    uint64_t id = dwarf_number(c, size);
    out->is_cie = s->eh ? id == 0 : id == (size == 8 ? UINT64_MAX : UINT32_MAX);
    uint64_t place = s->eh ? here - id : id;
    out->cie = place < s->len ? (size_t)place : s->len;
    out->body = c->at;
}

bool cfi_next_head(const struct cfi_section *s, struct dwarf_cursor *c, struct cfi_head *out)
{
    uint64_t len = 0;
    do { /* an entry of no length ends what one object file brought */
        out->at = c->at;
        len = dwarf_number(c, 4);
    } while (!len && !c->bad);
    bool wide = len == UINT32_MAX;
    if (wide)
        len = dwarf_number(c, 8);
    if (c->bad || len > c->end - c->at)
        return false;
    out->end = c->at + (size_t)len;
    struct dwarf_cursor body = {s->bytes, c->at, out->end, s->big_endian, false};
    read_cie_offset(s, &body, wide, out);
    c->at = out->end;
    return !body.bad;
}

/* The letters behind z: of what is not known, the augmentation data's length tells the end. */
static void read_letters(const struct cfi_section *s, struct dwarf_cursor *c, const char *letters,
                         struct cfi_cie *out)
{
    for (; *letters; letters++) {
        if (*letters == 'L') {
            dwarf_skip(c, 1);
        } else if (*letters == 'R') {
            out->encoding = (uint8_t)dwarf_number(c, 1);
        } else if (*letters == 'P') {
            uint8_t encoding = (uint8_t)dwarf_number(c, 1);
            if (encoding == ALIGNED)
                align(s, c, out->addr_size);
            if (encoding != OMITTED)
                encoded_number(c, encoding & FORMAT, out->addr_size);
        } else if (*letters == 'S') {
            out->signal = true;
        } else if (*letters != 'B' && *letters != 'G') { /* pac-ret's other key, tagged stacks */
            return;
        }
    }
}

static void read_augmentation(const struct cfi_section *s, struct dwarf_cursor *c,
                              const char *letters, struct cfi_cie *out)
{
    out->sized = letters[0] == 'z';
    if (!out->sized) {
        out->bad |= letters[0] != '\0' && strcmp(letters, "eh") != 0;
        return;
    }
    uint64_t len = dwarf_uleb(c);
    if (!dwarf_fits(c, len))
        return;
    struct dwarf_cursor data = {s->bytes, c->at, c->at + (size_t)len, s->big_endian, false};
    read_letters(s, &data, letters + 1, out);
    c->at += (size_t)len;
    out->bad |= data.bad;
}

static bool known_version(const struct cfi_section *s, uint64_t version)
{
    return version == 1 || version == 3 || (version == 4 && !s->eh);
}

static void read_body(const struct cfi_section *s, struct dwarf_cursor *c, struct cfi_cie *out)
{
    uint64_t version = dwarf_number(c, 1), segment_size = 0;
    const char *letters = (const char *)c->base + c->at;
    dwarf_skip_string(c);
    out->bad = c->bad || !known_version(s, version);
    if (out->bad)
        return;
    if (strcmp(letters, "eh") == 0) /* gcc 2: a pointer to a table of its own */
        dwarf_skip(c, out->addr_size);
    if (version == 4) {
        out->addr_size = (uint8_t)dwarf_number(c, 1);
        segment_size = dwarf_number(c, 1);
    }
    out->code_align = dwarf_uleb(c);
    out->data_align = dwarf_sleb(c);
    uint64_t reg = version == 1 ? dwarf_number(c, 1) : dwarf_uleb(c);
    out->return_register = (unsigned)(reg < CFI_REGISTERS ? reg : CFI_REGISTERS);
    read_augmentation(s, c, letters, out);
    out->bad |= c->bad || reg >= CFI_REGISTERS || segment_size ||
                (out->addr_size != 4 && out->addr_size != 8);
}

void cfi_read_cie(const struct cfi_section *s, size_t at, struct cfi_cie *out)
{
    struct cfi_head h;
    struct dwarf_cursor c = {s->bytes, at, s->len, s->big_endian, false};
    *out = (struct cfi_cie){.at = at, .end = at, .addr_size = s->addr_size, .bad = true};
    if (at >= s->len || !cfi_next_head(s, &c, &h) || h.at != at || !h.is_cie)
        return;
    out->end = h.end;
    struct dwarf_cursor body = {s->bytes, h.body, h.end, s->big_endian, false};
    read_body(s, &body, out);
    out->program = body.at;
}

bool cfi_read_entry(const struct cfi_section *s, const struct cfi_head *h,
                    const struct cfi_cie *cie, struct cfi_entry *out)
{
    struct dwarf_cursor c = {s->bytes, h->body, h->end, s->big_endian, false};
    out->start = cfi_pointer(s, &c, cie->encoding, cie->addr_size);
    uint64_t len = encoded_number(&c, cie->encoding & (FORMAT & ~SIGNED), cie->addr_size);
    if (cie->sized)
        dwarf_skip(&c, dwarf_uleb(&c));
    out->end = out->start + len;
    out->cie = cie->at;
    out->program = c.at;
    out->program_end = h->end;
    return !c.bad && len && out->end > out->start;
}
