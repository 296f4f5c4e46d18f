#include "unit.h"

#include "engine/http/server.h"

#include "core/base/buf.h"
#include "net_script.h"

#include <stdlib.h>

#define GET(path) "GET " path " HTTP/1.1\r\nHost: localhost\r\n\r\n"
#define MS        1000000ull

static struct http_server server;
static struct http_stream stream;
static struct net_address at;
static uint64_t now_ns;

static void site_answer(void *state, const struct http_request *r, struct http_response *out,
                        struct buf *body)
{
    (void)state;
    if (http_text_is(r->path, "/events"))
        *out = (struct http_response){.status = 200, .streams = true};
    if (http_text_is(r->path, "/hello")) {
        buf_adds(body, "hello\n");
        *out = (struct http_response){.status = 200, .body = body->data, .len = body->len};
    }
}
static const struct http_site site = {.answer = site_answer, .stream = &stream};

static void start(const char *address, size_t most)
{
    net_script_reset();
    now_ns = 5000 * MS;
    net_address_read(address, 0, &at, NULL);
    CHECK_INT(http_stream_init(&stream, most, 1 << 20), 0);
    CHECK_INT(http_server_open(&server, &at, &site, NULL), 0);
}

static void stop(void)
{
    http_server_close(&server);
    http_stream_release(&stream);
}

/* One wait; how many handles were ready. */
static int once(void)
{
    struct wait_on on[HTTP_HANDLES];
    int ready = 0;
    CHECK_INT(http_server_watch(&server, on, now_ns), HTTP_HANDLES);
    for (size_t i = 0; i < HTTP_HANDLES; i++) {
        on[i].ready = on[i].handle >= 0 && net_script_ready(on[i].handle, on[i].for_write);
        ready += on[i].ready;
    }
    http_server_serve(&server, on, now_ns);
    return ready;
}

static void settle(void)
{
    int rounds = 0;
    while (once() && rounds < 1000)
        rounds++;
    CHECK(rounds < 1000); /* else it spins */
}

static void pass_ms(unsigned ms)
{
    now_ns += ms * MS;
    once();
    settle();
}

static int ask(const char *text)
{
    int c = net_script_call();
    net_script_send(c, text);
    settle();
    return c;
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;
    for (; (text = strstr(text, what)); text++)
        n++;
    return n;
}

static size_t clients(void)
{
    size_t streams;
    return http_server_clients(&server, &streams);
}

