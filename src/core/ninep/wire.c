#include "core/ninep/wire.h"

#include "core/base/cursor.h"

#include <errno.h>

enum kind {
    END,
    KIND_U8,
    KIND_U16,
    KIND_U32,
    KIND_U64,
    KIND_TEXT,
    KIND_QID,
    KIND_NAMES,
    KIND_QIDS,
    KIND_DATA,
    KIND_STAT
};
enum when { ALWAYS, EXTENDED, MAYBE };

struct field {
    uint8_t kind, when;
    uint16_t at; /* in the struct */
};

#define FIELD(kind, when, member)                                                                  \
    {                                                                                              \
        KIND_##kind, when, offsetof(struct FIELDS_OF, member)                                      \
    }
#define U8(member)       FIELD(U8, ALWAYS, member)
#define U16(member)      FIELD(U16, ALWAYS, member)
#define U32(member)      FIELD(U32, ALWAYS, member)
#define U64(member)      FIELD(U64, ALWAYS, member)
#define TEXT(member)     FIELD(TEXT, ALWAYS, member)
#define QID(member)      FIELD(QID, ALWAYS, member)
#define EXT_U32(member)  FIELD(U32, EXTENDED, member)
#define EXT_TEXT(member) FIELD(TEXT, EXTENDED, member)
#define MORE_U32(member) FIELD(U32, MAYBE, member)
#define NAMES            FIELD(NAMES, ALWAYS, walk)
#define QIDS             FIELD(QIDS, ALWAYS, walk)
#define DATA             FIELD(DATA, ALWAYS, data)
#define STAT             FIELD(STAT, ALWAYS, data)
#define NOTHING                                                                                    \
    {                                                                                              \
        END, ALWAYS, 0                                                                             \
    }

#define FIELDS_OF ninep_msg
#define MESSAGE(name, number, word, ...)                                                           \
    [number] = {word, (const struct field[]){__VA_ARGS__, NOTHING}},
static const struct {
    const char *word;
    const struct field *field;
} message[NINEP_TYPES] = {
#include "core/ninep/messages.def"
};
#undef FIELDS_OF

#define FIELDS_OF ninep_stat
static const struct field stat_fields[] = {
    U16(kernel_type), U32(kernel_dev),  QID(qid),     U32(mode),    U32(accessed),
    U32(modified),    U64(length),      TEXT(name),   TEXT(owner),  TEXT(group),
    TEXT(modifier),   EXT_TEXT(target), EXT_U32(uid), EXT_U32(gid), EXT_U32(modifier_id),
    NOTHING};
#undef FIELDS_OF

#define FIELDS_OF ninep_entry
static const struct field entry_fields[] = {QID(qid), U64(offset), U8(kind), TEXT(name), NOTHING};
#undef FIELDS_OF

/* --- reading --- */

static struct ninep_text read_text(struct cursor *c)
{
    uint16_t len = cursor_u16(c);
    const uint8_t *at = cursor_bytes(c, len);
    return c->bad ? (struct ninep_text){"", 0} : (struct ninep_text){(const char *)at, len};
}

static struct ninep_qid read_qid(struct cursor *c)
{
    struct ninep_qid q;
    q.type = cursor_u8(c);
    q.version = cursor_u32(c);
    q.path = cursor_u64(c);
    return q;
}

/* NAMES or QIDS: a walk has 16 at most. */
static void read_list(struct cursor *c, enum kind kind, struct ninep_msg *m)
{
    uint16_t n = cursor_u16(c);
    if (n > NINEP_WALK_MAX) {
        c->bad = true;
        return;
    }
    m->walk.count = n;
    for (uint16_t i = 0; i < n; i++) {
        if (kind == KIND_NAMES)
            m->walk.name[i] = read_text(c);
        else
            m->walk.qid[i] = read_qid(c);
    }
}

