/*
 * varint: writes LEB128 numbers and length-prefixed texts to a buf, and reads them from bytes.
 */
#pragma once

#include "core/base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline void put_varint(struct buf *b, uint64_t v)
{
    uint8_t bytes[10];
    size_t n = 0;
    for (; v >= 0x80; v >>= 7)
        bytes[n++] = (uint8_t)(v | 0x80);
    bytes[n++] = (uint8_t)v;
    buf_add(b, bytes, n);
}

/* Several: put_varints(b, node, count, bytes). */
#define put_varints(b, ...)                                                                        \
    put_varint_list((b), (const uint64_t[]){__VA_ARGS__},                                          \
                    sizeof(uint64_t[]){__VA_ARGS__} / sizeof(uint64_t))

static inline void put_varint_list(struct buf *b, const uint64_t *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put_varint(b, v[i]);
}

static inline uint64_t zigzag(int64_t v)
{
    return (uint64_t)v << 1 ^ (uint64_t)(v >> 63);
}

static inline int64_t unzigzag(uint64_t v)
{
    return (int64_t)(v >> 1 ^ -(v & 1));
}

static inline void put_text(struct buf *b, const char *text, size_t len)
{
    put_varint(b, len);
    buf_add(b, text, len);
}

static inline void put_string(struct buf *b, const char *text)
{
    put_text(b, text, strlen(text));
}

/* Reads on; past the end everything is 0 and bad is set. */
struct varints {
    const uint8_t *at, *end;
    bool bad;
};

/* Of more than one byte. */
uint64_t get_long_varint(struct varints *c);

static inline uint64_t get_varint(struct varints *c)
{
    return c->at < c->end && *c->at < 0x80 ? *c->at++ : get_long_varint(c);
}

/* The text's bytes; *len 0 when it runs over. */
static inline const char *get_text(struct varints *c, size_t *len)
{
    uint64_t n = get_varint(c);
    const char *text = (const char *)c->at;
    if (n > (uint64_t)(c->end - c->at)) {
        c->bad = true;
        n = 0;
    }
    c->at += n;
    *len = (size_t)n;
    return text;
}
