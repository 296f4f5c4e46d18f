#include "core/procfs/pressure.h"

#include "core/base/scan.h"

static bool read_total(const char *text, const char *key, uint64_t *us)
{
    static const char word[] = "total=";
    const char *s = scan_after(text, key);
    for (size_t len; s && (len = scan_word(&s)); s += len)
        if (len > sizeof word - 1 && strncmp(s, word, sizeof word - 1) == 0) {
            s += sizeof word - 1;
            return scan_u64(&s, us);
        }
    return false;
}

bool pressure_parse(const char *text, struct pressure *out)
{
    struct pressure p = {.full_us = 0};
    if (!read_total(text, "some ", &p.some_us))
        return false;
    read_total(text, "full ", &p.full_us);
    *out = p;
    return true;
}
