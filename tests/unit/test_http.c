#include "unit.h"

#include "core/base/buf.h"
#include "core/net/broadcast.h"
#include "core/net/http_answer.h"
#include "core/net/http_request.h"

#include <stdlib.h>

static struct http_request request;

static int read_all(const char *text)
{
    memset(&request, 0, sizeof request);
    return http_request_read(text, strlen(text), &request);
}

static const char *shown(struct http_text t)
{
    static char out[4][256];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(out[turn], sizeof *out, "%.*s", t.at ? (int)t.len : 4, t.at ? t.at : "none");
    return out[turn];
}

TEST(http_request_line_and_headers_are_parsed)
{
    const char *text = "GET /a/b?c=d HTTP/1.1\r\nHost: x:80\r\nAccept: text/html\r\n"
                       "accept: */*\r\nLast-Event-ID:  7-1 \t\r\n\r\nGET /";
    CHECK_INT(read_all(text), strlen(text) - 5);
    CHECK_STR(shown(request.path), "/a/b");
    CHECK_STR(shown(request.query), "c=d");
    CHECK_STR(shown(request.host), "x:80");
    CHECK_STR(shown(request.accept), "text/html");
    CHECK_STR(shown(request.last_event), "7-1");
    CHECK(request.keep_alive && !request.head && request.minor == 1);
    CHECK(read_all("HEAD / HTTP/1.0\r\n\r\n") > 0);
    CHECK(request.head && !request.keep_alive);
    CHECK_STR(shown(request.host), "none");
    CHECK_STR(shown(request.query), "none");
}

TEST(http_keep_alive_by_version_and_connection_header)
{
    CHECK(read_all("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n") > 0 && request.keep_alive);
    CHECK(read_all("GET / HTTP/1.1\r\nHost: a\r\nConnection: foo , Close\r\n\r\n") > 0);
    CHECK(!request.keep_alive);
    CHECK(read_all("GET / HTTP/1.7\r\nHost: a\r\n\r\n") > 0 && request.minor == 1);
    CHECK(read_all("GET http://h:1/p HTTP/1.1\r\nHost: other\r\n\r\n") > 0);
    CHECK_STR(shown(request.host), "h:1");
    CHECK_STR(shown(request.path), "/p");
}

TEST(http_request_is_incomplete_until_its_last_byte)
{
    const char *text = "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n";
    struct http_request r;
    for (size_t n = 0; n < strlen(text); n++)
        CHECK_INT(http_request_read(text, n, &r), 0);
    CHECK_INT(http_request_read(text, strlen(text), &r), strlen(text));
}

#define HOST "Host: a\r\n"
TEST(http_invalid_requests_get_their_status)
{
    CHECK_INT(read_all("POST / HTTP/1.1\r\n" HOST "\r\n"), -405);
    CHECK_INT(read_all("get / HTTP/1.1\r\n" HOST "\r\n"), -405);
    CHECK_INT(read_all("GET / HTTP/1.1\r\n" HOST "Content-Length: 5\r\n\r\n"), -413);
    CHECK_INT(read_all("GET / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n"), -413);
    CHECK_INT(read_all("GET / HTTP/2.0\r\n" HOST "\r\n"), -505);
    CHECK_INT(read_all("GET / HTTP/1.1\r\n\r\n"), -400);
    CHECK_INT(read_all("GET / HTTP/1.1\r\n" HOST HOST "\r\n"), -400);
    CHECK_INT(read_all("GET / HTTP/1.1\r\n" HOST " folded\r\n\r\n"), -400);
    CHECK_INT(read_all("GET / HTTP/1.1\r\n" HOST "a b: c\r\n\r\n"), -400);
    CHECK_INT(read_all("GET / HTTP/1.1\r\n" HOST "b : c\r\n\r\n"), -400);
    CHECK_INT(read_all("GET / HTTP/1.1\r\n" HOST "b: c\rd\r\n\r\n"), -400);
    CHECK_INT(read_all("GET / HTTP/1.1\r\n" HOST "Content-Length: 0\r\nContent-Length: 0\r\n\r\n"),
              -400);
    CHECK_INT(read_all("GET a HTTP/1.1\r\n" HOST "\r\n"), -400);
    CHECK_INT(read_all("GET /a b HTTP/1.1\r\n" HOST "\r\n"), -400);
    CHECK_INT(read_all("GET /\x80 HTTP/1.1\r\n" HOST "\r\n"), -400);
    CHECK_INT(read_all("GET /\r\n\r\n"), -400);
    CHECK_INT(read_all("\x16\x03\x01"), -400);
}

