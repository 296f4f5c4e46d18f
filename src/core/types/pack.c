#include "core/types/pack.h"

#include "core/base/cursor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char magic[8] = "pstypes1";

enum { HEAD_BYTES = 32, TYPE_BYTES = 28, MEMBER_BYTES = 20, FUNCTION_BYTES = 16, FOUND_BYTES = 8 };
#define ALTERED 0x80000000U /* beside the number of a type, of which there are TYPES_MOST */
enum { INCOMPLETE = 1, SCOPED = 2, VARIADIC = 4, UNPROTOTYPED = 8 };

/* --- writing --- */

static void add_word(struct buf *out, uint32_t word)
{
    uint8_t bytes[4];
    put_le32(bytes, word);
    buf_add(out, bytes, sizeof bytes);
}

static void add_long(struct buf *out, uint64_t number)
{
    add_word(out, (uint32_t)number);
    add_word(out, (uint32_t)(number >> 32));
}

static void add_name(struct buf *out, struct buf *text, const char *name)
{
    add_word(out, name ? (uint32_t)text->len + 1 : 0);
    if (name)
        buf_add(text, name, strlen(name) + 1);
}

static void add_type(struct buf *out, struct buf *text, const struct type *t)
{
    unsigned flags = (t->incomplete ? INCOMPLETE : 0) | (t->scoped ? SCOPED : 0) |
                     (t->variadic ? VARIADIC : 0) | (t->unprototyped ? UNPROTOTYPED : 0);
    add_word(out, t->kind | (uint32_t)t->encoding << 8 | flags << 16);
    add_word(out, t->of);
    add_word(out, t->first);
    add_word(out, t->count);
    add_name(out, text, t->name);
    add_long(out, t->bytes);
}

static void add_member(struct buf *out, struct buf *text, const struct type_member *m)
{
    add_word(out, m->type);
    add_word(out, m->bits);
    add_name(out, text, m->name);
    add_long(out, m->bit_offset);
}

static void add_function(struct buf *out, struct buf *text, const struct type_function *f)
{
    add_word(out, f->type | (f->altered ? ALTERED : 0));
    add_name(out, text, f->name);
    add_long(out, f->start);
}

static void add_records(struct buf *out, struct buf *text, const struct types_answer *a)
{
    for (size_t i = 0; i < a->types.count; i++)
        add_type(out, text, &a->types.type[i]);
    for (size_t i = 0; i < a->types.members; i++)
        add_member(out, text, &a->types.member[i]);
    for (size_t i = 0; i < a->types.functions; i++)
        add_function(out, text, &a->types.function[i]);
    for (size_t i = 0; i < a->count; i++) {
        add_word(out, a->found[i].query);
        add_word(out, a->found[i].id);
    }
}

void types_pack(const struct types_answer *a, struct buf *out)
{
    SCOPED_BUF records = BUF_INIT, text = BUF_INIT;
    add_records(&records, &text, a);
    buf_add(out, magic, sizeof magic);
    add_word(out, (uint32_t)a->types.count);
    add_word(out, (uint32_t)a->types.members);
    add_word(out, (uint32_t)a->types.functions);
    add_word(out, (uint32_t)a->count);
    add_word(out, (uint32_t)text.len);
    add_word(out, a->types.pointer_bytes | a->elsewhere << 8);
    buf_add(out, buf_str(&records), records.len);
    buf_add(out, buf_str(&text), text.len);
    if (buf_error(&records) || buf_error(&text) || text.len >= UINT32_MAX)
        out->err = -ENOMEM;
}

/* --- reading --- */

struct packed {
    struct cursor c;
    const char *text;
    size_t text_len;
    bool damaged;
};

static const char *take_name(struct packed *p)
{
    uint32_t name = cursor_u32(&p->c);
    p->damaged |= name > p->text_len;
    return name && !p->damaged ? p->text + name - 1 : NULL;
}

