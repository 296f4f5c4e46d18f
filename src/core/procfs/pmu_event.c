#include "core/procfs/pmu_event.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

/* A number from a digit on, no sign or blank before it. */
static bool read_number(const char **s, int base, uint64_t *out)
{
    char *end;
    if (!isdigit((unsigned char)**s))
        return false;
    errno = 0;
    *out = strtoull(*s, &end, base);
    *s = end;
    return errno == 0;
}

static bool at_end(const char *s)
{
    return *s == '\0' || *s == '\n';
}

int pmu_term_next(const char **text, struct pmu_term *out)
{
    const char *s = *text;
    struct pmu_term t = {.name = s, .value = 1};
    if (at_end(s))
        return 0;
    while (in_name(*s))
        s++;
    t.len = (size_t)(s - t.name);
    if (*s == '=') {
        s++;
        t.has_value = true;
        if (!read_number(&s, 0, &t.value))
            return -EINVAL;
    }
    if (t.len == 0 || (*s != ',' && !at_end(s)))
        return -EINVAL;
    *text = s + (*s == ',');
    *out = t;
    return 1;
}

/* "config:", "config1:", "config2:". */
static int which_config(const char **s)
{
    static const char *const name[PMU_CONFIGS] = {"config:", "config1:", "config2:"};
    for (int i = 0; i < PMU_CONFIGS; i++) {
        size_t len = strlen(name[i]);
        if (strncmp(*s, name[i], len) == 0) {
            *s += len;
            return i;
        }
    }
    return -EINVAL;
}

/* "0-7" or "3", and the comma behind it. */
static bool bit_range(const char **s, uint64_t *from, uint64_t *to)
{
    if (!read_number(s, 10, from))
        return false;
    *to = *from;
    if (**s == '-') {
        ++*s;
        if (!read_number(s, 10, to))
            return false;
    }
    if (*from > *to || *to > 63 || (**s != ',' && !at_end(*s)))
        return false;
    *s += **s == ',';
    return true;
}

static uint64_t mask_of(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (1ull << bits) - 1;
}

int pmu_format_put(const char *format, uint64_t value, uint64_t config[PMU_CONFIGS])
{
    int which = which_config(&format);
    if (which < 0 || at_end(format))
        return -EINVAL;
    uint64_t word = config[which], from, to;
    while (!at_end(format)) {
        if (!bit_range(&format, &from, &to))
            return -EINVAL;
        unsigned bits = (unsigned)(to - from) + 1;
        word = (word & ~(mask_of(bits) << from)) | (value & mask_of(bits)) << from;
        value = bits >= 64 ? 0 : value >> bits;
    }
    if (value)
        return -ERANGE;
    config[which] = word;
    return 0;
}