TEST(http_server_answers_requests_in_order)
{
    start(":80", 3);
    int c = ask(GET("/hello"));
    CHECK(strncmp(net_script_received(c), "HTTP/1.1 200 OK\r\n", 17) == 0);
    CHECK(strstr(net_script_received(c), "\r\n\r\nhello\n"));
    CHECK(!net_script_closed(c));
    net_script_send(c, GET("/nothing") GET("/hello") GET("/hello"));
    settle();
    CHECK_INT(count(net_script_received(c), "200 OK"), 3);
    CHECK_INT(count(net_script_received(c), "404 Not Found"), 1);
    net_script_send(c, "GET /hello HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
    settle();
    CHECK(net_script_finished(c) && !net_script_closed(c));
    net_script_send(c, "what follows is dropped");
    net_script_end(c);
    settle();
    CHECK(net_script_closed(c));
    CHECK_INT(count(net_script_received(c), "HTTP/1.1"), 5);
    CHECK_INT(clients(), 0);
    stop();
}

TEST(http_server_reads_and_sends_single_bytes)
{
    start(":80", 3);
    int c = net_script_call();
    for (const char *at_byte = GET("/hello"); *at_byte; at_byte++) {
        char one[2] = {*at_byte, '\0'};
        net_script_set_cap(c, 1);
        net_script_send(c, one);
        settle();
    }
    for (int i = 0; i < 1000; i++) {
        net_script_set_cap(c, 1);
        settle();
    }
    CHECK(strstr(net_script_received(c), "\r\n\r\nhello\n"));
    stop();
}

TEST(http_server_rejects_foreign_host_names)
{
    start(":80", 3);
    int c = ask("GET /hello HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    CHECK(strstr(net_script_received(c), "421 Misdirected Request"));
    CHECK(!strstr(net_script_received(c), "hello\n"));
    stop();
    start("0.0.0.0:80", 3);
    c = ask("GET /hello HTTP/1.1\r\nHost: board.lan\r\n\r\n");
    CHECK(strstr(net_script_received(c), "200 OK"));
    stop();
}

TEST(http_server_rejects_what_is_no_http)
{
    start(":80", 3);
    int c = ask("\x16\x03\x01 no TLS here");
    CHECK(strstr(net_script_received(c), "400 Bad Request"));
    CHECK(net_script_finished(c));
    pass_ms(HTTP_LEAVE_MS);
    CHECK(net_script_closed(c));
    c = ask("POST /hello HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc");
    CHECK(strstr(net_script_received(c), "Allow: GET, HEAD"));
    stop();
}

TEST(http_server_closes_slow_requests)
{
    start(":80", 3);
    int c = ask("GET /hello HTTP/1.1\r\n");
    for (int i = 0; i < 9; i++) {
        net_script_send(c, "a: b\r\n");
        pass_ms(1000);
    }
    CHECK_STR(net_script_received(c), "");
    CHECK_INT(http_server_timeout_ms(&server, now_ns), 1000);
    pass_ms(1000);
    CHECK(strstr(net_script_received(c), "408 Request Timeout"));
    int silent = net_script_call();
    settle();
    pass_ms(HTTP_IDLE_MS);
    CHECK(net_script_closed(silent) && net_script_closed(c));
    CHECK_INT(http_server_timeout_ms(&server, now_ns), -1);
    stop();
}

TEST(http_server_closes_clients_that_do_not_read)
{
    start(":80", 3);
    int c = net_script_call();
    net_script_set_cap(c, 10);
    net_script_send(c, GET("/hello"));
    settle();
    pass_ms(HTTP_STALL_MS - 1);
    CHECK(!net_script_closed(c));
    net_script_set_cap(c, 10);
    settle();
    pass_ms(HTTP_STALL_MS - 1);
    CHECK(!net_script_closed(c));
    pass_ms(1);
    CHECK(net_script_closed(c));
    stop();
}

TEST(http_server_streams_events)
{
    start(":80", 3);
    http_stream_add(&stream, "one", 3);
    int c = ask(GET("/events"));
    CHECK_INT(count(net_script_received(c), "data: "), 1);
    http_stream_add(&stream, "two", 3);
    settle();
    CHECK(strstr(net_script_received(c), "data: one\n\nid: "));
    CHECK(strstr(net_script_received(c), "data: two\n\n"));
    pass_ms(HTTP_PING_MS);
    CHECK(strstr(net_script_received(c), "data: two\n\n:\n\n"));
    net_script_end(c);
    settle();
    CHECK(net_script_closed(c));
    stop();
}

/* The id of the last event that a client had. */
static void last_id(const char *got, char out[64])
{
    const char *id = NULL;
    while ((got = strstr(got, "id: ")))
        id = got += 4;
    snprintf(out, 64, "%.*s", id ? (int)strcspn(id, "\n") : 0, id ? id : "");
}

TEST(http_server_resumes_a_stream_after_the_last_event_id)
{
    char id[64], again[256];
    start(":80", 10);
    http_stream_add(&stream, "one", 3);
    int c = ask(GET("/events"));
    net_script_break(c);
    settle();
    CHECK(net_script_closed(c));
    http_stream_add(&stream, "two", 3);
    last_id(net_script_received(c), id);
    snprintf(again, sizeof again,
             "GET /events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: %s\r\n\r\n", id);
    c = ask(again);
    CHECK(!strstr(net_script_received(c), "data: one") &&
          strstr(net_script_received(c), "data: two"));
    c = ask("GET /events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: 1-1\r\n\r\n");
    CHECK_INT(count(net_script_received(c), "data: "), 2);
    stop();
}

TEST(a_slow_reader_loses)
{
    start(":80", 3);
    int slow = ask(GET("/events")), quick = ask(GET("/events"));
    net_script_set_cap(slow, 0);
    for (int i = 0; i < 8; i++) {
        http_stream_add(&stream, "sample", 6);
        settle();
        pass_ms(100);
    }
    CHECK_INT(count(net_script_received(quick), "data: sample"), 8);
    CHECK_INT(count(net_script_received(slow), "data: sample"), 0);
    net_script_set_cap(slow, SIZE_MAX);
    settle();
    CHECK(strstr(net_script_received(slow), "event: lost\ndata: {\"lost\":4}"));
    CHECK_INT(count(net_script_received(slow), "data: sample"), 4);
    stop();
    CHECK_INT(server.lost, 4);
}

TEST(http_server_limits_its_clients)
{
    start(":80", 3);
    int first = net_script_call(), c = -1;
    settle();
    now_ns += MS;
    for (int i = 1; i < HTTP_MAX_CLIENTS; i++)
        c = ask("GET");
    CHECK_INT(clients(), HTTP_MAX_CLIENTS);
    CHECK(!net_script_closed(first));
    c = ask("GET");
    CHECK(net_script_closed(first)); /* it was only connected */
    c = ask(GET("/hello"));
    CHECK(strstr(net_script_received(c), "503 Service") && net_script_closed(c));
    CHECK_INT(server.refused, 1);
    CHECK_INT(clients(), HTTP_MAX_CLIENTS);
    stop();
}

TEST(http_event_streams_leave_connections_for_pages)
{
    start(":80", 3);
    int c = -1;
    for (int i = 0; i < HTTP_MAX_STREAMS; i++)
        c = ask(GET("/events"));
    CHECK(strstr(net_script_received(c), "200 OK"));
    c = ask(GET("/events"));
    CHECK(strstr(net_script_received(c), "503 Service"));
    c = ask(GET("/hello"));
    CHECK(strstr(net_script_received(c), "200 OK"));
    stop();
}

TEST(http_server_waits_when_out_of_descriptors)
{
    struct wait_on on[HTTP_HANDLES];
    start(":80", 3);
    net_script_set_max_open(1);
    int first = ask(GET("/hello")), second = ask(GET("/hello"));
    CHECK_STR(net_script_received(second), "");
    http_server_watch(&server, on, now_ns);
    CHECK(on[0].handle < 0); /* it does not spin */
    CHECK_INT(http_server_timeout_ms(&server, now_ns), 1000);
    net_script_end(first);
    pass_ms(1000);
    CHECK(strstr(net_script_received(second), "200 OK"));
    stop();
}
