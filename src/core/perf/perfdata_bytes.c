#include "core/base/bytes.h"
#include "perfdata_parts.h"

const uint8_t *perfdata_read_bytes(struct perfdata_bytes *b, size_t n)
{
    if (!b->ok || (size_t)(b->end - b->at) < n) {
        b->ok = false;
        return NULL;
    }
    b->at += n;
    return b->at - n;
}

uint32_t perfdata_u32(struct perfdata_bytes *b)
{
    const uint8_t *p = perfdata_read_bytes(b, 4);
    return p ? get_le32(p) : 0;
}

uint64_t perfdata_u64(struct perfdata_bytes *b)
{
    const uint8_t *p = perfdata_read_bytes(b, 8);
    return p ? get_le64(p) : 0;
}

static const char *as_string(const uint8_t *p, size_t len)
{
    return p && memchr(p, '\0', len) ? (const char *)p : "";
}

const char *perfdata_text(struct perfdata_bytes *b)
{
    size_t len = perfdata_u32(b);
    return as_string(perfdata_read_bytes(b, len), len);
}

const char *perfdata_last_text(struct perfdata_bytes *b)
{
    size_t len = (size_t)(b->end - b->at);
    return as_string(perfdata_read_bytes(b, len), len);
}
