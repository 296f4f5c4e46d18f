/*
 * scan: reads numbers and lines from NUL-terminated texts of the kernel.
 */
#pragma once

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A decimal number after blanks, UINT64_MAX when it is larger; *s moves past it. */
static inline bool scan_u64(const char **s, uint64_t *out)
{
    char *end;
    const char *at = *s + strspn(*s, " \t");
    if (!isdigit((unsigned char)*at))
        return false;
    *out = strtoull(at, &end, 10);
    *s = end;
    return true;
}

/* The same, with a sign. */
static inline bool scan_i64(const char **s, int64_t *out)
{
    char *end;
    const char *at = *s + strspn(*s, " \t");
    if (!isdigit((unsigned char)at[*at == '-']))
        return false;
    *out = strtoll(at, &end, 10);
    *s = end;
    return true;
}

/* The next word of a line and its length, 0 at the line's end. */
static inline size_t scan_word(const char **s)
{
    *s += strspn(*s, " \t");
    return strcspn(*s, " \t\n");
}

/* The line after the one that s is in; NULL behind the last. */
static inline const char *scan_next(const char *s)
{
    const char *newline = strchr(s, '\n');
    return newline && newline[1] ? newline + 1 : NULL;
}

/* What follows the key on the first line that begins with it, NULL when none does. */
static inline const char *scan_after(const char *text, const char *key)
{
    size_t len = strlen(key);
    for (const char *s = text; s; s = scan_next(s))
        if (strncmp(s, key, len) == 0)
            return s + len;
    return NULL;
}

/* The number there. */
static inline bool scan_key(const char *text, const char *key, uint64_t *out)
{
    const char *s = scan_after(text, key);
    return s && scan_u64(&s, out);
}
