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

static uint32_t worth(uint8_t type, uint32_t size)
{
    uint32_t most = before_data(type) ? before_data(type) : NINEP_FRAME_KEPT;
    return size < most ? size : most;
}

static uint32_t smaller(size_t a, uint32_t b)
{
    return a < b ? (uint32_t)a : b;
}

static uint32_t take(struct ninep_frames *s, const uint8_t *bytes, size_t len, uint32_t upto)
{
    uint32_t n = smaller(len, upto - s->have);
    memcpy(s->kept + s->have, bytes, n);
    s->have += n;
    return n;
}

/* Odd types are replies'. */
static bool take_head(struct ninep_frames *s, bool replies)
{
    uint8_t type = s->kept[4];
    s->size = get_le32(s->kept);
    s->seen = NINEP_HEAD;
    return ninep_word(type) && (type & 1) == replies;
}

static bool fits(uint32_t size, uint32_t most)
{
    return size >= NINEP_HEAD && size <= most;
}

long ninep_frames_take(struct ninep_frames *s, const uint8_t *bytes, size_t len, uint32_t most,
                       bool replies, bool *ended)
{
    size_t used = 0;
    *ended = false;
    if (s->size && s->seen == s->size)
        s->have = s->size = s->seen = 0;
    if (!s->size) {
        used = take(s, bytes, len, NINEP_HEAD);
        if (s->have >= 4 && !fits(get_le32(s->kept), most))
            return -EPROTO;
        if (s->have < NINEP_HEAD)
            return (long)used;
        if (!take_head(s, replies))
            return -EPROTO;
    }
    uint32_t rest = smaller(len - used, s->size - s->seen);
    take(s, bytes + used, rest, worth(s->kept[4], s->size));
    s->seen += rest;
    *ended = s->seen == s->size;
    return (long)(used + rest);
}

static int read_before_data(const struct ninep_frames *s, struct ninep_msg *m)
{
    uint32_t head = before_data(s->kept[4]);
    memset(m, 0, offsetof(struct ninep_msg, walk));
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
