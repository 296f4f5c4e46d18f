#include "core/text/counted.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool ends_in_hiss(const char *noun)
{
    size_t n = strlen(noun);
    if (n < 2)
        return false;
    char last = noun[n - 1], before = noun[n - 2];
    return last == 's' || last == 'x' || (last == 'h' && (before == 'c' || before == 's'));
}

struct counted counted(uint64_t n, const char *noun)
{
    struct counted c;
    const char *ending = n == 1 ? "" : ends_in_hiss(noun) ? "es" : "s";
    snprintf(c.text, sizeof c.text, "%" PRIu64 " %s%s", n, noun, ending);
    return c;
}
