/* What a client sends: read whole and in pieces alike, every text within the request. */
#include "fuzz.h"

#include "core/net/http_request.h"

static void check_within(struct http_text t, const char *bytes, size_t len)
{
    if (t.at && (t.at < bytes || t.at + t.len > bytes + len))
        abort();
}

static void check(const struct http_request *r, const char *bytes, size_t len)
{
    check_within(r->path, bytes, len);
    check_within(r->query, bytes, len);
    check_within(r->host, bytes, len);
    check_within(r->accept, bytes, len);
    check_within(r->last_event, bytes, len);
    if (!r->path.len || *r->path.at != '/' || (r->minor && !r->host.at))
        abort();
    http_host_is_own(r->host);
    http_text_has(r->accept, "openmetrics");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    char *text = malloc(len ? len : 1);
    struct http_request r, again;
    if (!text)
        abort();
    memcpy(text, bytes, len);
    int n = http_request_read(text, len, &r);
    if (n > 0) {
        if ((size_t)n > len)
            abort();
        check(&r, text, (size_t)n);
        if (http_request_read(text, (size_t)n, &again) != n)
            abort();
        for (int part = 0; part < n; part += 1 + n / 16)
            if (http_request_read(text, (size_t)part, &again) > 0)
                abort();
    }
    free(text);
    return 0;
}
