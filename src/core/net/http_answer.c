#include "core/net/http_answer.h"

#include "core/base/buf.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

/* Of those that are used here. */
static const char *status_words(int status)
{
    static const struct {
        int status;
        const char *words;
    } known[] = {
        {200, "OK"},
        {400, "Bad Request"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {408, "Request Timeout"},
        {413, "Content Too Large"},
        {414, "URI Too Long"},
        {421, "Misdirected Request"},
        {431, "Request Header Fields Too Large"},
        {500, "Internal Server Error"},
        {503, "Service Unavailable"},
        {505, "HTTP Version Not Supported"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].status == status)
            return known[i].words;
    return "Error";
}

/* RFC 9110, 5.6.7: Sun, 06 Nov 1994 08:49:37 GMT, in no language but this. */
static void add_date(int64_t time, struct buf *out)
{
    static const char days[] = "SunMonTueWedThuFriSat";
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    time_t t = (time_t)time;
    struct tm tm;
    if (!gmtime_r(&t, &tm))
        return;
    buf_printf(out, "Date: %.3s, %02d %.3s %04d %02d:%02d:%02d GMT\r\n", days + 3 * tm.tm_wday,
               tm.tm_mday, months + 3 * tm.tm_mon, tm.tm_year + 1900, tm.tm_hour, tm.tm_min,
               tm.tm_sec);
}

static void add_page_rules(struct buf *out)
{
    buf_adds(out, "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; "
                  "script-src 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; "
                  "form-action 'none'; frame-ancestors 'none'\r\n");
}

void http_response_write(const struct http_response *a, bool head_only, bool keep_alive,
                         int64_t time, struct buf *out)
{
    const char *words = status_words(a->status);
    const char *body = a->body ? a->body : words;
    size_t len = a->body ? a->len : strlen(words);
    buf_printf(out, "HTTP/1.1 %d %s\r\n", a->status, words);
    add_date(time, out);
    buf_printf(out, "Content-Type: %s\r\n", a->type ? a->type : "text/plain; charset=utf-8");
    if (!a->streams)
        buf_printf(out, "Content-Length: %zu\r\n", len);
    if (a->status == 405)
        buf_adds(out, "Allow: GET, HEAD\r\n");
    if (a->page)
        add_page_rules(out);
    buf_printf(out,
               "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
               "Referrer-Policy: no-referrer\r\nConnection: %s\r\n\r\n",
               keep_alive && !a->streams ? "keep-alive" : "close");
    if (!head_only && !a->streams)
        buf_add(out, body, len);
}

static void add_line(const char *field, const char *text, size_t len, struct buf *out)
{
    buf_printf(out, "%s: ", field);
    buf_add(out, text, len);
    buf_addc(out, '\n');
}

void http_event_write(const char *name, const char *id, const char *data, size_t len,
                      struct buf *out)
{
    if (name)
        add_line("event", name, strlen(name), out);
    if (id)
        add_line("id", id, strlen(id), out);
    for (size_t at = 0; at <= len;) {
        const char *lf = memchr(data + at, '\n', len - at);
        size_t line = lf ? (size_t)(lf - data) - at : len - at;
        if (line || at == 0 || lf)
            add_line("data", data + at, line, out);
        at += line + 1;
    }
    buf_addc(out, '\n');
}
