/* text: the ends of strings, and the last part of paths. */
#pragma once

#include <stdbool.h>
#include <string.h>

static inline bool text_starts(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static inline bool text_ends(const char *text, const char *end)
{
    size_t len = strlen(text), end_len = strlen(end);
    return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

/* What follows the last slash; all of it without one. */
static inline const char *path_last(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
