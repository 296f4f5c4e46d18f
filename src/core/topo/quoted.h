/*
 * quoted: names as Python writes strings: between ', between " if there is a ' in the name but no
 * ", with \\, \', \n, \r, \t and \xNN for other control characters.
 */
#pragma once

#include <stdbool.h>

struct buf;

void quoted_add(struct buf *out, const char *name);

/* Reads one at *at, which moves behind it, and puts it into out instead of what was there. False if
 * there is none, or if it is empty or has a NUL. */
bool quoted_read(const char **at, const char *end, struct buf *out);
