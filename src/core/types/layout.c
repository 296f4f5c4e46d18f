#include "core/text/shown.h"
#include "writer.h"

#include <inttypes.h>
#include <stdio.h>

enum { COLUMN = 48, INDENT = 4, MAX_NESTED = 16, MAX_LINES = 16384, MAX_BYTES = 4 << 20 };

struct layout {
    const struct types *types;
    struct buf *out, line;
    size_t from; /* of out */
    unsigned deep, lines;
};

struct sums {
    uint64_t end; /* one past the last bit */
    uint64_t hole_bits, holes;
};

/* --- lines --- */

static void start_line(struct layout *l)
{
    buf_clear(&l->line);
    for (unsigned i = 0; i < l->deep * INDENT; i++)
        buf_addc(&l->line, ' ');
}

static void end_line(struct layout *l)
{
    buf_add(l->out, buf_str(&l->line), l->line.len);
    buf_addc(l->out, '\n');
    if (buf_error(&l->line))
        l->out->err = buf_error(&l->line);
    l->lines++;
}

static void pad_line(struct layout *l)
{
    do
        buf_addc(&l->line, ' ');
    while (l->line.len < COLUMN && !l->line.err);
}

/* False: enough was written. */
static bool has_room(const struct layout *l)
{
    return l->lines < MAX_LINES && l->out->len - l->from < MAX_BYTES;
}

/* --- members --- */

const struct type *types_nested(const struct types *t, uint32_t id, bool *pointed)
{
    *pointed = false;
    for (int deep = 0; deep < TYPES_DEEPEST; deep++) {
        const struct type *one = &t->type[id];
        if (one->kind >= TYPE_STRUCT && one->kind <= TYPE_UNION)
            return one->name || one->incomplete ? NULL : one;
        bool through = one->kind == TYPE_ARRAY || one->kind == TYPE_POINTER ||
                       one->kind > TYPE_TYPEDEF || (one->kind == TYPE_TYPEDEF && !one->name);
        if (!through)
            return NULL;
        *pointed |= one->kind == TYPE_POINTER;
        id = one->of;
    }
    return NULL;
}

static struct sums write_members(struct layout *l, const struct type *s, uint64_t from_bit);

static void open_nested(struct layout *l, const struct type *s)
{
    start_line(l);
    buf_printf(&l->line, "%s {", types_keyword(s->kind));
    end_line(l);
    l->deep++;
}

static uint64_t member_bits(const struct types *t, const struct type_member *m)
{
    uint64_t bytes = types_size(t, m->type);
    return m->bits ? m->bits : bytes > UINT64_MAX / 8 ? 0 : bytes * 8;
}

static void write_place(struct layout *l, const struct type_member *m, uint64_t from_bit)
{
    uint64_t at = from_bit + m->bit_offset;
    char bit[8] = "";
    if (m->bits)
        snprintf(bit, sizeof bit, ":%u", (unsigned)(at % 8));
    pad_line(l);
    buf_printf(&l->line, "/* %5" PRIu64 "%-2s %5" PRIu64 " */", at / 8, bit,
               types_size(l->types, m->type));
}

static void write_member(struct layout *l, const struct type_member *m, uint64_t from_bit)
{
    bool pointed;
    const struct type *nested =
        l->deep < MAX_NESTED ? types_nested(l->types, m->type, &pointed) : NULL;
    if (nested) {
        open_nested(l, nested);
        write_members(l, nested, pointed ? 0 : from_bit + m->bit_offset);
        l->deep--;
    }
    start_line(l);
    types_declare_as(l->types, m->type, m->name, nested ? "}" : NULL, &l->line);
    if (m->bits)
        buf_printf(&l->line, " : %u", (unsigned)m->bits);
    buf_addc(&l->line, ';');
    write_place(l, m, from_bit);
    end_line(l);
}

static void add_bits(struct buf *out, uint64_t bits)
{
    if (bits >= 8)
        buf_printf(out, "%" PRIu64 " byte%s", bits / 8, bits / 8 == 1 ? "" : "s");
    if (bits % 8)
        buf_printf(out, "%s%u bit%s", bits >= 8 ? " " : "", (unsigned)(bits % 8),
                   bits % 8 == 1 ? "" : "s");
}

