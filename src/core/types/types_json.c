#include "core/types/types_json.h"

#include "core/text/json.h"
#include "core/types/declare.h"
#include "writer.h"

enum { MAX_NESTED = 16, MAX_MEMBERS = 16384 };

/* --- functions --- */

static void write_declared(struct json *j, const char *key, const struct types *t, uint32_t id)
{
    SCOPED_BUF text = BUF_INIT;
    types_declare(t, id, NULL, &text);
    json_str(j, key, buf_str(&text));
}

static void write_name(struct json *j, const char *name)
{
    if (name)
        json_str(j, "name", name);
}

static void write_size(struct json *j, const struct types *t, uint32_t id)
{
    json_members(j, "[bytes]", types_size(t, id));
}

void types_function_json(const struct types *t, const struct type_function *f, const char *name,
                         struct json *j)
{
    const struct type *type = &t->type[f->type];
    struct buf text = BUF_INIT;
    types_prototype(t, f, name, &text);
    json_str(j, "prototype", buf_str(&text));
    buf_release(&text);
    json_str(j, "name", name);
    write_declared(j, "returns", t, type->of);
    json_array(j, "parameters");
    for (uint32_t i = 0; i < type->count; i++) {
        const struct type_member *m = &t->member[type->first + i];
        json_object(j, NULL);
        write_name(j, m->name);
        write_declared(j, "type", t, m->type);
        write_size(j, t, m->type);
        json_object_end(j);
    }
    json_array_end(j);
    json_members(j, "variadic? [altered?]", type->variadic, f->altered);
}

/* --- members --- */

struct members {
    const struct types *types;
    struct json *j;
    unsigned written, left_out;
};

static void write_members(struct members *m, const struct type *s, uint64_t from_bit,
                          unsigned deep);

static void write_place(struct json *j, const struct type_member *one, uint64_t from_bit)
{
    uint64_t at = from_bit + one->bit_offset;
    json_u64(j, "offset", at / 8);
    if (one->bits)
        json_members(j, "bit bits", at % 8, one->bits);
}

static void write_member(struct members *m, const struct type_member *one, uint64_t from_bit,
                         unsigned deep)
{
    bool pointed;
    const struct type *nested = types_nested(m->types, one->type, &pointed);
    json_object(m->j, NULL);
    write_name(m->j, one->name);
    write_declared(m->j, "type", m->types, one->type);
    write_place(m->j, one, from_bit);
    write_size(m->j, m->types, one->type);
    if (nested && deep < MAX_NESTED)
        write_members(m, nested, pointed ? 0 : from_bit + one->bit_offset, deep + 1);
    json_object_end(m->j);
}

static void write_members(struct members *m, const struct type *s, uint64_t from_bit, unsigned deep)
{
    json_array(m->j, "members");
    for (uint32_t i = 0; i < s->count; i++)
        if (m->written < MAX_MEMBERS) {
            m->written++;
            write_member(m, &m->types->member[s->first + i], from_bit, deep);
        } else {
            m->left_out++;
        }
    json_array_end(m->j);
}

static void write_enumerators(struct members *m, const struct type *e)
{
    json_array(m->j, "enumerators");
    for (uint32_t i = 0; i < e->count; i++) {
        const struct type_member *one = &m->types->member[e->first + i];
        if (m->written == MAX_MEMBERS) {
            m->left_out++;
            continue;
        }
        m->written++;
        json_object(m->j, NULL);
        write_name(m->j, one->name);
        if (e->encoding == TYPE_SIGNED)
            json_i64(m->j, "value", (int64_t)one->bit_offset);
        else
            json_u64(m->j, "value", one->bit_offset);
        json_object_end(m->j);
    }
    json_array_end(m->j);
}

void types_layout_json(const struct types *t, uint32_t id, struct json *j)
{
    struct members m = {.types = t, .j = j};
    const struct type *named = &t->type[id], *s = &t->type[types_plain(t, id)];
    if (s->kind < TYPE_STRUCT || s->kind > TYPE_ENUM)
        return;
    json_str(j, "kind", types_keyword(s->kind));
    write_name(j, named->name ? named->name : s->name);
    json_u64(j, "bytes", s->bytes);
    if (s->kind == TYPE_ENUM)
        write_enumerators(&m, s);
    else
        write_members(&m, s, 0, 0);
    json_members(j, "[left_out]", m.left_out);
}