static int read_long(const char *before, size_t letters, const char *after)
{
    struct buf text = BUF_INIT;
    buf_adds(&text, before);
    for (size_t i = 0; i < letters; i++)
        buf_addc(&text, 'x');
    buf_adds(&text, after);
    struct http_request r;
    int got = http_request_read(text.data, text.len, &r);
    buf_release(&text);
    return got;
}

TEST(http_target_and_header_lengths_are_limited)
{
    CHECK_INT(read_long("GET /", HTTP_TARGET_MAX, " HTTP/1.1\r\n" HOST "\r\n"), -414);
    CHECK(read_long("GET /", HTTP_TARGET_MAX - 1, " HTTP/1.1\r\n" HOST "\r\n") > 0);
    CHECK_INT(read_long("GET /", HTTP_TARGET_MAX + 99, ""), -414);
    CHECK_INT(read_long("GET / HTTP/1.1\r\n" HOST "a: ", HTTP_HEAD_MAX, "\r\n\r\n"), -431);
    CHECK_INT(read_long("GET / HTTP/1.1\r\n" HOST "a: ", HTTP_HEAD_MAX / 2, ""), 0);
    struct buf text = BUF_INIT;
    buf_adds(&text, "GET / HTTP/1.1\r\n" HOST);
    for (int i = 0; i < HTTP_FIELDS_MAX; i++)
        buf_adds(&text, "a:\r\n");
    buf_adds(&text, "\r\n");
    CHECK_INT(read_all(text.data), -431);
    buf_release(&text);
}

static bool is_own(const char *host)
{
    return http_host_is_own((struct http_text){host, strlen(host)});
}

TEST(http_host_must_be_local)
{
    CHECK(is_own("localhost") && is_own("LocalHost:80") && is_own("127.0.0.1:80") &&
          is_own("[::1]") && is_own("[::1]:80") && is_own("10.1.2.3"));
    CHECK(!is_own("evil.example") && !is_own("evil.example:80") &&
          !is_own("localhost.evil.example") && !is_own("127.0.0.1.evil.example") &&
          !is_own("[::1].evil") && !is_own("") && !is_own("[evil]"));
    CHECK(http_host_is_own((struct http_text){NULL, 0}));
}

/* Of what is no port, whatever it is: nothing may stand behind a host of ours. */
TEST(hosts_with_junk_behind_are_not_ours)
{
    static const char *const own[] = {"localhost", "127.0.0.1", "[::1]", "[fe80::1]", "10.1.2.3"};
    static const char *const ports[] = {"", ":0", ":1", ":80", ":65535", ":00080"};
    static const char *const junk[] = {
        ":",   ":65536", ":99999", ":123456", ":evil.com",  ":80@evil.com", ":80:80",
        ":-1", ":+1",    ": 80",   ":80 ",    "@evil.com",  ".evil.com",    "/",
        "]",   "%",      ".",      " ",       ",localhost", ":80,evil.com"};
    char host[64];
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        for (size_t k = 0; k < sizeof ports / sizeof *ports; k++) {
            snprintf(host, sizeof host, "%s%s", own[i], ports[k]);
            if (!is_own(host))
                CHECK_STR(host, "ours");
        }
        for (size_t k = 0; k < sizeof junk / sizeof *junk; k++) {
            snprintf(host, sizeof host, "%s%s", own[i], junk[k]);
            if (is_own(host))
                CHECK_STR(host, "not ours");
        }
        for (int c = 1; c < 256; c++) {
            snprintf(host, sizeof host, "%s%cevil.com", own[i], c);
            if (is_own(host))
                CHECK_STR(host, "not ours");
            snprintf(host, sizeof host, "%s:8%c", own[i], c);
            CHECK_INT(is_own(host), c >= '0' && c <= '9');
            snprintf(host, sizeof host, "%c%s", c, own[i]);
            CHECK_INT(is_own(host), i == 4 && c >= '0' && c <= '2');
        }
    }
    CHECK(!is_own("[") && !is_own("[]") && !is_own("[::1") && !is_own("[::1%lo]") &&
          !is_own("[::1%25lo]:80") && !is_own(":80") && !is_own("[::1]]"));
}