static void read_data(struct cursor *c, enum kind kind, struct ninep_msg *m)
{
    m->count = kind == KIND_STAT ? cursor_u16(c) : cursor_u32(c);
    m->data = cursor_bytes(c, m->count);
}

/* base: what the fields' offsets count from. Lists and data are struct ninep_msg's alone. */
static void read_field(struct cursor *c, struct field f, void *base)
{
    void *to = (char *)base + f.at;
    switch ((enum kind)f.kind) {
    case END:
        break;
    case KIND_U8:
        *(uint8_t *)to = cursor_u8(c);
        break;
    case KIND_U16:
        *(uint16_t *)to = cursor_u16(c);
        break;
    case KIND_U32:
        *(uint32_t *)to = cursor_u32(c);
        break;
    case KIND_U64:
        *(uint64_t *)to = cursor_u64(c);
        break;
    case KIND_TEXT:
        *(struct ninep_text *)to = read_text(c);
        break;
    case KIND_QID:
        *(struct ninep_qid *)to = read_qid(c);
        break;
    case KIND_NAMES:
    case KIND_QIDS:
        read_list(c, f.kind, base);
        break;
    case KIND_DATA:
    case KIND_STAT:
        read_data(c, f.kind, base);
        break;
    }
}

static bool has_field(struct field f, enum ninep_dialect dialect)
{
    return f.when != EXTENDED || dialect != NINEP_PLAIN;
}

static bool read_fields(struct cursor *c, const struct field *f, enum ninep_dialect dialect,
                        void *base)
{
    for (; f->kind != END; f++)
        if (has_field(*f, dialect) && !(f->when == MAYBE && c->at == c->end))
            read_field(c, *f, base);
    return !c->bad;
}

int ninep_read(const void *bytes, size_t len, enum ninep_dialect dialect, struct ninep_msg *m)
{
    const uint8_t *b = bytes;
    memset(m, 0, offsetof(struct ninep_msg, walk.name));
    if (len < NINEP_HEAD)
        return -EPROTO;
    m->type = b[4];
    m->tag = get_le16(b + 5);
    if (get_le32(b) != len || !ninep_type_name(m->type))
        return -EPROTO;
    struct cursor c = cursor_of(b + NINEP_HEAD, len - NINEP_HEAD);
    return read_fields(&c, message[m->type].field, dialect, m) && c.at == c.end ? 0 : -EPROTO;
}

long ninep_message_size(const void *bytes, size_t len, uint32_t msize)
{
    if (len < 4)
        return 0;
    uint32_t size = get_le32(bytes);
    return size < NINEP_HEAD || size > msize ? -EPROTO : (long)size;
}

/* --- writing --- */

static void write_number(struct buf *out, uint64_t value, size_t len)
{
    uint8_t b[8];
    put_le64(b, value);
    buf_add(out, b, len);
}

static void write_text(struct buf *out, struct ninep_text t)
{
    write_number(out, t.len, 2);
    buf_add(out, t.at, t.len);
}

static void write_qid(struct buf *out, struct ninep_qid q)
{
    write_number(out, q.type, 1);
    write_number(out, q.version, 4);
    write_number(out, q.path, 8);
}

static void write_list(struct buf *out, enum kind kind, const struct ninep_msg *m)
{
    write_number(out, m->walk.count, 2);
    for (uint16_t i = 0; i < m->walk.count; i++) {
        if (kind == KIND_NAMES)
            write_text(out, m->walk.name[i]);
        else
            write_qid(out, m->walk.qid[i]);
    }
}

static void write_data(struct buf *out, enum kind kind, const struct ninep_msg *m)
{
    write_number(out, m->count, kind == KIND_STAT ? 2 : 4);
    buf_add(out, m->data, m->count);
}

