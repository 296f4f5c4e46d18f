/*
 * rune: Unicode scalars, UTF-8 (RFC 3629), and the columns a character takes in a terminal.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { RUNE_BAD = 0xFFFD, RUNE_LAST = 0x10FFFF, RUNE_BYTES = 4 };

/*
 * The scalar at the start of len > 0 bytes, and how many bytes it takes: 1..4. What is no UTF-8 (a
 * byte out of place, an overlong form, a surrogate, one past RUNE_LAST) is RUNE_BAD of 1 byte. When
 * the bytes end before the scalar does: 0, and *rune is untouched.
 */
size_t rune_decode(const void *bytes, size_t len, uint32_t *rune);
/* The bytes of the scalar at the start of a string, 1 at its end; 0: there is none. */
size_t rune_len(const char *text);

/* The bytes of a scalar: how many. What is none is written as RUNE_BAD. */
size_t rune_encode(uint32_t rune, char out[static RUNE_BYTES]);

/* The columns it takes: 0 (combining, joining and direction marks), 1 or 2. Of control characters
 * and of what is not assigned 1. */
int rune_width(uint32_t rune);
