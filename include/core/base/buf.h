/*
 * buf: a growable byte buffer, in which text and files pass between the layers.
 *
 * Appending cannot fail in the caller's face: when memory runs out the buffer remembers it, further
 * appends do nothing, and buf_error returns -ENOMEM once at the end. data is NUL-terminated after
 * every append (the NUL is not counted).
 */
#pragma once

#include "core/base/scope.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct buf {
    char *data; /* NULL while empty */
    size_t len;
    size_t cap;
    int err; /* 0 or -ENOMEM */
};

#define BUF_INIT                                                                                   \
    {                                                                                              \
        NULL, 0, 0, 0                                                                              \
    }

/* Of a function's own: SCOPED_BUF text = BUF_INIT; is released at its return. */
#define SCOPED_BUF SCOPED(buf_release) struct buf

void buf_init(struct buf *b);
void buf_release(struct buf *b); /* frees the bytes; b is empty and usable afterwards */
void buf_clear(struct buf *b);   /* keeps the memory for reuse; forgets an error */

/* Clears a buffer that is filled again and again: of its memory half is given back where a quarter
 * or less was used, and `least' bytes remain. */
void buf_recycle(struct buf *b, size_t least);

void buf_add(struct buf *b, const void *bytes, size_t len);
void buf_addc(struct buf *b, char c);
void buf_adds(struct buf *b, const char *s);
void buf_add_hex(struct buf *b,
                 uint64_t value); /* as buf_printf("%x"), but several times as fast */
void buf_add_decimal(struct buf *b, uint64_t value);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));

/* Takes the first len bytes away; at most b->len of them. */
void buf_drop(struct buf *b, size_t len);

/* Room for len more bytes at data + len, which the caller fills and then accounts for with
 * buf_commit. NULL when out of memory. */
void *buf_reserve(struct buf *b, size_t len);
void buf_commit(struct buf *b, size_t len);

/* The text, never NULL. */
const char *buf_str(const struct buf *b);

int buf_error(const struct buf *b);
