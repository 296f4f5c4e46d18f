#include "core/base/duration.h"

#include "core/base/time_ns.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int64_t ns;
} units[] = {
    {"ns", 1},       {"us", NS_PER_US},    {"\302\265s", NS_PER_US}, {"ms", NS_PER_MS},
    {"s", NS_PER_S}, {"m", 60 * NS_PER_S}, {"min", 60 * NS_PER_S},   {"h", 3600 * NS_PER_S},
};

/* 0: no such unit. */
static double unit_ns(const char *name, double bare_ns)
{
    if (!*name)
        return bare_ns;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(name, units[i].name) == 0)
            return (double)units[i].ns;
    return 0;
}

bool duration_parse(const char *text, double bare_ns, double *ns)
{
    char *unit;
    if (!isdigit((unsigned char)text[0]) && text[0] != '.')
        return false;
    double v = strtod(text, &unit);
    v *= unit == text ? 0 : unit_ns(unit, bare_ns);
    if (!isfinite(v) || v <= 0)
        return false;
    *ns = v;
    return true;
}
