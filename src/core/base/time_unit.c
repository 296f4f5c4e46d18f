#include "core/base/time_unit.h"

#include <stddef.h>

struct step {
    const char *name;
    double size;
};

static const struct step times[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}, {NULL, 0}};
static const struct step bytes[] = {
    {"GiB", 1024.0 * 1024 * 1024}, {"MiB", 1024.0 * 1024}, {"KiB", 1024}, {"bytes", 1}, {NULL, 0}};
static const struct step counts[] = {{"G", 1e9}, {"M", 1e6}, {"k", 1e4}, {"", 1}, {NULL, 0}};

static const struct step *steps_of(enum time_kind kind)
{
    return kind == KIND_TIME ? times : kind == KIND_BYTES ? bytes : counts;
}

static int decimals_of(double shown)
{
    return shown < 10 ? 3 : shown < 100 ? 2 : shown < 1000 ? 1 : 0;
}

struct time_unit time_unit_of(enum time_kind kind, double typical)
{
    const struct step *s = steps_of(kind);
    while (s[1].name && typical < s->size)
        s++;
    double size = kind == KIND_COUNT && s->size == 1e4 ? 1e3 : s->size;
    bool whole = s->size == 1;
    return (struct time_unit){s->name, size, whole ? 0 : decimals_of(typical / size)};
}
