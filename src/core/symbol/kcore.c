#include "core/symbol/kcore.h"

#include "core/base/bytes.h"

#include <errno.h>

enum { PT_LOAD = 1, LITTLE_ENDIAN = 1, CLASS_32 = 1, CLASS_64 = 2 };

/* Where the fields of both classes are. */
struct layout {
    size_t header, table_at, entry_size_at, entries_at; /* of the file */
    size_t entry, offset_at, start_at, bytes_at;        /* of a segment */
    bool wide;
};
static const struct layout layout_32 = {52, 28, 42, 44, 32, 4, 8, 16, false};
static const struct layout layout_64 = {64, 32, 54, 56, 56, 8, 16, 32, true};

static uint64_t number(const struct layout *l, const uint8_t *at)
{
    return l->wide ? get_le64(at) : get_le32(at);
}

static void add_range(const struct layout *l, const uint8_t *segment, struct kcore *out)
{
    struct kcore_range r = {number(l, segment + l->start_at), number(l, segment + l->bytes_at),
                            number(l, segment + l->offset_at)};
    bool fits = r.bytes && r.start + r.bytes - 1 >= r.start && r.offset + r.bytes > r.offset;
    if (get_le32(segment) == PT_LOAD && fits && out->ranges < KCORE_RANGES)
        out->range[out->ranges++] = r;
}

static const struct layout *find_layout(const uint8_t *head, size_t len)
{
    if (len < layout_32.header || memcmp(head, "\177ELF", 4) != 0 || head[5] != LITTLE_ENDIAN)
        return NULL;
    if (head[4] == CLASS_64)
        return len >= layout_64.header ? &layout_64 : NULL;
    return head[4] == CLASS_32 ? &layout_32 : NULL;
}

int kcore_read(const uint8_t *head, size_t len, struct kcore *out)
{
    const struct layout *l = find_layout(head, len);
    out->ranges = 0;
    if (!l)
        return -ENOEXEC;
    uint64_t at = number(l, head + l->table_at);
    size_t size = get_le16(head + l->entry_size_at), left = get_le16(head + l->entries_at);
    if (size < l->entry)
        return -ENOEXEC;
    for (; left && at <= len && len - at >= l->entry; left--, at += size)
        add_range(l, head + at, out);
    return 0;
}

bool kcore_find(const struct kcore *k, uint64_t address, uint64_t len, uint64_t *offset)
{
    for (size_t i = 0; i < k->ranges; i++) {
        const struct kcore_range *r = &k->range[i];
        if (address >= r->start && address - r->start < r->bytes &&
            len <= r->bytes - (address - r->start)) {
            *offset = r->offset + (address - r->start);
            return true;
        }
    }
    return false;
}
