#include "core/types/btf.h"

#include "core/base/bytes.h"

#include <errno.h>
#include <string.h>

enum { HEADER_BYTES = 24, RECORD_BYTES = 12 };

enum btf_kind {
    BTF_INT = 1,
    BTF_PTR,
    BTF_ARRAY,
    BTF_STRUCT,
    BTF_UNION,
    BTF_ENUM,
    BTF_FWD,
    BTF_TYPEDEF,
    BTF_VOLATILE,
    BTF_CONST,
    BTF_RESTRICT,
    BTF_FUNC,
    BTF_FUNC_PROTO,
    BTF_VAR,
    BTF_DATASEC,
    BTF_FLOAT,
    BTF_DECL_TAG,
    BTF_TYPE_TAG,
    BTF_ENUM64,
    BTF_KINDS
};

struct btf_text {
    const char *at;
    size_t len; /* the last byte is a NUL; 0: there is none */
};

struct btf {
    bool big_endian;
    const uint8_t *at, *end; /* the types' records */
    struct btf_text base, text;
    struct types *out;
};

struct record {
    uint32_t name, count, value; /* value: size or type */
    unsigned kind;
    bool flag;
    const uint8_t *more; /* what follows the record */
};

/* What follows a record, by kind: so many bytes, and so many more for each of its count. */
static const struct {
    uint8_t once, each;
} shape[BTF_KINDS] = {
    [BTF_INT] = {4, 0},     [BTF_ARRAY] = {12, 0},   [BTF_STRUCT] = {0, 12},
    [BTF_UNION] = {0, 12},  [BTF_ENUM] = {0, 8},     [BTF_FUNC_PROTO] = {0, 8},
    [BTF_VAR] = {4, 0},     [BTF_DATASEC] = {0, 12}, [BTF_DECL_TAG] = {4, 0},
    [BTF_ENUM64] = {0, 12},
};

static uint32_t word(const struct btf *b, const uint8_t *at)
{
    return get_u32(at, b->big_endian);
}

/* NULL: it has none, or its offset is outside. */
static const char *name_at(const struct btf *b, uint32_t offset)
{
    const struct btf_text *text = offset < b->base.len ? &b->base : &b->text;
    size_t at = text == &b->base ? offset : offset - b->base.len;
    return at < text->len && text->at[at] ? text->at + at : NULL;
}

/* --- the header --- */

static bool find_text(const struct btf *b, const uint8_t *bytes, size_t len, size_t header,
                      struct btf_text *out)
{
    uint32_t offset = word(b, bytes + 16), size = word(b, bytes + 20);
    if (offset > len - header || size > len - header - offset)
        return false;
    *out = (struct btf_text){(const char *)bytes + header + offset, size};
    return !size || !out->at[size - 1];
}

static bool read_header(struct btf *b, const uint8_t *bytes, size_t len, struct btf_text *text)
{
    if (len < HEADER_BYTES || len > BTF_MOST_BYTES || bytes[2] != 1)
        return false;
    b->big_endian = get_be16(bytes) == BTF_MAGIC;
    size_t header = word(b, bytes + 4);
    if (get_u16(bytes, b->big_endian) != BTF_MAGIC || header < HEADER_BYTES || header > len)
        return false;
    uint32_t offset = word(b, bytes + 8), size = word(b, bytes + 12);
    if (offset > len - header || size > len - header - offset)
        return false;
    b->at = bytes + header + offset;
    b->end = b->at + size;
    return find_text(b, bytes, len, header, text);
}

/* --- records --- */

static bool next_record(struct btf *b, struct record *r)
{
    if ((size_t)(b->end - b->at) < RECORD_BYTES)
        return false;
    uint32_t info = word(b, b->at + 4);
    *r = (struct record){.name = word(b, b->at),
                         .count = info & 0xffff,
                         .value = word(b, b->at + 8),
                         .kind = info >> 24 & 31,
                         .flag = info >> 31,
                         .more = b->at + RECORD_BYTES};
    if (!r->kind || r->kind >= BTF_KINDS)
        return false;
    size_t bytes = shape[r->kind].once + (size_t)shape[r->kind].each * r->count;
    if ((size_t)(b->end - r->more) < bytes)
        return false;
    b->at = r->more + bytes;
    return true;
}

static bool add_struct_member(struct btf *b, const struct record *r, const uint8_t *at)
{
    uint32_t offset = word(b, at + 8);
    return types_add_member(b->out, &(struct type_member){
                                        .name = name_at(b, word(b, at)),
                                        .type = word(b, at + 4),
                                        .bits = r->flag ? offset >> 24 : 0,
                                        .bit_offset = r->flag ? offset & 0xffffff : offset,
                                    });
}

static bool add_enumerator(struct btf *b, const struct record *r, const uint8_t *at)
{
    uint64_t value = word(b, at + 4);
    if (r->kind == BTF_ENUM64)
        value |= (uint64_t)word(b, at + 8) << 32;
    else if (r->flag)
        value = (uint64_t)(int64_t)(int32_t)value;
    return types_add_member(
        b->out, &(struct type_member){.name = name_at(b, word(b, at)), .bit_offset = value});
}

static bool add_parameter(struct btf *b, const uint8_t *at)
{
    return types_add_member(
        b->out, &(struct type_member){.name = name_at(b, word(b, at)), .type = word(b, at + 4)});
}

static bool add_members(struct btf *b, const struct record *r, struct type *type)
{
    bool fine = true;
    type->first = (uint32_t)b->out->members;
    for (uint32_t i = 0; i < r->count && fine; i++) {
        const uint8_t *at = r->more + (size_t)i * shape[r->kind].each;
        if (type->kind == TYPE_FUNCTION)
            fine = add_parameter(b, at);
        else
            fine = type->kind == TYPE_ENUM ? add_enumerator(b, r, at) : add_struct_member(b, r, at);
    }
    type->count = (uint32_t)(b->out->members - type->first);
    return fine;
}

