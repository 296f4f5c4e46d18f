#include "unit.h"

#include "core/base/bytes.h"
#include "core/io/report.h"
#include "core/ninep/proxy.h"
#include "ninep_talk.h"

#include <stdio.h>
#include <stdlib.h>

/* The bytes of one message, in pieces of so many. */
static void pass(struct ninep_proxy *p, bool reply, const char *bytes, size_t len, size_t piece,
                 uint64_t now_ns)
{
    for (size_t at = 0; at < len; at += piece) {
        size_t n = len - at < piece ? len - at : piece;
        if (reply)
            ninep_proxy_replies(p, bytes + at, n, now_ns);
        else
            ninep_proxy_requests(p, bytes + at, n, now_ns);
    }
}

/* The golden exchange: requests and replies in turn, with the times between them. */
static void watch_exchange(struct ninep_proxy *p, size_t piece)
{
    size_t len, ns_len;
    char *bytes = unit_file("golden/iostats/exchange.9p", &len);
    char *ns = unit_file("golden/iostats/exchange.ns", &ns_len), *next = ns;
    uint64_t now = 1000;
    bool reply = false;
    for (size_t at = 0; at < len; reply = !reply) {
        uint32_t size = get_le32(bytes + at);
        if (reply)
            now += strtoull(next, &next, 10);
        pass(p, reply, bytes + at, size, piece, now);
        at += size;
    }
    free(bytes);
    free(ns);
}

static void report_of_exchange(size_t piece)
{
    size_t len;
    char *want = unit_file("golden/iostats/exchange.out", &len);
    want = realloc(want, len + 1);
    want[len] = '\0';
    struct io_counts *counts = io_counts_new();
    struct ninep_proxy *p = ninep_proxy_new(counts);
    struct buf out = BUF_INIT;
    watch_exchange(p, piece);
    CHECK(!ninep_proxy_lost(p));
    CHECK_INT(ninep_proxy_unread(p), 0);
    ninep_proxy_free(p);
    io_report_text(counts, &(struct io_report_options){.plan9 = true}, &out);
    CHECK_STR(buf_str(&out), want);
    io_counts_free(counts);
    buf_release(&out);
    free(want);
}

TEST(ninep_proxy_counts_as_iostats_does)
{
    report_of_exchange(SIZE_MAX / 2);
    report_of_exchange(1);
    report_of_exchange(13);
}

/* A talk with our server that is watched. */
struct watched {
    struct talk t;
    struct io_counts *counts;
    struct ninep_proxy *proxy;
};

static void watch_begin(struct watched *w, bool host, const char *version)
{
    w->counts = io_counts_new();
    w->proxy = ninep_proxy_new(w->counts);
    talk_begin(&w->t, host, version);
}

static int ask(struct watched *w, struct ninep_msg m)
{
    struct buf request = BUF_INIT;
    enum ninep_dialect d = m.type == NINEP_TVERSION ? NINEP_PLAIN : w->t.dialect;
    ninep_write(&m, d, &request);
    ninep_proxy_requests(w->proxy, request.data, request.len, 0);
    buf_release(&request);
    int type = talk(&w->t, m);
    ninep_proxy_replies(w->proxy, w->t.out.data, w->t.out.len, 1000000);
    return type;
}

/* The rows of files. */
static void files_are(struct watched *w, const char *want)
{
    struct buf out = BUF_INIT;
    ninep_proxy_free(w->proxy);
    io_report_text(w->counts, &(struct io_report_options){.plan9 = true}, &out);
    const char *rows = strstr(buf_str(&out), " File\n");
    CHECK_STR(rows ? rows + 6 : "", want);
    buf_release(&out);
    io_counts_free(w->counts);
    CHECK_INT(talk_end(&w->t), 0);
}

TEST(ninep_proxy_follows_linux_through_names)
{
    struct watched w;
    watch_begin(&w, true, "9P2000");
    ask(&w, (struct ninep_msg){.type = NINEP_TVERSION,
                               .tag = NINEP_NOTAG,
                               .session.msize = 8192,
                               .session.version = ninep_text("9P2000.L")});
    w.t.dialect = NINEP_L;
    ask(&w, (struct ninep_msg){.type = NINEP_TATTACH, .newfid = 0, .fid = NINEP_NOFID});
    CHECK_INT(ask(&w, talk_walk(0, 1, "lib/ndb/../ndb")), NINEP_RWALK);
    CHECK_INT(ask(&w, talk_walk(1, 2, "local")), NINEP_RWALK);
    CHECK_INT(ask(&w, (struct ninep_msg){.type = NINEP_TLOPEN, .fid = 2}), NINEP_RLOPEN);
    ask(&w, (struct ninep_msg){.type = NINEP_TREAD, .fid = 2, .count = 5});
    ask(&w, (struct ninep_msg){.type = NINEP_TCLUNK, .fid = 2});
    ask(&w, (struct ninep_msg){.type = NINEP_TLCREATE,
                               .fid = 1,
                               .name = ninep_text("new"),
                               .flags = 1,
                               .create.mode = 0644});
    ask(&w, (struct ninep_msg){.type = NINEP_TWRITE, .fid = 1, .data = "abc", .count = 3});
    files_are(&w, "    1        1        5        0        0 /lib/ndb/local\n"
                  "    1        0        0        1        3 /lib/ndb/new\n");
}

