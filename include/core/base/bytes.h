/*
 * bytes: integers of a given byte order, read from and written to bytes. No other file swaps bytes.
 * The caller has checked the bounds; p need not be aligned.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t get_le16(const void *p)
{
    const uint8_t *b = p;
    return (uint16_t)(b[0] | b[1] << 8);
}

static inline uint32_t get_le32(const void *p)
{
    const uint8_t *b = p;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline uint64_t get_le64(const void *p)
{
    return get_le32(p) | (uint64_t)get_le32((const uint8_t *)p + 4) << 32;
}

static inline uint16_t get_be16(const void *p)
{
    return __builtin_bswap16(get_le16(p));
}

static inline uint32_t get_be32(const void *p)
{
    return __builtin_bswap32(get_le32(p));
}

static inline uint64_t get_be64(const void *p)
{
    return __builtin_bswap64(get_le64(p));
}

/* In an order that the bytes themselves tell. */
static inline uint16_t get_u16(const void *p, bool big_endian)
{
    return big_endian ? get_be16(p) : get_le16(p);
}

static inline uint32_t get_u32(const void *p, bool big_endian)
{
    return big_endian ? get_be32(p) : get_le32(p);
}

static inline uint64_t get_u64(const void *p, bool big_endian)
{
    return big_endian ? get_be64(p) : get_le64(p);
}

static inline void put_le32(void *p, uint32_t v)
{
    uint8_t *b = p;
    b[0] = (uint8_t)v;
    b[1] = (uint8_t)(v >> 8);
    b[2] = (uint8_t)(v >> 16);
    b[3] = (uint8_t)(v >> 24);
}

static inline void put_le16(void *p, uint16_t v)
{
    uint8_t *b = p;
    b[0] = (uint8_t)v;
    b[1] = (uint8_t)(v >> 8);
}

static inline void put_le64(void *p, uint64_t v)
{
    put_le32(p, (uint32_t)v);
    put_le32((uint8_t *)p + 4, (uint32_t)(v >> 32));
}

static inline void put_be16(void *p, uint16_t v)
{
    put_le16(p, __builtin_bswap16(v));
}

static inline void put_be32(void *p, uint32_t v)
{
    put_le32(p, __builtin_bswap32(v));
}
