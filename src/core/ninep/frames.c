#include "frames.h"

#include "core/base/bytes.h"

#include <errno.h>

/* Of a message with data, the bytes before them; else 0. */
static uint32_t before_data(uint8_t type)
{
    switch (type) {
    case NINEP_TWRITE:
        return NINEP_HEAD + 4 + 8 + 4;
    case NINEP_RREAD:
    case NINEP_RREADDIR:
        return NINEP_HEAD + 4;
    default:
        return 0;
    }
}

static uint32_t kept_size(uint8_t type, uint32_t size)
{
    uint32_t max_kept = before_data(type) ? before_data(type) : NINEP_FRAME_KEPT;
    return size < max_kept ? size : max_kept;
}

static uint32_t min_u32(size_t a, uint32_t b)
{
    return a < b ? (uint32_t)a : b;
}

static uint32_t copy_bytes(struct ninep_frames *s, const uint8_t *bytes, size_t len, uint32_t upto)
{
    uint32_t n = min_u32(len, upto - s->have);
    memcpy(s->kept + s->have, bytes, n);
    s->have += n;
    return n;
}

/* Odd types are replies'. */
static bool read_head(struct ninep_frames *s, bool replies)
{
    uint8_t type = s->kept[4];
    s->size = get_le32(s->kept);
    s->seen = NINEP_HEAD;
    return ninep_type_name(type) && (type & 1) == replies;
}

static bool is_valid_size(uint32_t size, uint32_t max_size)
{
    return size >= NINEP_HEAD && size <= max_size;
}

long ninep_frames_add(struct ninep_frames *s, const uint8_t *bytes, size_t len, uint32_t max_size,
                      bool replies, bool *ended)
{
    size_t used = 0;
    *ended = false;
    if (s->size && s->seen == s->size)
        s->have = s->size = s->seen = 0;
    if (!s->size) {
        used = copy_bytes(s, bytes, len, NINEP_HEAD);
        if (s->have >= 4 && !is_valid_size(get_le32(s->kept), max_size))
            return -EPROTO;
        if (s->have < NINEP_HEAD)
            return (long)used;
        if (!read_head(s, replies))
            return -EPROTO;
    }
    uint32_t rest = min_u32(len - used, s->size - s->seen);
    copy_bytes(s, bytes + used, rest, kept_size(s->kept[4], s->size));
    s->seen += rest;
    *ended = s->seen == s->size;
    return (long)(used + rest);
}

static int read_before_data(const struct ninep_frames *s, struct ninep_msg *m)
{
    uint32_t head = before_data(s->kept[4]);
    memset(m, 0, offsetof(struct ninep_msg, walk.name));
    m->type = s->kept[4];
    m->tag = get_le16(s->kept + 5);
    if (s->have < head)
        return -EPROTO;
    m->count = get_le32(s->kept + head - 4);
    if (m->type == NINEP_TWRITE)
        m->fid = get_le32(s->kept + NINEP_HEAD);
    return m->count == s->size - head ? 0 : -EPROTO;
}

int ninep_frames_read(const struct ninep_frames *s, enum ninep_dialect dialect, struct ninep_msg *m)
{
    if (before_data(s->kept[4]))
        return read_before_data(s, m);
    return ninep_read(s->kept, s->have, dialect, m);
}