static void write_field(struct buf *out, struct field f, const void *base)
{
    const void *from = (const char *)base + f.at;
    switch ((enum kind)f.kind) {
    case END:
        break;
    case KIND_U8:
        write_number(out, *(const uint8_t *)from, 1);
        break;
    case KIND_U16:
        write_number(out, *(const uint16_t *)from, 2);
        break;
    case KIND_U32:
        write_number(out, *(const uint32_t *)from, 4);
        break;
    case KIND_U64:
        write_number(out, *(const uint64_t *)from, 8);
        break;
    case KIND_TEXT:
        write_text(out, *(const struct ninep_text *)from);
        break;
    case KIND_QID:
        write_qid(out, *(const struct ninep_qid *)from);
        break;
    case KIND_NAMES:
    case KIND_QIDS:
        write_list(out, f.kind, base);
        break;
    case KIND_DATA:
    case KIND_STAT:
        write_data(out, f.kind, base);
        break;
    }
}

static void write_fields(struct buf *out, const struct field *f, enum ninep_dialect dialect,
                         const void *base)
{
    for (; f->kind != END; f++)
        if (has_field(*f, dialect))
            write_field(out, *f, base);
}

int ninep_write(const struct ninep_msg *m, enum ninep_dialect dialect, struct buf *out)
{
    if (!ninep_type_name(m->type) || m->walk.count > NINEP_WALK_MAX)
        return -EINVAL;
    size_t start = out->len;
    write_number(out, 0, 4);
    write_number(out, m->type, 1);
    write_number(out, m->tag, 2);
    write_fields(out, message[m->type].field, dialect, m);
    if (!buf_error(out))
        put_le32(out->data + start, (uint32_t)(out->len - start));
    return 0;
}

const char *ninep_type_name(uint8_t type)
{
    return type < NINEP_TYPES ? message[type].word : NULL;
}

/* --- what directories and stat have inside --- */

long ninep_stat_read(const void *bytes, size_t len, enum ninep_dialect dialect,
                     struct ninep_stat *out)
{
    *out = (struct ninep_stat){.kernel_type = 0};
    if (len < 2 || get_le16(bytes) > len - 2)
        return -EPROTO;
    const uint8_t *b = bytes;
    long size = 2 + get_le16(b);
    struct cursor c = cursor_of(b + 2, (size_t)size - 2);
    return read_fields(&c, stat_fields, dialect, out) && c.at == c.end ? size : -EPROTO;
}

int ninep_stat_write(const struct ninep_stat *s, enum ninep_dialect dialect, struct buf *out)
{
    size_t start = out->len;
    write_number(out, 0, 2);
    write_fields(out, stat_fields, dialect, s);
    if (buf_error(out))
        return 0;
    size_t len = out->len - start - 2;
    if (len > UINT16_MAX) {
        out->len = start;
        return -EMSGSIZE;
    }
    put_le16(out->data + start, (uint16_t)len);
    return 0;
}

long ninep_entry_read(const void *bytes, size_t len, struct ninep_entry *out)
{
    const uint8_t *b = bytes;
    struct cursor c = cursor_of(b, len);
    return read_fields(&c, entry_fields, NINEP_L, out) ? c.at - b : -EPROTO;
}

void ninep_entry_write(const struct ninep_entry *e, struct buf *out)
{
    write_fields(out, entry_fields, NINEP_L, e);
}

/* --- versions --- */

static const char *const dialect_names[] = {
    [NINEP_PLAIN] = "9P2000", [NINEP_U] = "9P2000.u", [NINEP_L] = "9P2000.L"};

const char *ninep_dialect_name(enum ninep_dialect dialect)
{
    return dialect_names[dialect];
}

bool ninep_dialect(struct ninep_text version, enum ninep_dialect *out)
{
    for (int d = NINEP_PLAIN; d <= NINEP_L; d++) {
        if (ninep_text_equals(version, dialect_names[d])) {
            *out = (enum ninep_dialect)d;
            return true;
        }
    }
    size_t plain = strlen(dialect_names[NINEP_PLAIN]);
    *out = NINEP_PLAIN;
    return version.len > plain && version.at[plain] == '.' &&
           memcmp(version.at, dialect_names[NINEP_PLAIN], plain) == 0;
}
