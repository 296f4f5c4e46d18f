/* The syntax of hosts, and names that resolve without a query. */
#include "core/base/line.h"
#include "core/net/address.h"

#include <string.h>
#include <strings.h>

bool net_is_ipv4(const char *text, size_t len)
{
    size_t parts = 0, at = 0;
    for (; parts < 4; parts++) {
        unsigned v = 0;
        size_t first = at;
        for (; at < len && at - first < 3 && text[at] >= '0' && text[at] <= '9'; at++)
            v = v * 10 + (unsigned)(text[at] - '0');
        if (at == first || v > 255)
            return false;
        if (parts < 3 && (at == len || text[at++] != '.'))
            return false;
    }
    return at == len;
}

static size_t hex_digits(const char *text, size_t len)
{
    size_t n = 0;
    while (n < len && strchr("0123456789abcdefABCDEF", text[n]) && text[n])
        n++;
    return n;
}

/* Groups of one to four digits between colons, one gap of `::', the last two as an IPv4 address. */
static bool is_groups(const char *text, size_t len)
{
    unsigned groups = 0, gaps = 0;
    size_t at = 0;
    if (len >= 2 && text[0] == ':' && text[1] != ':')
        return false;
    while (at < len) {
        size_t n = hex_digits(text + at, len - at);
        if (n && at + n < len && text[at + n] == '.')
            return net_is_ipv4(text + at, len - at) && (gaps ? groups < 6 : groups == 6);
        if (n > 4)
            return false;
        groups += n > 0;
        at += n;
        if (at == len)
            break;
        if (text[at++] != ':' || at == len)
            return false;
        if (text[at] == ':') {
            at++;
            gaps++;
        } else if (n == 0) {
            return false;
        }
        if (groups > 8 || gaps > 1)
            return false;
    }
    return gaps ? groups < 8 : groups == 8;
}

bool net_is_ipv6(const char *text, size_t len)
{
    const char *zone = memchr(text, '%', len);
    if (zone && zone + 1 == text + len)
        return false;
    for (const char *at = zone; at && at < text + len; at++)
        if (*at <= ' ' || *at > '~' || strchr("/[]!", *at))
            return false;
    return is_groups(text, zone ? (size_t)(zone - text) : len);
}

/* --- the hosts file --- */

static size_t next_word(const char *text, size_t len, const char **at)
{
    while (*at < text + len && (**at == ' ' || **at == '\t' || **at == '\r'))
        (*at)++;
    const char *first = *at;
    while (*at < text + len && !strchr(" \t\r#", **at) && **at)
        (*at)++;
    return (size_t)(*at - first);
}

/* Whether a line has the name behind its address, which is then in out. */
static bool line_has(const char *line, size_t len, const char *name, char out[NET_HOST_MAX + 1])
{
    const char *at = line;
    size_t address = next_word(line, len, &at), n;
    const char *end = at;
    if (!net_is_ipv4(end - address, address) && !net_is_ipv6(end - address, address))
        return false;
    while ((n = next_word(line, len, &at)) > 0) {
        if (n != strlen(name) || strncasecmp(at - n, name, n) != 0)
            continue;
        if (address > NET_HOST_MAX)
            return false;
        memcpy(out, end - address, address);
        out[address] = '\0';
        return true;
    }
    return false;
}

bool net_hosts_find(const char *hosts, size_t len, const char *name, char out[NET_HOST_MAX + 1])
{
    struct lines rest = lines_of(hosts, len);
    struct line line;
    while (line_next(&rest, &line))
        if (line_has(line.at, line_len(line), name, out))
            return true;
    if (strcasecmp(name, "localhost") != 0)
        return false;
    memcpy(out, "127.0.0.1", sizeof "127.0.0.1");
    return true;
}
