#include "core/net_text.h"

#include "scan.h"

/* Each number has a dot behind it when it is new since it was last read. */
static bool level(const char **s, int64_t *out)
{
    if (!scan_i64(s, out))
        return false;
    *s += **s == '.';
    return true;
}

static long dbm(int64_t level)
{
    if (level > 63 && level < 256)
        level -= 256;
    return level < 0 && level > -256 ? (long)level : 0;
}

bool net_wireless_parse(const char *text, const char *interface, struct net_wireless *out)
{
    size_t len = strlen(interface);
    int64_t quality, signal, noise;
    for (const char *s = text; s; s = scan_next(s)) {
        const char *at = s + strspn(s, " ");
        if (strncmp(at, interface, len) != 0 || at[len] != ':')
            continue;
        at += len + 1;
        at += scan_word(&at); /* the status */
        if (!level(&at, &quality) || !level(&at, &signal) || !level(&at, &noise))
            return false;
        *out = (struct net_wireless){(long)(quality < 0 || quality > 100000 ? 0 : quality),
                                     dbm(signal), dbm(noise)};
        return true;
    }
    return false;
}

bool net_default_route(const char *text, char out[NET_NAME_MOST + 1])
{
    for (const char *s = scan_next(text); s; s = scan_next(s)) {
        const char *name = s;
        size_t len = scan_word(&name);
        const char *to = name + len;
        size_t digits = scan_word(&to);
        if (!len || len > NET_NAME_MOST || digits != 8 || memcmp(to, "00000000", 8) != 0)
            continue;
        memcpy(out, name, len);
        out[len] = '\0';
        return true;
    }
    return false;
}
