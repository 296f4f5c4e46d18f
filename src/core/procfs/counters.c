#include "core/procfs/counters.h"

#include "core/base/scan.h"

bool kernel_count(const char *text, const char *name, uint64_t *out)
{
    size_t len = strlen(name);
    for (const char *s = text; s; s = scan_next(s))
        if (strncmp(s, name, len) == 0 && s[len] == ' ') {
            s += len;
            return scan_u64(&s, out);
        }
    return false;
}

bool kernel_load(const char *text, uint64_t *out)
{
    uint64_t whole, part = 0;
    const char *s = text;
    if (!scan_u64(&s, &whole) || whole > UINT32_MAX || *s != '.')
        return false;
    s++;
    for (int digits = 0; digits < 3; digits++)
        part = part * 10 + (isdigit((unsigned char)*s) ? (uint64_t)(*s++ - '0') : 0);
    *out = whole * 1000 + part;
    return true;
}

bool kernel_number(const char *text, int64_t *out)
{
    const char *s = text;
    return scan_i64(&s, out) && s[strspn(s, " \n")] == '\0';
}
