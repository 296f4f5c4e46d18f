#include "core/base/buf.h"

#include "core/base/grow.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void buf_init(struct buf *b)
{
    *b = (struct buf)BUF_INIT;
}

void buf_release(struct buf *b)
{
    free(b->data);
    buf_init(b);
}

void buf_clear(struct buf *b)
{
    b->len = 0;
    b->err = 0;
    if (b->data)
        b->data[0] = '\0';
}

void buf_recycle(struct buf *b, size_t least)
{
    shrink(&b->data, &b->cap, b->len, least, 1);
    buf_clear(b);
}

void *buf_reserve(struct buf *b, size_t len)
{
    if (b->err)
        return NULL;
    size_t need;
    if (__builtin_add_overflow(b->len, len, &need) || __builtin_add_overflow(need, 1, &need)) {
        b->err = -ENOMEM;
        return NULL;
    }
    if (need > b->cap) {
        size_t cap = b->cap ? b->cap : 64;
        while (cap < need)
            cap = cap > SIZE_MAX / 2 ? need : cap * 2;
        char *data = realloc(b->data, cap);
        if (!data) {
            b->err = -ENOMEM;
            return NULL;
        }
        b->data = data;
        b->cap = cap;
    }
    return b->data + b->len;
}

void buf_commit(struct buf *b, size_t len)
{
    b->len += len;
    b->data[b->len] = '\0';
}

void buf_add(struct buf *b, const void *bytes, size_t len)
{
    char *at = buf_reserve(b, len);
    if (!at)
        return;
    if (len)
        memcpy(at, bytes, len);
    buf_commit(b, len);
}

void buf_addc(struct buf *b, char c)
{
    buf_add(b, &c, 1);
}

void buf_adds(struct buf *b, const char *s)
{
    buf_add(b, s, strlen(s));
}

/* Most texts fit into what is reserved already, and are formatted once. */
void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
    va_list copy;
    va_copy(copy, ap);
    size_t space = b->data && !b->err ? b->cap - b->len : 0;
    int n = vsnprintf(space ? b->data + b->len : NULL, space, fmt, ap);
    bool fits = n >= 0 && (size_t)n < space;
    if (!fits && space)
        b->data[b->len] = '\0';
    char *at = n < 0 ? NULL : buf_reserve(b, (size_t)n);
    if (at && !fits)
        vsnprintf(at, (size_t)n + 1, fmt, copy);
    if (at)
        buf_commit(b, (size_t)n);
    va_end(copy);
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    buf_vprintf(b, fmt, ap);
    va_end(ap);
}

static void add_number(struct buf *b, uint64_t value, unsigned base)
{
    char text[20], *at = text + sizeof text;
    do {
        *--at = "0123456789abcdef"[value % base];
        value /= base;
    } while (value);
    buf_add(b, at, (size_t)(text + sizeof text - at));
}

void buf_add_hex(struct buf *b, uint64_t value)
{
    add_number(b, value, 16);
}

void buf_add_decimal(struct buf *b, uint64_t value)
{
    add_number(b, value, 10);
}

void buf_drop(struct buf *b, size_t len)
{
    if (!len)
        return;
    b->len -= len;
    memmove(b->data, b->data + len, b->len);
    b->data[b->len] = '\0';
}

const char *buf_str(const struct buf *b)
{
    return b->data ? b->data : "";
}

int buf_error(const struct buf *b)
{
    return b->err;
}