struct told {
    int count;
    char last[256];
};

static void hear(void *arg, const struct io_done *done, const char *path, const char *error)
{
    struct told *t = arg;
    t->count++;
    snprintf(t->last, sizeof t->last, "%d %s %s", done->message, path ? path : "-",
             error ? error : "-");
}

TEST(ninep_proxy_tells_each_operation)
{
    struct watched w;
    struct told told = {.count = 0};
    watch_begin(&w, false, "9P2000");
    ninep_proxy_on_done(w.proxy, hear, &told);
    ask(&w, (struct ninep_msg){.type = NINEP_TVERSION,
                               .tag = NINEP_NOTAG,
                               .session.msize = 8192,
                               .session.version = ninep_text("9P2000")});
    ask(&w, (struct ninep_msg){.type = NINEP_TATTACH, .newfid = 0, .fid = NINEP_NOFID});
    ask(&w, talk_walk(0, 1, "lib/ndb/local"));
    CHECK_STR(told.last, "4 /lib/ndb/local -");
    ask(&w, talk_walk(0, 2, "none"));
    CHECK_STR(told.last, "4 /none file does not exist");
    ask(&w, (struct ninep_msg){.type = NINEP_TOPEN, .fid = 1});
    CHECK_STR(told.last, "5 /lib/ndb/local -");
    ask(&w, (struct ninep_msg){.type = NINEP_TCLUNK, .fid = 1});
    CHECK_STR(told.last, "9 /lib/ndb/local -");
    ask(&w, (struct ninep_msg){.type = NINEP_TSTAT, .fid = 0});
    CHECK_STR(told.last, "11 / -");
    CHECK_INT(told.count, 7);
    ninep_proxy_on_done(w.proxy, NULL, NULL);
    files_are(&w, "");
}

static bool is_lost(const char *version, size_t len, const char *bytes, size_t more)
{
    struct io_counts *counts = io_counts_new();
    struct ninep_proxy *p = ninep_proxy_new(counts);
    char reply[32];
    memcpy(reply, version, len);
    reply[4] = NINEP_RVERSION;
    ninep_proxy_requests(p, version, len, 0);
    ninep_proxy_replies(p, reply, len, 0);
    CHECK(!ninep_proxy_lost(p));
    ninep_proxy_requests(p, bytes, more, 0);
    bool lost = ninep_proxy_lost(p);
    ninep_proxy_free(p);
    io_counts_free(counts);
    return lost;
}

TEST(ninep_proxy_of_sizes_that_are_none)
{
    static const char version[] = "\x13\0\0\0d\xff\xff\0\x20\0\0\x06\0"
                                  "9P2000";
    size_t len = sizeof version - 1;
    CHECK(is_lost(version, len, "\6\0\0\0", 4));
    CHECK(!is_lost(version, len, "\7\0\0\0", 4));
    CHECK(!is_lost(version, len, "\0\x20\0\0v", 5)); /* as long as was agreed on: 8192 */
    CHECK(is_lost(version, len, "\1\x20\0\0v", 5));
    CHECK(is_lost(version, len, "\x10\0\0\0w\0\0", 7)); /* a reply from a client */
    CHECK(is_lost(version, len, "\x10\0\0\0\xfe\0\0", 7));
}

TEST(ninep_proxy_of_what_is_no_9p)
{
    struct io_counts *counts = io_counts_new();
    struct ninep_proxy *p = ninep_proxy_new(counts);
    ninep_proxy_requests(p, "GET / HTTP/1.1\r\n", 16, 0);
    CHECK(ninep_proxy_lost(p));
    ninep_proxy_replies(p, "\x0b\0\0\0x\0\0\0\0\0\0", 11, 0);
    ninep_proxy_free(p);
    io_counts_free(counts);
}
