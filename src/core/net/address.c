#include "core/net/address.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int fail_address(struct fail *f, const char *text, const char *reason)
{
    fail_set(f, 0, "%.80s: %s", text, reason);
    fail_hint(f, "an address is tcp!HOST!PORT, HOST:PORT, :PORT or unix!PATH");
    return -EINVAL;
}

/* --- its parts --- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool read_port(const char *text, uint16_t *out)
{
    unsigned long v = 0;
    if (strcmp(text, "9fs") == 0) {
        *out = NET_PORT_9P;
        return true;
    }
    for (const char *at = text; *at; at++) {
        if (!is_digit(*at) || (v = v * 10 + (unsigned)(*at - '0')) > UINT16_MAX)
            return false;
    }
    *out = (uint16_t)v;
    return *text != '\0';
}

static bool is_name(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        char c = text[i], lower = (char)(c | 0x20);
        if (!is_digit(c) && !(lower >= 'a' && lower <= 'z') && c != '.' && c != '-' && c != '_')
            return false;
    }
    return len > 0 && text[0] != '-';
}

static bool is_host(const char *text, size_t len)
{
    return len <= NET_HOST_MAX &&
           ((len == 1 && *text == '*') || is_name(text, len) || net_is_ipv6(text, len));
}

static void keep_host(struct net_address *a, const char *text, size_t len)
{
    if (len == 0) {
        text = "127.0.0.1";
        len = strlen(text);
    }
    memcpy(a->host, text, len);
    a->host[len] = '\0';
}

/* --- its forms --- */

static int read_unix(const char *text, const char *path, struct net_address *a, struct fail *f)
{
    if (!*path)
        return fail_address(f, text, "no path");
    if (strlen(path) > NET_PATH_MAX)
        return fail_address(f, text, "the path of a socket can have at most 107 bytes");
    a->kind = NET_UNIX;
    memcpy(a->path, path, strlen(path) + 1);
    return 0;
}

static int read_plan9(const char *text, const char *host, uint16_t port, struct net_address *a,
                      struct fail *f)
{
    size_t len = strcspn(host, "!");
    a->port = port;
    if (len && !is_host(host, len))
        return fail_address(f, text, "not a host");
    if (host[len] && !read_port(host + len + 1, &a->port))
        return fail_address(f, text, "not a port: ports are numbers up to 65535");
    keep_host(a, host, len);
    return 0;
}

static int read_colon(const char *text, struct net_address *a, struct fail *f)
{
    const char *colon = strrchr(text, ':'), *host = text;
    if (!colon)
        return fail_address(f, text, "no port");
    size_t len = (size_t)(colon - text);
    bool bracketed = len >= 2 && text[0] == '[' && colon[-1] == ']';
    if (bracketed) {
        host++;
        len -= 2;
    }
    if (bracketed ? !net_is_ipv6(host, len) || len > NET_HOST_MAX
                  : len && (!is_host(host, len) || memchr(host, ':', len)))
        return fail_address(f, text, "not a host");
    if (!read_port(colon + 1, &a->port))
        return fail_address(f, text, "not a port: ports are numbers up to 65535");
    keep_host(a, host, len);
    return 0;
}

int net_address_read(const char *text, uint16_t port, struct net_address *out, struct fail *f)
{
    struct net_address a = {.kind = NET_TCP};
    int r;
    if (strncmp(text, "unix!", 5) == 0)
        r = read_unix(text, text + 5, &a, f);
    else if (strncmp(text, "tcp!", 4) == 0)
        r = read_plan9(text, text + 4, port, &a, f);
    else
        r = read_colon(text, &a, f);
    if (r == 0)
        *out = a;
    return r;
}

void net_address_text(const struct net_address *a, char out[NET_TEXT_MAX + 1])
{
    if (a->kind == NET_UNIX)
        snprintf(out, NET_TEXT_MAX + 1, "unix!%s", a->path);
    else
        snprintf(out, NET_TEXT_MAX + 1, strchr(a->host, ':') ? "[%s]:%u" : "%s:%u", a->host,
                 (unsigned)a->port);
}

/* --- which machines it means --- */

bool net_address_is_local(const struct net_address *a)
{
    size_t len = strlen(a->host);
    return a->kind == NET_UNIX || strcmp(a->host, "localhost") == 0 ||
           strcmp(a->host, "::1") == 0 ||
           (net_is_ipv4(a->host, len) && strncmp(a->host, "127.", 4) == 0);
}

const char *net_address_error(int err)
{
    return err == -ENONET ? "host not found" : err == -ECOMM ? "no name server answers" : NULL;
}
