#include "line.h"

#include "names.h"

struct program {
    struct dwarf_cursor c;
    struct dwarf_line_head head;
    size_t tables; /* where those of folders and files begin; they end where the rows begin */
    unsigned step; /* minimum_instruction_length */
    int line_base;
    unsigned line_range, opcode_base;
    const uint8_t *operands; /* of standard opcode 1, 2 ... */
    struct dwarf_row row;
    const struct dwarf_line_handler *handler;
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
    struct dwarf_line_head *h = &p->head;
    if (!read_length(c, &h->offset_size))
        return false;
    h->version = (unsigned)dwarf_number(c, 2);
    if (h->version == 5)
        dwarf_skip(c, 2); /* address and segment selector size */
    uint64_t len = dwarf_number(c, h->offset_size);
    size_t head = c->at;
    p->step = (unsigned)dwarf_number(c, 1);
    dwarf_skip(c,
               h->version >= 4 ? 2 : 1); /* maximum_operations_per_instruction, default_is_stmt */
    p->line_base = (int8_t)dwarf_number(c, 1);
    p->line_range = (unsigned)dwarf_number(c, 1);
    p->opcode_base = (unsigned)dwarf_number(c, 1);
    p->operands = c->base + c->at;
    dwarf_skip(c, p->opcode_base ? p->opcode_base - 1 : 0);
    p->tables = c->at;
    bool ok = !c->bad && h->version >= 2 && h->version <= 5 && p->line_range && p->opcode_base &&
              len >= c->at - head && len <= c->end - head;
    c->at = ok ? head + (size_t)len : c->end;
    return ok;
}

static void read_tables(const struct program *p)
{
    struct dwarf_cursor c = p->c;
    c.end = c.at;
    c.at = p->tables;
    dwarf_files_read(&p->head, c, p->handler);
}

static void begin_sequence(struct program *p)
{
    p->row = (struct dwarf_row){.line = 1, .file = 1};
}

static bool emit_row(struct program *p)
{
    bool on = p->handler->row(p->handler->arg, &p->row);
    p->row.discriminator = 0;
    return on;
}

static bool run_special(struct program *p, unsigned opcode)
{
    unsigned adjusted = opcode - p->opcode_base;
    p->row.addr += (uint64_t)(adjusted / p->line_range) * p->step;
    p->row.line += (uint64_t)(int64_t)(p->line_base + (int)(adjusted % p->line_range));
    return emit_row(p);
}

static bool define_file(const struct program *p, size_t end)
{
    struct dwarf_cursor c = p->c;
    struct dwarf_line_name file;
    c.end = end;
    return !dwarf_files_entry(&c, &file) || p->handler->file(p->handler->arg, &file);
}

static bool run_extended(struct program *p)
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
        on = emit_row(p);
        begin_sequence(p);
        break;
    case DW_LNE_set_address:
        if (len == 9 || len == 5 || len == 3)
            p->row.addr = dwarf_number(c, (unsigned)len - 1);
        break;
    case DW_LNE_define_file:
        on = define_file(p, next);
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

static bool run_standard(struct program *p, unsigned opcode)
{
    switch (opcode) {
    case DW_LNS_copy:
        return emit_row(p);
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

static void read_rows(struct program *p)
{
    begin_sequence(p);
    for (bool on = true; on && !p->c.bad && p->c.at < p->c.end;) {
        unsigned opcode = (unsigned)dwarf_number(&p->c, 1);
        if (opcode >= p->opcode_base)
            on = run_special(p, opcode);
        else
            on = opcode ? run_standard(p, opcode) : run_extended(p);
    }
}

unsigned dwarf_line_read(const struct dwarf_image *d, uint64_t offset,
                         const struct dwarf_line_handler *handler)
{
    struct program p = {.c = dwarf_cursor_at(d, DWARF_LINE, offset),
                        .head.addr_size = d->addr_size,
                        .handler = handler};
    if (!read_head(&p))
        return 0;
    read_tables(&p);
    read_rows(&p);
    return p.head.version;
}