/* Each line end of a request in turn, as an LF alone, a CR alone, or with one CR more. */
TEST(lines_end_in_one_way)
{
    static const char *const lines[] = {"GET / HTTP/1.1", "Host: h", "A: b", ""};
    static const char *const ends[] = {"\n", "\r", "\r\r\n", "\n\r\n", "\v\r\n"};
    enum { LINES = 4, ENDS = 5 };
    for (int bad = -1; bad < LINES; bad++)
        for (int e = 0; e < ENDS; e++) {
            char text[128] = "";
            for (int i = 0; i < LINES; i++) {
                strcat(text, lines[i]);
                strcat(text, i == bad ? ends[e] : "\r\n");
            }
            int64_t len = (int64_t)strlen(text);
            strcat(text, "\r\n\r\n");
            CHECK_INT(read_all(text), bad < 0 ? len : -400);
        }
}

TEST(close_goes_before_keep_alive)
{
    static const char *const values[] = {"close, keep-alive", "keep-alive, close",
                                         "close\r\nConnection: keep-alive",
                                         "keep-alive\r\nConnection: close", "x,CLOSE ,y"};
    for (int minor = 0; minor < 2; minor++)
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            char text[160];
            snprintf(text, sizeof text, "GET / HTTP/1.%d\r\nHost: h\r\nConnection: %s\r\n\r\n",
                     minor, values[i]);
            CHECK(read_all(text) > 0);
            CHECK(!request.keep_alive);
        }
}

TEST(http_response_headers)
{
    struct buf out = BUF_INIT;
    http_response_write(&(struct http_response){.status = 404}, false, true, 784111777, &out);
    CHECK_STR(buf_str(&out), "HTTP/1.1 404 Not Found\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
                             "Content-Type: text/plain; charset=utf-8\r\nContent-Length: 9\r\n"
                             "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
                             "Referrer-Policy: no-referrer\r\nConnection: keep-alive\r\n\r\n"
                             "Not Found");
    buf_clear(&out);
    http_response_write(&(struct http_response){.status = 200, .body = "abc", .len = 3}, true,
                        false, 0, &out);
    CHECK(strstr(out.data, "Content-Length: 3\r\n") && strstr(out.data, "Connection: close\r\n"));
    CHECK_STR(out.data + out.len - 4, "\r\n\r\n");
    buf_clear(&out);
    http_response_write(&(struct http_response){.status = 200, .streams = true}, false, true, 0,
                        &out);
    CHECK(!strstr(out.data, "Content-Length") && strstr(out.data, "Connection: close\r\n"));
    buf_release(&out);
}

TEST(http_server_sent_events_format)
{
    struct buf out = BUF_INIT;
    http_event_write(NULL, "1-2", "a\nb", 3, &out);
    http_event_write("lost", NULL, "", 0, &out);
    http_event_write(NULL, NULL, "line\n", 5, &out);
    CHECK_STR(buf_str(&out), "id: 1-2\ndata: a\ndata: b\n\nevent: lost\ndata: \n\ndata: line\n\n");
    buf_release(&out);
}

static const char *feed_rest(const struct feed *f, uint64_t at, uint64_t *lost)
{
    static char out[256];
    size_t len;
    *out = '\0';
    for (const char *text; (text = feed_at(f, &at, &len, lost)); at++)
        snprintf(out + strlen(out), sizeof out - strlen(out), "%s ", text);
    return out;
}

TEST(http_feed_drops_the_oldest_and_counts_them)
{
    struct feed f;
    uint64_t lost = 0;
    CHECK_INT(feed_init(&f, 3, 10), 0);
    CHECK_STR(feed_rest(&f, 0, &lost), "");
    const char *texts[] = {"a", "b", "c", "d"};
    for (size_t i = 0; i < 4; i++)
        CHECK_INT(feed_add(&f, texts[i], 1), 0);
    CHECK_STR(feed_rest(&f, 0, &lost), "b c d ");
    CHECK_INT(lost, 1);
    CHECK_STR(feed_rest(&f, 3, &lost), "d ");
    CHECK_INT(lost, 1);
    feed_add(&f, "ninebytes", 9);
    CHECK_STR(feed_rest(&f, 3, &lost), "d ninebytes ");
    feed_add(&f, "longer than all", 15);
    CHECK_STR(feed_rest(&f, 3, &lost), "longer than all ");
    CHECK_INT(lost, 3);
    CHECK_INT(f.bytes, 15);
    feed_release(&f);
}
