/*
 * line: the lines of a text that need not end with a NUL nor with a newline.
 *
 *     struct lines rest = lines_of(text, len);
 *     struct line line;
 *     while (line_next(&rest, &line))
 *         use(line.at, line.end);
 *
 * A text that ends with a NUL is read with core/base/scan.h.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct lines {
    const char *at, *end; /* what is left of the text */
};

struct line {
    const char *at, *end; /* without its newline */
};

/* text may be NULL when len is 0. */
static inline struct lines lines_of(const char *text, size_t len)
{
    return (struct lines){text, len ? text + len : text};
}

/* False behind the last line. The last has no newline if rest->at is its end. */
static inline bool line_next(struct lines *rest, struct line *out)
{
    if (rest->at == rest->end)
        return false;
    const char *newline = memchr(rest->at, '\n', (size_t)(rest->end - rest->at));
    *out = (struct line){rest->at, newline ? newline : rest->end};
    rest->at = newline ? newline + 1 : rest->end;
    return true;
}

static inline size_t line_len(struct line l)
{
    return (size_t)(l.end - l.at);
}

/* The next line as a string, its newline overwritten by a NUL; so is *stop if the last line has no
 * newline. NULL behind the last. *at moves on; *end is the line's. */
static inline char *line_cut(char **at, char *stop, char **end)
{
    char *start = *at;
    if (start >= stop)
        return NULL;
    char *newline = memchr(start, '\n', (size_t)(stop - start));
    *end = newline ? newline : stop;
    **end = '\0';
    *at = *end + 1;
    return start;
}
