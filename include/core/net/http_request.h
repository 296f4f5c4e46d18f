/*
 * http_request: parses a client's request: HTTP/1.0 and 1.1 (RFC 9112), GET and HEAD, without a
 * body. It is strict where a lenient parser could disagree with another: a blank in a header's
 * name, a folded line, two Hosts, a bare CR or LF are refused, and `close' goes before
 * `keep-alive'.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
    HTTP_TARGET_MAX = 2048, /* bytes of what is asked for */
    HTTP_HEAD_MAX = 8192,   /* of the whole request */
    HTTP_FIELDS_MAX = 64,   /* header lines */
};

/* Bytes of the request, not terminated; at is NULL where it has none. */
struct http_text {
    const char *at;
    size_t len;
};

struct http_request {
    bool head;               /* HEAD: the answer has no body */
    bool keep_alive;         /* the connection is good for another request */
    int minor;               /* HTTP/1.minor, 0 or 1 */
    struct http_text path;   /* from its slash to the question mark; never decoded */
    struct http_text query;  /* behind it */
    struct http_text host;   /* as sent, with a port perhaps */
    struct http_text accept; /* of several, the first */
    struct http_text last_event;
    int connection; /* for who asks (net_peer_find of plat/net.h); the server's to set */
};

/*
 * The request that the bytes start with: how many bytes it has; 0 while it is not whole; or the
 * negative status of its refusal, after which nothing the client sends has a meaning: -400, -405,
 * -413 (it has a body), -414, -431, -505. len over HTTP_HEAD_MAX is looked at no further.
 * out points into bytes, and is untouched unless the result is positive.
 */
int http_request_read(const char *bytes, size_t len, struct http_request *out);

bool http_text_is(struct http_text t, const char *text);
/* Whether it has the text somewhere, as Accept has a type. */
bool http_text_has(struct http_text t, const char *text);

/*
 * Whether a Host names this machine itself: an address or localhost, with a port or not, and
 * nothing else. A page of another site whose name leads here (DNS rebinding) has that name in it.
 */
bool http_host_is_own(struct http_text host);
