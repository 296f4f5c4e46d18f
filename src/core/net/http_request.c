#include "core/net/http_request.h"

#include "core/base/line.h"
#include "core/net/address.h"

#include <string.h>
#include <strings.h>

enum {
    BAD = -400,
    METHOD = -405,
    BODY = -413,
    TARGET_LONG = -414,
    HEAD_LONG = -431,
    VERSION = -505
};

/* --- characters (RFC 9110, 5.6.2) --- */

static bool is_token(char c)
{
    char lower = (char)(c | 0x20);
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') ||
           (c && strchr("!#$%&'*+-.^_`|~", c));
}

static bool all_tokens(struct http_text t)
{
    for (size_t i = 0; i < t.len; i++)
        if (!is_token(t.at[i]))
            return false;
    return t.len > 0;
}

static bool is_value(struct http_text t)
{
    for (size_t i = 0; i < t.len; i++) {
        unsigned char c = (unsigned char)t.at[i];
        if ((c < ' ' && c != '\t') || c == 0x7f)
            return false;
    }
    return true;
}

static bool is_target(struct http_text t)
{
    for (size_t i = 0; i < t.len; i++)
        if (t.at[i] <= ' ' || t.at[i] > '~')
            return false;
    return t.len > 0;
}

bool http_text_is(struct http_text t, const char *text)
{
    return t.at && t.len == strlen(text) && memcmp(t.at, text, t.len) == 0;
}

bool http_text_has(struct http_text t, const char *text)
{
    return t.at && memmem(t.at, t.len, text, strlen(text));
}

static bool is_word(struct http_text t, const char *word)
{
    return t.len == strlen(word) && strncasecmp(t.at, word, t.len) == 0;
}

/* --- lines --- */

/* The next line, without its end; false: there is none, or it ends in an LF alone. */
static bool next_line(struct lines *l, struct http_text *out)
{
    struct line next;
    if (!line_next(l, &next) || !line_len(next) || next.end[-1] != '\r')
        return false;
    *out = (struct http_text){next.at, line_len(next) - 1};
    return true;
}

/* Length of the head in bytes, including the empty line; 0: it is incomplete. */
static size_t head_len(const char *bytes, size_t len)
{
    const char *end = bytes + len;
    for (const char *at = bytes; (at = memchr(at, '\n', (size_t)(end - at))); at++) {
        const char *next = at + 1;
        if (next < end && *next == '\r')
            next++;
        if (next < end && *next == '\n')
            return (size_t)(next + 1 - bytes);
    }
    return 0;
}

/* --- the first line: METHOD TARGET HTTP/1.MINOR --- */

static bool split_at(struct http_text *rest, char at, struct http_text *out)
{
    const char *found = memchr(rest->at, at, rest->len);
    if (!found)
        return false;
    *out = (struct http_text){rest->at, (size_t)(found - rest->at)};
    rest->len -= out->len + 1;
    rest->at = found + 1;
    return true;
}

/* http://HOST/PATH, which a proxy is asked: its host counts, whatever Host says. */
static int parse_absolute(struct http_text *target, struct http_request *r)
{
    static const char scheme[] = "http://";
    size_t n = sizeof scheme - 1;
    if (target->len < n || strncasecmp(target->at, scheme, n) != 0)
        return BAD;
    struct http_text rest = {target->at + n, target->len - n};
    const char *slash = memchr(rest.at, '/', rest.len);
    if (!slash || slash == rest.at)
        return BAD;
    r->host = (struct http_text){rest.at, (size_t)(slash - rest.at)};
    *target = (struct http_text){slash, rest.len - r->host.len};
    return 0;
}

static int parse_target(struct http_text target, struct http_request *r)
{
    if (target.len > HTTP_TARGET_MAX)
        return TARGET_LONG;
    if (!is_target(target) || (*target.at != '/' && parse_absolute(&target, r) < 0))
        return BAD;
    r->query.at = NULL;
    const char *mark = memchr(target.at, '?', target.len);
    r->path = (struct http_text){target.at, mark ? (size_t)(mark - target.at) : target.len};
    if (mark)
        r->query = (struct http_text){mark + 1, target.len - r->path.len - 1};
    return 0;
}

static int parse_version(struct http_text v, struct http_request *r)
{
    if (v.len != 8 || memcmp(v.at, "HTTP/", 5) != 0 || v.at[6] != '.' || v.at[7] < '0' ||
        v.at[7] > '9')
        return BAD;
    if (v.at[5] != '1')
        return VERSION;
    r->minor = v.at[7] != '0';
    r->keep_alive = r->minor;
    return 0;
}

static int parse_request_line(struct http_text line, struct http_request *r)
{
    struct http_text method, target;
    if (!split_at(&line, ' ', &method) || !all_tokens(method) || !split_at(&line, ' ', &target))
        return BAD;
    int err = parse_version(line, r);
    if (err < 0)
        return err;
    r->head = http_text_is(method, "HEAD");
    if (!r->head && !http_text_is(method, "GET"))
        return METHOD;
    return parse_target(target, r);
}

/* --- the other lines: NAME: VALUE --- */

