/*
 * base64: bytes as text (RFC 4648), a line at a time.
 */
#pragma once

#include <stddef.h>

struct buf;

/* Appends the letters of len bytes and a line end. Lines can be put behind each other if all but
 * the last are of a multiple of three bytes. */
void base64_line(struct buf *out, const void *bytes, size_t len);
