#include "core/net/dns.h"

#include "core/base/bytes.h"
#include "core/base/line.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

enum {
    HEAD = 12,
    MAX_LABEL = 63,
    CLASS_IN = 1,
    FLAG_ANSWER = 0x8000,
    FLAG_RECURSE = 0x0100,
    FLAG_TRUNCATED = 0x0200
};
enum { CODE = 0x000f, CODE_NO_NAME = 3, POINTER = 0xc0, UNICAST = 0x8000 };

/* --- resolv.conf --- */

/* The word at or behind *at on its line: its length. */
static size_t next_word(const char **at, const char *end)
{
    while (*at < end && (**at == ' ' || **at == '\t'))
        (*at)++;
    size_t n = 0;
    while (*at + n < end && !strchr(" \t\r", (*at)[n]) && (*at)[n])
        n++;
    return n;
}

static bool is_word(const char *at, size_t len, const char *word)
{
    return len == strlen(word) && memcmp(at, word, len) == 0;
}

static void copy_host(char out[NET_HOST_MAX + 1], const char *at, size_t len)
{
    len = len < NET_HOST_MAX ? len : NET_HOST_MAX;
    memcpy(out, at, len);
    out[len] = '\0';
}

static void read_line(const char *at, const char *end, struct dns_conf *out)
{
    size_t key_len = next_word(&at, end);
    const char *key = at;
    at += key_len;
    size_t len = next_word(&at, end);
    bool domain = is_word(key, key_len, "search") || is_word(key, key_len, "domain");
    if (!len)
        return;
    if (domain && !is_word(at, len, "."))
        copy_host(out->search, at, len);
    else if (is_word(key, key_len, "nameserver") && out->servers < DNS_SERVERS_MAX &&
             (net_is_ipv4(at, len) || net_is_ipv6(at, len)))
        copy_host(out->server[out->servers++], at, len);
}

void dns_conf_read(const char *text, size_t len, struct dns_conf *out)
{
    *out = (struct dns_conf){.servers = 0};
    struct lines rest = lines_of(text, len);
    struct line line;
    while (line_next(&rest, &line))
        read_line(line.at, line.end, out);
}

void dns_qualified_name(const struct dns_conf *conf, const char *name, char out[NET_HOST_MAX + 1])
{
    copy_host(out, name, strlen(name));
    size_t len = strlen(out), more = strlen(conf->search);
    if (!strchr(out, '.') && more && len + 1 + more <= NET_HOST_MAX) {
        out[len] = '.';
        memcpy(out + len + 1, conf->search, more + 1);
        len += 1 + more;
    }
    if (len && out[len - 1] == '.')
        out[len - 1] = '\0';
}

bool dns_is_local(const char *name)
{
    size_t len = strlen(name);
    return len > 6 && strcasecmp(name + len - 6, ".local") == 0;
}

/* --- the question --- */

size_t dns_query(uint16_t id, const char *name, enum dns_type type, uint8_t out[DNS_QUERY_MAX])
{
    size_t len = HEAD;
    if (!*name || strlen(name) > NET_HOST_MAX)
        return 0;
    memset(out, 0, HEAD);
    put_be16(out, id);
    put_be16(out + 2, FLAG_RECURSE);
    put_be16(out + 4, 1);
    for (const char *at = name; *at;) {
        size_t n = strcspn(at, ".");
        if (n == 0 || n > MAX_LABEL)
            return 0;
        out[len++] = (uint8_t)n;
        memcpy(out + len, at, n);
        len += n;
        at += n + (at[n] == '.');
    }
    out[len++] = 0;
    put_be16(out + len, type);
    put_be16(out + len + 2, CLASS_IN);
    return len + 4;
}

/* --- the answer --- */

/* Behind a name, which may end in a pointer to another: 0 when it does not end. */
static size_t skip_name(const uint8_t *b, size_t len, size_t at)
{
    while (at < len) {
        if (b[at] == 0)
            return at + 1;
        if ((b[at] & POINTER) == POINTER)
            return at + 2 <= len ? at + 2 : 0;
        if (b[at] & POINTER)
            return 0;
        at += 1 + (size_t)b[at];
    }
    return 0;
}

/* Whatever the case of its letters: servers answer in that of the question, or in their own. */
static bool same_question(const uint8_t *b, const uint8_t *query, size_t len)
{
    for (size_t i = HEAD; i < len - 4; i++) {
        bool letter = (b[i] | 0x20) >= 'a' && (b[i] | 0x20) <= 'z';
        if (b[i] != query[i] && !(letter && (b[i] ^ query[i]) == 0x20))
            return false;
    }
    return memcmp(b + len - 4, query + len - 4, 4) == 0;
}

/* The first record of the type among count, whichever name it is of: a name may be an alias. */
static int find_address(const uint8_t *b, size_t len, size_t at, unsigned count, enum dns_type type,
                        uint8_t address[16])
{
    size_t wanted = type == DNS_A ? 4 : 16;
    for (; count; count--) {
        at = skip_name(b, len, at);
        if (!at || len - at < 10)
            return -EPROTO;
        unsigned is = get_be16(b + at), class = get_be16(b + at + 2) & ~(unsigned)UNICAST;
        size_t data = get_be16(b + at + 8);
        at += 10;
        if (data > len - at)
            return -EPROTO;
        if (is == (unsigned)type && class == CLASS_IN && data == wanted) {
            memcpy(address, b + at, wanted);
            return (int)wanted;
        }
        at += data;
    }
    return 0;
}

int dns_answer(const void *bytes, size_t len, uint16_t id, const char *name, enum dns_type type,
               uint8_t address[16])
{
    const uint8_t *b = bytes;
    uint8_t query[DNS_QUERY_MAX];
    size_t query_len = dns_query(id, name, type, query);
    if (!query_len || len < query_len || get_be16(b) != id || !(get_be16(b + 2) & FLAG_ANSWER) ||
        get_be16(b + 4) != 1 || !same_question(b, query, query_len))
        return -EPROTO;
    unsigned code = get_be16(b + 2) & CODE;
    if (code)
        return code == CODE_NO_NAME ? -ENOENT : -EAGAIN;
    int r = find_address(b, len, query_len, get_be16(b + 6), type, address);
    return r <= 0 && get_be16(b + 2) & FLAG_TRUNCATED ? -EAGAIN : r;
}
