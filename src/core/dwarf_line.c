#include "dwarf_line.h"

#include <dwarf.h>

struct program {
    struct dwarf_cursor c;
    unsigned version, offset_size, step; /* step: minimum_instruction_length */
    int line_base;
    unsigned line_range, opcode_base;
    const uint8_t *operands; /* of standard opcode 1, 2 ... */
    struct dwarf_row row;
    dwarf_row_taker *take;
    void *arg;
};

static bool read_length(struct dwarf_cursor *c, unsigned *offset_size)
{
    uint64_t len = dwarf_number(c, 4);
    *offset_size = len == 0xffffffff ? 8 : 4;
    if (*offset_size == 8)
        len = dwarf_number(c, 8);
    if (len < c->end - c->at)
        c->end = c->at + (size_t)len;
    return !c->bad;
}

/* The cursor is then at the program. */
static bool read_head(struct program *p)
{
    struct dwarf_cursor *c = &p->c;
    if (!read_length(c, &p->offset_size))
        return false;
    p->version = (unsigned)dwarf_number(c, 2);
    if (p->version == 5)
        dwarf_skip(c, 2); /* address and segment selector size */
    uint64_t len = dwarf_number(c, p->offset_size);
    size_t head = c->at;
    p->step = (unsigned)dwarf_number(c, 1);
    dwarf_skip(c,
               p->version >= 4 ? 2 : 1); /* maximum_operations_per_instruction, default_is_stmt */
    p->line_base = (int8_t)dwarf_number(c, 1);
    p->line_range = (unsigned)dwarf_number(c, 1);
    p->opcode_base = (unsigned)dwarf_number(c, 1);
    p->operands = c->base + c->at;
    dwarf_skip(c, p->opcode_base ? p->opcode_base - 1 : 0);
    bool ok = !c->bad && p->version >= 2 && p->version <= 5 && p->line_range && p->opcode_base &&
              len >= c->at - head && len <= c->end - head;
    c->at = ok ? head + (size_t)len : c->end;
    return ok;
}

static void begin_sequence(struct program *p)
{
    p->row = (struct dwarf_row){.line = 1, .file = 1};
}

static bool emit(struct program *p)
{
    bool on = p->take(p->arg, &p->row);
    p->row.discriminator = 0;
    return on;
}

static bool special(struct program *p, unsigned opcode)
{
    unsigned adjusted = opcode - p->opcode_base;
    p->row.addr += (uint64_t)(adjusted / p->line_range) * p->step;
    p->row.line += (uint64_t)(int64_t)(p->line_base + (int)(adjusted % p->line_range));
    return emit(p);
}

static bool extended(struct program *p)
{
    struct dwarf_cursor *c = &p->c;
    uint64_t len = dwarf_uleb(c);
    if (!dwarf_fits(c, len) || !len)
        return !c->bad;
    size_t next = c->at + (size_t)len;
    bool on = true;
    switch (dwarf_number(c, 1)) {
    case DW_LNE_end_sequence:
        p->row.end = true;
        on = emit(p);
        begin_sequence(p);
        break;
    case DW_LNE_set_address:
        if (len == 9 || len == 5 || len == 3)
            p->row.addr = dwarf_number(c, (unsigned)len - 1);
        break;
    case DW_LNE_set_discriminator:
        p->row.discriminator = dwarf_uleb(c);
        break;
    default:
        break;
    }
    c->at = next;
    return on;
}

static void skip_operands(struct program *p, unsigned opcode)
{
    for (unsigned i = p->operands[opcode - 1]; i; i--)
        dwarf_skip_leb(&p->c);
}

static bool standard(struct program *p, unsigned opcode)
{
    switch (opcode) {
    case DW_LNS_copy:
        return emit(p);
    case DW_LNS_advance_pc:
        p->row.addr += dwarf_uleb(&p->c) * p->step;
        break;
    case DW_LNS_advance_line:
        p->row.line += (uint64_t)dwarf_sleb(&p->c);
        break;
    case DW_LNS_set_file:
        p->row.file = dwarf_uleb(&p->c);
        break;
    case DW_LNS_set_column:
        p->row.column = dwarf_uleb(&p->c);
        break;
    case DW_LNS_const_add_pc:
        p->row.addr += (uint64_t)((255 - p->opcode_base) / p->line_range) * p->step;
        break;
    case DW_LNS_fixed_advance_pc:
        p->row.addr += dwarf_number(&p->c, 2);
        break;
    default:
        skip_operands(p, opcode);
    }
    return true;
}

unsigned dwarf_line_rows(const struct dwarf_image *d, uint64_t offset, dwarf_row_taker *take,
                         void *arg)
{
    struct program p = {.c = dwarf_cursor_at(d, DWARF_LINE, offset), .take = take, .arg = arg};
    if (!read_head(&p))
        return 0;
    begin_sequence(&p);
    for (bool on = true; on && !p.c.bad && p.c.at < p.c.end;) {
        unsigned opcode = (unsigned)dwarf_number(&p.c, 1);
        if (opcode >= p.opcode_base)
            on = special(&p, opcode);
        else
            on = opcode ? standard(&p, opcode) : extended(&p);
    }
    return p.version;
}

struct dwarf_bytes dwarf_line_bytes(const struct dwarf_image *d, uint64_t offset)
{
    unsigned offset_size;
    struct dwarf_cursor c = dwarf_cursor_at(d, DWARF_LINE, offset);
    size_t start = c.at;
    if (c.bad || !read_length(&c, &offset_size))
        return (struct dwarf_bytes){NULL, 0};
    return (struct dwarf_bytes){c.base + start, c.end - start};
}
