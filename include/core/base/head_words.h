/* head_words: the message for a file that does not begin with the expected magic bytes. */
#pragma once

#include <stddef.h>

/* "empty", "ends in the middle of its head" when all there is begins the magic of n bytes; NULL: it
 * is something else. */
const char *head_words(const void *bytes, size_t len, const char *magic, size_t n);