static struct http_text trim_blanks(struct http_text t)
{
    while (t.len && (t.at[0] == ' ' || t.at[0] == '\t'))
        t = (struct http_text){t.at + 1, t.len - 1};
    while (t.len && (t.at[t.len - 1] == ' ' || t.at[t.len - 1] == '\t'))
        t.len--;
    return t;
}

struct seen {
    bool host, length, close;
};

static void parse_connection(struct http_text value, struct http_request *r, struct seen *seen)
{
    struct http_text word;
    bool more = true;
    while (more) {
        more = split_at(&value, ',', &word);
        word = trim_blanks(more ? word : value);
        if (is_word(word, "close"))
            seen->close = true;
        else if (is_word(word, "keep-alive") && r->minor == 0)
            r->keep_alive = true;
    }
}

static bool is_zero(struct http_text t)
{
    return t.len == 1 && *t.at == '0';
}

static int parse_host(struct http_text value, struct http_request *r, struct seen *seen)
{
    if (seen->host)
        return BAD;
    seen->host = true;
    if (!r->host.at)
        r->host = value;
    return 0;
}

static int parse_length(struct http_text value, struct seen *seen)
{
    if (seen->length)
        return BAD;
    seen->length = true;
    return is_zero(value) ? 0 : BODY;
}

static int parse_field(struct http_text line, struct http_request *r, struct seen *seen)
{
    struct http_text name;
    if (!split_at(&line, ':', &name) || !all_tokens(name) || !is_value(line))
        return BAD;
    struct http_text value = trim_blanks(line);
    if (is_word(name, "host"))
        return parse_host(value, r, seen);
    if (is_word(name, "content-length"))
        return parse_length(value, seen);
    if (is_word(name, "transfer-encoding"))
        return BODY;
    if (is_word(name, "connection"))
        parse_connection(value, r, seen);
    else if (is_word(name, "accept") && !r->accept.at)
        r->accept = value;
    else if (is_word(name, "last-event-id"))
        r->last_event = value;
    return 0;
}

static int parse_fields(struct lines *l, struct http_request *r)
{
    struct seen seen = {.host = false};
    for (int n = 0;; n++) {
        struct http_text line;
        if (!next_line(l, &line))
            return BAD;
        if (line.len == 0)
            break;
        if (n == HTTP_FIELDS_MAX)
            return HEAD_LONG;
        int err = parse_field(line, r, &seen);
        if (err < 0)
            return err;
    }
    r->keep_alive &= !seen.close;
    return r->minor && !seen.host ? BAD : 0;
}

/* --- requests --- */

/* A first line that is too long already, or is none, is answered before its end comes. */
static int judge_part(const char *bytes, size_t len)
{
    if (!memchr(bytes, '\n', len) && len > HTTP_TARGET_MAX + 32)
        return TARGET_LONG;
    if (len && !is_token(*bytes))
        return BAD;
    return len >= HTTP_HEAD_MAX ? HEAD_LONG : 0;
}

int http_request_read(const char *bytes, size_t len, struct http_request *out)
{
    size_t blank = 0; /* an empty line before the request is let be */
    if (len >= 2 && bytes[0] == '\r' && bytes[1] == '\n')
        blank = 2;
    else if (len == 1 && bytes[0] == '\r')
        return 0;
    bytes += blank;
    len -= blank;
    size_t n = head_len(bytes, len < HTTP_HEAD_MAX ? len : HTTP_HEAD_MAX);
    if (n == 0)
        return judge_part(bytes, len);
    struct http_request r = {.minor = 0};
    struct lines l = lines_of(bytes, n);
    struct http_text first;
    int err = next_line(&l, &first) ? parse_request_line(first, &r) : BAD;
    if (err == 0)
        err = parse_fields(&l, &r);
    if (err < 0)
        return err;
    *out = r;
    return (int)(blank + n);
}

/* --- Host --- */

static bool is_port(const char *s, size_t len)
{
    unsigned port = 0;
    for (size_t i = 0; i < len; i++) {
        if (s[i] < '0' || s[i] > '9' || i == 5)
            return false;
        port = port * 10 + (unsigned)(s[i] - '0');
    }
    return len > 0 && port <= 65535;
}

/* HOST or HOST:PORT, of which the host has len bytes. */
static bool has_port_or_none(struct http_text host, size_t len)
{
    if (len == host.len)
        return true;
    return host.at[len] == ':' && is_port(host.at + len + 1, host.len - len - 1);
}

static bool is_own_v6(struct http_text host)
{
    const char *close = memchr(host.at, ']', host.len);
    size_t len = close ? (size_t)(close - host.at) : 0;
    return close && !memchr(host.at, '%', len) && net_is_ipv6(host.at + 1, len - 1) &&
           has_port_or_none(host, len + 1);
}

bool http_host_is_own(struct http_text host)
{
    if (!host.at)
        return true; /* HTTP/1.0 without one: no browser */
    if (host.len && *host.at == '[')
        return is_own_v6(host);
    const char *colon = memchr(host.at, ':', host.len);
    size_t len = colon ? (size_t)(colon - host.at) : host.len;
    const struct http_text name = {host.at, len};
    return has_port_or_none(host, len) && (net_is_ipv4(name.at, len) || is_word(name, "localhost"));
}
