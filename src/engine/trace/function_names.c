#include "engine/trace/function_run.h"

/* A `*' tries again with one letter more, the last one alone: each letter is looked at as often as
 * there are stars at most. */
bool function_name_matches(const char *pattern, const char *name, size_t len)
{
    const char *star = NULL;
    size_t at = 0, retry = 0;
    while (at < len) {
        if (*pattern == '*') {
            star = ++pattern;
            retry = at;
        } else if (*pattern && (*pattern == '?' || *pattern == name[at])) {
            pattern++;
            at++;
        } else if (star) {
            pattern = star;
            at = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}
