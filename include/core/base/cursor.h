/*
 * cursor: reads binary records from front to back, little-endian. Once more is read than is there,
 * bad is set, and everything reads 0 or NULL from then on: it is enough to look at bad at the end.
 */
#pragma once

#include "core/base/bytes.h"

#include <stddef.h>

struct cursor {
    const uint8_t *at, *end;
    bool bad;
};

static inline struct cursor cursor_of(const void *at, size_t len)
{
    return (struct cursor){at, (const uint8_t *)at + len, false};
}

static inline size_t cursor_left(const struct cursor *c)
{
    return (size_t)(c->end - c->at);
}

/* n bytes; NULL: they are not all there. */
static inline const uint8_t *cursor_bytes(struct cursor *c, size_t n)
{
    if (c->bad || cursor_left(c) < n) {
        c->bad = true;
        return NULL;
    }
    c->at += n;
    return c->at - n;
}

/* n records of `each' bytes. */
static inline const uint8_t *cursor_array(struct cursor *c, uint64_t n, size_t each)
{
    c->bad |= n > cursor_left(c) / each;
    return c->bad ? NULL : cursor_bytes(c, (size_t)n * each);
}

static inline uint8_t cursor_u8(struct cursor *c)
{
    const uint8_t *p = cursor_bytes(c, 1);
    return p ? *p : 0;
}

static inline uint16_t cursor_u16(struct cursor *c)
{
    const uint8_t *p = cursor_bytes(c, 2);
    return p ? get_le16(p) : 0;
}

static inline uint32_t cursor_u32(struct cursor *c)
{
    const uint8_t *p = cursor_bytes(c, 4);
    return p ? get_le32(p) : 0;
}

static inline uint64_t cursor_u64(struct cursor *c)
{
    const uint8_t *p = cursor_bytes(c, 8);
    return p ? get_le64(p) : 0;
}

/* A text up to its NUL, and past it; "": there is no NUL. */
static inline const char *cursor_string(struct cursor *c)
{
    const uint8_t *nul = c->bad ? NULL : memchr(c->at, '\0', cursor_left(c));
    const char *s = nul ? (const char *)cursor_bytes(c, (size_t)(nul - c->at) + 1) : "";
    c->bad |= !nul;
    return s;
}