/* The gap between what went before and the bit where the next member begins. */
static void write_hole(struct layout *l, struct sums *sums, uint64_t next)
{
    if (next <= sums->end)
        return;
    sums->holes++;
    sums->hole_bits += next - sums->end;
    start_line(l);
    pad_line(l);
    buf_adds(&l->line, "/* hole: ");
    add_bits(&l->line, next - sums->end);
    buf_adds(&l->line, " */");
    end_line(l);
}

static void account(const struct types *t, const struct type_member *m, struct sums *sums)
{
    uint64_t end;
    if (__builtin_add_overflow(m->bit_offset, member_bits(t, m), &end))
        end = UINT64_MAX;
    if (end > sums->end)
        sums->end = end;
}

static struct sums write_members(struct layout *l, const struct type *s, uint64_t from_bit)
{
    struct sums sums = {0};
    for (uint32_t i = 0; i < s->count && has_room(l); i++) {
        const struct type_member *m = &l->types->member[s->first + i];
        if (s->kind != TYPE_UNION)
            write_hole(l, &sums, m->bit_offset);
        write_member(l, m, from_bit);
        account(l->types, m, &sums);
    }
    return sums;
}

static void write_sums(struct layout *l, const struct type *s, const struct sums *sums)
{
    struct buf *out = &l->line;
    uint64_t bits = s->bytes > UINT64_MAX / 8 ? 0 : s->bytes * 8;
    buf_printf(out, "/* size: %" PRIu64, s->bytes);
    if (s->kind != TYPE_ENUM)
        buf_printf(out, ", members: %u", (unsigned)s->count);
    if (sums->holes) {
        buf_printf(out, ", holes: %" PRIu64 " of ", sums->holes);
        add_bits(out, sums->hole_bits);
    }
    if (s->kind != TYPE_ENUM && s->count && sums->end < bits) {
        buf_adds(out, ", padding: ");
        add_bits(out, bits - sums->end);
    }
    buf_adds(out, " */");
}

/* --- whole definitions --- */

static void write_enumerators(struct layout *l, const struct type *e)
{
    for (uint32_t i = 0; i < e->count && has_room(l); i++) {
        const struct type_member *m = &l->types->member[e->first + i];
        start_line(l);
        shown_adds(&l->line, m->name ? m->name : "?");
        buf_printf(&l->line, e->encoding == TYPE_SIGNED ? " = %" PRId64 "," : " = %" PRIu64 ",",
                   m->bit_offset);
        end_line(l);
    }
}

static void write_head(struct layout *l, uint32_t id, const struct type *s)
{
    start_line(l);
    buf_adds(&l->line, l->types->type[id].kind == TYPE_TYPEDEF ? "typedef " : "");
    buf_adds(&l->line, types_keyword(s->kind));
    buf_addc(&l->line, ' ');
    shown_adds(&l->line, s->name ? s->name : "");
    buf_adds(&l->line, s->name ? " {" : "{");
    end_line(l);
}

static void write_foot(struct layout *l, uint32_t id, const struct type *s, const struct sums *sums)
{
    const struct type *named = &l->types->type[id];
    start_line(l);
    buf_adds(&l->line, "}");
    if (named->kind == TYPE_TYPEDEF) {
        buf_addc(&l->line, ' ');
        shown_adds(&l->line, named->name ? named->name : "");
    }
    buf_addc(&l->line, ';');
    pad_line(l);
    write_sums(l, s, sums);
    end_line(l);
}

void types_layout(const struct types *t, uint32_t id, struct buf *out)
{
    struct layout l = {.types = t, .out = out, .from = out->len};
    const struct type *s = &t->type[types_plain(t, id)];
    struct sums sums = {0};
    if (s->kind < TYPE_STRUCT || s->kind > TYPE_ENUM)
        return;
    write_head(&l, id, s);
    l.deep++;
    if (s->kind == TYPE_ENUM)
        write_enumerators(&l, s);
    else
        sums = write_members(&l, s, 0);
    l.deep--;
    write_foot(&l, id, s, &sums);
    buf_release(&l.line);
}
