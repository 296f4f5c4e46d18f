/*
 * ranges: lists of small numbers, as the kernel and its tools write CPUs: 0,2-3
 */
#pragma once

#include <stddef.h>

struct buf;

/* The numbers in order of the list, each once; how many, or -EINVAL: the text is no such list, a
 * range runs backwards, or a number is over max. cap is more than max. */
int ranges_parse(const char *text, int max, int *out, size_t cap);

/* Appends ascending numbers as such a list. */
void ranges_text(const int *number, size_t count, struct buf *out);
