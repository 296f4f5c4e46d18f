#include "core/ktrace/event.h"

enum { DIGITS = 16 };

static char *add_number(char *to, uint64_t n)
{
    *to++ = ' ';
    for (int i = DIGITS - 1; i >= 0; i--, n >>= 4)
        to[i] = "0123456789abcdef"[n & 15];
    return to + DIGITS;
}

void ktrace_line(const struct ktrace_event *e, char out[KTRACE_LINE_BYTES])
{
    char *to = out;
    *to++ = e->exit ? 'X' : 'E';
    to = add_number(to, e->pc);
    to = add_number(to, e->time);
    to = add_number(to, e->pid);
    for (size_t i = 0; i < KTRACE_ARGS; i++)
        to = add_number(to, e->arg[i]);
    *to = '\n';
}
