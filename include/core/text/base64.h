/*
 * base64: bytes as text (RFC 4648), a line at a time.
 */
#ifndef PSUITE_CORE_TEXT_BASE64_H
#define PSUITE_CORE_TEXT_BASE64_H

#include <stddef.h>

struct buf;

/* Appends the letters of len bytes and a line end. Lines can be put behind each other if all but
 * the last are of a multiple of three bytes. */
void base64_line(struct buf *out, const void *bytes, size_t len);

#endif
