#include "core/base/head_words.h"

#include <string.h>

const char *head_words(const void *bytes, size_t len, const char *magic, size_t n)
{
    if (len == 0)
        return "empty";
    return len < n && memcmp(bytes, magic, len) == 0 ? "cut off in its header" : NULL;
}
