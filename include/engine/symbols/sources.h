/* sources: reads the text of source files. */
#pragma once

#include "plat/file.h"

#include <stdbool.h>
#include <stddef.h>

enum { SOURCES_CAP = 32, SOURCES_MAX_BYTES = 64 << 20 };

struct source {
    char *path;
    struct image image; /* empty when it cannot be read */
};

struct sources { /* starts as zeroes; those of the last files that were asked for */
    struct source source[SOURCES_CAP];
    size_t count, next;
};

/* The text of a regular file of at most SOURCES_MAX_BYTES, which stays until the next question;
 * false when there is none. May be read only under plat/guard.h: the file may shrink. */
bool sources_text(struct sources *s, const char *path, const char **text, size_t *len);
void sources_release(struct sources *s);
