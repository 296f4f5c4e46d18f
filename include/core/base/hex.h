/*
 * hex: reads hexadecimal digits.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The digit's value, 16 when it is none. */
unsigned hex_digit(char c);

/* Reads 1 to 16 digits at *s, behind 0x or not, and moves *s past them; false, with *s as it was,
 * when there are none, or more. */
bool hex_read(const char **s, uint64_t *out);