/* The last parameter without name and type stands for `...'. */
static void mark_variadic(struct btf *b, struct type *type)
{
    const struct type_member *last = &b->out->member[type->first + type->count - 1];
    type->variadic = type->count && !last->name && !last->type;
    type->count -= type->variadic;
    b->out->members -= type->variadic;
}

static uint8_t encoding_of(uint32_t bits)
{
    return bits & 4 ? TYPE_BOOL : bits & 2 ? TYPE_CHAR : bits & 1 ? TYPE_SIGNED : TYPE_UNSIGNED;
}

static const uint8_t kind_of[BTF_KINDS] = {
    [BTF_INT] = TYPE_INTEGER,   [BTF_PTR] = TYPE_POINTER,       [BTF_ARRAY] = TYPE_ARRAY,
    [BTF_STRUCT] = TYPE_STRUCT, [BTF_UNION] = TYPE_UNION,       [BTF_ENUM] = TYPE_ENUM,
    [BTF_FWD] = TYPE_STRUCT,    [BTF_TYPEDEF] = TYPE_TYPEDEF,   [BTF_VOLATILE] = TYPE_VOLATILE,
    [BTF_CONST] = TYPE_CONST,   [BTF_RESTRICT] = TYPE_RESTRICT, [BTF_FUNC_PROTO] = TYPE_FUNCTION,
    [BTF_FLOAT] = TYPE_FLOAT,   [BTF_TYPE_TAG] = TYPE_TYPEDEF,  [BTF_ENUM64] = TYPE_ENUM,
};

/* Whether the record's value is a size. */
static bool has_size(unsigned kind)
{
    return kind == BTF_INT || kind == BTF_STRUCT || kind == BTF_UNION || kind == BTF_ENUM ||
           kind == BTF_FLOAT || kind == BTF_ENUM64;
}

static bool has_type(unsigned kind)
{
    return kind_of[kind] && !has_size(kind) && kind != BTF_ARRAY && kind != BTF_FWD;
}

static bool add_function(struct btf *b, const struct record *r)
{
    const char *name = name_at(b, r->name);
    return !name ||
           types_add_function(b->out, &(struct type_function){.name = name, .type = r->value});
}

static void describe(struct btf *b, const struct record *r, struct type *type)
{
    *type = (struct type){.kind = kind_of[r->kind],
                          .name = r->kind == BTF_TYPE_TAG ? NULL : name_at(b, r->name),
                          .bytes = has_size(r->kind) ? r->value : 0,
                          .of = has_type(r->kind) ? r->value : 0,
                          .incomplete = r->kind == BTF_FWD};
    if (r->kind == BTF_FWD && r->flag)
        type->kind = TYPE_UNION;
    if (r->kind == BTF_ENUM && !r->count)
        type->incomplete = true;
    if (type->kind == TYPE_ENUM)
        type->encoding = r->flag ? TYPE_SIGNED : TYPE_UNSIGNED;
    if (r->kind == BTF_INT)
        type->encoding = encoding_of(word(b, r->more) >> 24);
    if (r->kind == BTF_ARRAY) {
        type->of = word(b, r->more);
        type->bytes = word(b, r->more + 8);
    }
}

static bool add_record(struct btf *b, const struct record *r)
{
    struct type type;
    describe(b, r, &type);
    bool members = type.kind == TYPE_STRUCT || type.kind == TYPE_UNION || type.kind == TYPE_ENUM ||
                   type.kind == TYPE_FUNCTION;
    if (members && r->kind != BTF_FWD && !add_members(b, r, &type))
        return false;
    if (type.kind == TYPE_FUNCTION && type.count)
        mark_variadic(b, &type);
    return (r->kind != BTF_FUNC || add_function(b, r)) && types_add(b->out, &type);
}

/* The format does not say it; C's long is as wide as a pointer in the kernel. */
static uint32_t pointer_bytes(const struct types *t)
{
    for (size_t i = 0; i < t->count; i++) {
        const struct type *one = &t->type[i];
        if (one->kind == TYPE_INTEGER && one->name &&
            (strcmp(one->name, "long unsigned int") == 0 || strcmp(one->name, "long int") == 0 ||
             strcmp(one->name, "unsigned long") == 0 || strcmp(one->name, "long") == 0))
            return one->bytes == 4 ? 4 : 8;
    }
    return 8;
}

static int damaged(struct fail *f)
{
    return fail_set(f, ENOEXEC, "damaged BTF");
}

static int read_records(struct btf *b, struct fail *f)
{
    struct record r;
    if (!b->out->count && !types_add(b->out, &(struct type){.kind = TYPE_VOID}))
        return fail_set(f, ENOMEM, "BTF");
    while (b->at < b->end) {
        if (!next_record(b, &r))
            return damaged(f);
        if (!add_record(b, &r))
            return fail_set(f, ENOMEM, "BTF");
    }
    b->out->pointer_bytes = pointer_bytes(b->out);
    return types_check(b->out) ? 0 : damaged(f);
}

int btf_read(const uint8_t *bytes, size_t len, struct types *out, struct fail *f)
{
    struct btf b = {.out = out};
    return read_header(&b, bytes, len, &b.text) ? read_records(&b, f) : damaged(f);
}

int btf_read_split(const uint8_t *base, size_t base_len, const uint8_t *bytes, size_t len,
                   struct types *out, struct fail *f)
{
    struct btf b = {.out = out};
    if (!out->count || !read_header(&b, base, base_len, &b.base))
        return damaged(f);
    return read_header(&b, bytes, len, &b.text) ? read_records(&b, f) : damaged(f);
}
