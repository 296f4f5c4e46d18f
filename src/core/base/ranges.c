#include "core/base/ranges.h"

#include "core/base/buf.h"

#include <errno.h>
#include <stdbool.h>

enum { MAX_DIGITS = 6 };

/* Moves *at past a number; -1: there is none, or it is over max. */
static int parse_number(const char **at, int max)
{
    int n = 0, digits = 0;
    for (; **at >= '0' && **at <= '9' && digits < MAX_DIGITS; digits++)
        n = n * 10 + (*(*at)++ - '0');
    return digits && n <= max ? n : -1;
}

static bool has(const int *out, int count, int number)
{
    for (int i = 0; i < count; i++)
        if (out[i] == number)
            return true;
    return false;
}

int ranges_parse(const char *text, int max, int *out, size_t cap)
{
    int count = 0;
    for (;;) {
        int from = parse_number(&text, max), to = from;
        if (*text == '-') {
            text++;
            to = parse_number(&text, max);
        }
        if (from < 0 || to < from)
            return -EINVAL;
        for (int n = from; n <= to; n++)
            if (!has(out, count, n) && (size_t)count < cap)
                out[count++] = n;
        if (!*text)
            return count;
        if (*text++ != ',')
            return -EINVAL;
    }
}

void ranges_text(const int *number, size_t count, struct buf *out)
{
    for (size_t i = 0, last; i < count; i = last + 1) {
        for (last = i; last + 1 < count && number[last + 1] == number[last] + 1;)
            last++;
        buf_printf(out, "%s%d", i ? "," : "", number[i]);
        if (last > i)
            buf_printf(out, "-%d", number[last]);
    }
}
