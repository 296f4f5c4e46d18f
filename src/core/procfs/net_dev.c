#include "core/procfs/net_dev.h"

#include "core/base/scan.h"

/* Each number has a dot behind it when it is new since it was last read. */
static bool read_level(const char **s, int64_t *out)
{
    if (!scan_i64(s, out))
        return false;
    *s += **s == '.';
    return true;
}

static long level_to_dbm(int64_t level)
{
    if (level > 63 && level < 256)
        level -= 256;
    return level < 0 && level > -256 ? (long)level : 0;
}

/* The text after the interface's name and colon; NULL: it has no line. */
static const char *line_of(const char *text, const char *interface)
{
    size_t len = strlen(interface);
    for (const char *s = text; s; s = scan_next(s)) {
        const char *at = s + strspn(s, " ");
        if (strncmp(at, interface, len) == 0 && at[len] == ':')
            return at + len + 1;
    }
    return NULL;
}

bool net_wireless_parse(const char *text, const char *interface, struct net_wireless *out)
{
    int64_t quality, signal, noise;
    const char *at = line_of(text, interface);
    if (!at)
        return false;
    at += scan_word(&at); /* the status */
    if (!read_level(&at, &quality) || !read_level(&at, &signal) || !read_level(&at, &noise))
        return false;
    *out = (struct net_wireless){(long)(quality < 0 || quality > 100000 ? 0 : quality),
                                 level_to_dbm(signal), level_to_dbm(noise)};
    return true;
}

/* The numbers of /proc/net/dev behind an interface's name: what was received, then sent. */
enum { RECEIVED = 8, READ = 11 };

static bool read_numbers(const char *at, uint64_t n[READ])
{
    for (size_t i = 0; i < READ; i++)
        if (!at || !scan_u64(&at, &n[i]))
            return false;
    return true;
}

static bool read_bytes(const char *line, struct net_bytes *out)
{
    uint64_t n[READ];
    const char *name = line + strspn(line, " "), *end = name + strcspn(name, ": \t\n");
    size_t len = (size_t)(end - name);
    if (!len || len > NET_NAME_MAX || *end != ':' || !read_numbers(end + 1, n))
        return false;
    *out = (struct net_bytes){.in = n[0], .out = n[RECEIVED]};
    memcpy(out->name, name, len);
    return true;
}

bool net_bytes_next(const char **at, struct net_bytes *out)
{
    bool found = false;
    for (; *at && !found; *at = scan_next(*at))
        found = read_bytes(*at, out);
    return found;
}

bool net_counts_parse(const char *text, const char *interface, struct net_counts *out)
{
    uint64_t n[READ];
    if (!read_numbers(line_of(text, interface), n))
        return false;
    *out = (struct net_counts){.in = n[1],
                               .in_bad = {n[2], n[3], n[4], n[5]},
                               .out = n[RECEIVED + 1],
                               .out_bad = n[RECEIVED + 2]};
    return true;
}

bool net_default_route(const char *text, char out[NET_NAME_MAX + 1])
{
    for (const char *s = scan_next(text); s; s = scan_next(s)) {
        const char *name = s;
        size_t len = scan_word(&name);
        const char *to = name + len;
        size_t digits = scan_word(&to);
        if (!len || len > NET_NAME_MAX || digits != 8 || memcmp(to, "00000000", 8) != 0)
            continue;
        memcpy(out, name, len);
        out[len] = '\0';
        return true;
    }
    return false;
}