static bool take_type(struct packed *p, struct types *t)
{
    uint32_t word = cursor_u32(&p->c), flags = word >> 16;
    struct type one = {.kind = (uint8_t)word,
                       .encoding = (uint8_t)(word >> 8),
                       .incomplete = flags & INCOMPLETE,
                       .scoped = flags & SCOPED,
                       .variadic = flags & VARIADIC,
                       .unprototyped = flags & UNPROTOTYPED};
    one.of = cursor_u32(&p->c);
    one.first = cursor_u32(&p->c);
    one.count = cursor_u32(&p->c);
    one.name = take_name(p);
    one.bytes = cursor_u64(&p->c);
    return types_add(t, &one);
}

static bool take_member(struct packed *p, struct types *t)
{
    struct type_member one = {.type = cursor_u32(&p->c)};
    one.bits = cursor_u32(&p->c);
    one.name = take_name(p);
    one.bit_offset = cursor_u64(&p->c);
    return types_add_member(t, &one);
}

static bool take_function(struct packed *p, struct types *t)
{
    uint32_t word = cursor_u32(&p->c);
    struct type_function one = {.type = word & ~ALTERED, .altered = word & ALTERED};
    one.name = take_name(p);
    one.start = cursor_u64(&p->c);
    return types_add_function(t, &one);
}

static bool take_found(struct packed *p, struct types_answer *a)
{
    uint32_t query = cursor_u32(&p->c);
    return types_answer_add(a, query, cursor_u32(&p->c));
}

/* What was found must be what was asked for. */
static bool check_found(const struct types_answer *a, const struct types_query *query,
                        size_t queries)
{
    bool fine = true;
    for (size_t i = 0; i < a->count && fine; i++) {
        const struct types_found *f = &a->found[i];
        fine = f->query < queries &&
               f->id < (query[f->query].layout ? a->types.count : a->types.functions);
    }
    return fine;
}

struct counts {
    uint32_t types, members, functions, found, text;
};

static bool take_head(struct packed *p, size_t len, struct counts *n, struct types_answer *out)
{
    if (len < HEAD_BYTES || memcmp(cursor_bytes(&p->c, sizeof magic), magic, sizeof magic) != 0)
        return false;
    n->types = cursor_u32(&p->c);
    n->members = cursor_u32(&p->c);
    n->functions = cursor_u32(&p->c);
    n->found = cursor_u32(&p->c);
    n->text = cursor_u32(&p->c);
    uint32_t word = cursor_u32(&p->c);
    out->types.pointer_bytes = word & 0xff;
    out->elsewhere = word >> 8 & (TYPES_SUPPLEMENT | TYPES_SPLIT | TYPES_UNITS);
    uint64_t bytes = (uint64_t)n->types * TYPE_BYTES + (uint64_t)n->members * MEMBER_BYTES +
                     (uint64_t)n->functions * FUNCTION_BYTES + (uint64_t)n->found * FOUND_BYTES +
                     n->text;
    return bytes == len - HEAD_BYTES;
}

static bool copy_text(struct packed *p, const uint8_t *bytes, size_t len, struct types *t)
{
    t->owned = malloc(p->text_len + 1);
    if (!t->owned)
        return false;
    memcpy(t->owned, bytes + len - p->text_len, p->text_len);
    t->owned[p->text_len] = '\0';
    p->text = (const char *)t->owned;
    return true;
}

static bool take_records(struct packed *p, const struct counts *n, struct types_answer *out)
{
    bool fine = true;
    for (uint32_t i = 0; i < n->types && fine; i++)
        fine = take_type(p, &out->types);
    for (uint32_t i = 0; i < n->members && fine; i++)
        fine = take_member(p, &out->types);
    for (uint32_t i = 0; i < n->functions && fine; i++)
        fine = take_function(p, &out->types);
    for (uint32_t i = 0; i < n->found && fine; i++)
        fine = take_found(p, out);
    return fine;
}

int types_unpack(const uint8_t *bytes, size_t len, const struct types_query *query, size_t queries,
                 struct types_answer *out)
{
    struct packed p = {.c = cursor_of(bytes, len)};
    struct counts n;
    *out = (struct types_answer){0};
    if (!take_head(&p, len, &n, out))
        return -EBADMSG;
    p.text_len = n.text;
    if (!copy_text(&p, bytes, len, &out->types) || !take_records(&p, &n, out))
        return -ENOMEM;
    return !p.damaged && types_check(&out->types) && check_found(out, query, queries) ? 0
                                                                                      : -EBADMSG;
}
