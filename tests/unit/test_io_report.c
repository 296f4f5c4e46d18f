#include "unit.h"

#include "core/base/buf.h"
#include "core/base/bytes.h"
#include "core/io/report.h"

#include <stdlib.h>

/* --- the exchange of golden/iostats: messages as on the wire, and how long each was served --- */

enum { FIDS = 128, PATH = 64 };
struct fid {
    char path[PATH];
    int file;
    bool open, io;
};

struct exchange {
    struct io_counts *counts;
    struct fid fid[FIDS];
    const uint8_t *request;
    uint64_t now;
};

static enum io_message message_of(uint8_t type)
{
    static const uint8_t types[IO_MESSAGES] = {100, 102, 104, 108, 110, 112, 114,
                                               116, 118, 120, 122, 124, 126};
    int m = 0;
    while (m < IO_MESSAGES - 1 && types[m] != type)
        m++;
    return (enum io_message)m;
}

static void walk(struct exchange *x, const uint8_t *t, const uint8_t *r)
{
    struct fid *to = &x->fid[get_le32(t + 11)];
    uint16_t names = get_le16(t + 15);
    if (names != get_le16(r + 7))
        return;
    struct fid f = x->fid[get_le32(t + 7)];
    const uint8_t *at = t + 17;
    for (; names; names--, at += 2 + get_le16(at))
        snprintf(f.path + strlen(f.path), sizeof f.path - strlen(f.path), "/%.*s", get_le16(at),
                 (const char *)at + 2);
    f.open = f.io = false;
    *to = f;
}

static void close_fid(struct exchange *x, struct fid *f)
{
    if (f->open)
        io_counts_closed(x->counts, f->file, f->io);
    memset(f, 0, sizeof *f);
}

static void served(struct exchange *x, const uint8_t *t, const uint8_t *r)
{
    struct fid *f = &x->fid[get_le32(t + 7) % FIDS];
    switch (t[4]) {
    case 110:
        walk(x, t, r);
        break;
    case 114:
        snprintf(f->path + strlen(f->path), sizeof f->path - strlen(f->path), "/%.*s",
                 get_le16(t + 11), (const char *)t + 13);
        /* fall through */
    case 112:
        f->open = true;
        f->file = f->path[0] ? io_counts_file(x->counts, f->path, strlen(f->path))
                             : io_counts_file(x->counts, "/", 1);
        break;
    case 116:
        f->io = true;
        io_counts_read(x->counts, f->file, get_le32(r + 7));
        break;
    case 118:
        f->io = true;
        io_counts_written(x->counts, f->file, get_le32(r + 7));
        break;
    case 122: /* the book's server forgets what a removed file had */
        f->open = false;
        /* fall through */
    case 120:
        close_fid(x, f);
        break;
    default:
        break;
    }
}

static void exchanged(struct exchange *x, const uint8_t *t, const uint8_t *r, uint64_t ns)
{
    struct io_done d = {.message = message_of(t[4]),
                        .error = r[4] == 107,
                        .start_ns = x->now,
                        .end_ns = x->now + ns,
                        .request = get_le32(t),
                        .reply = get_le32(r)};
    x->now += ns;
    io_counts_done(x->counts, &d);
    if (!d.error)
        served(x, t, r);
}

static struct io_counts *golden(void)
{
    static struct exchange x;
    size_t len, ns_len;
    char *wire = unit_file("golden/iostats/exchange.9p", &len);
    char *ns = unit_file("golden/iostats/exchange.ns", &ns_len), *next = ns;
    memset(&x, 0, sizeof x);
    x.counts = io_counts_new();
    for (size_t at = 0; at < len;) {
        const uint8_t *t = (const uint8_t *)wire + at, *r = t + get_le32(t);
        exchanged(&x, t, r, strtoull(next, &next, 10));
        at += get_le32(t) + get_le32(r);
    }
    for (size_t i = 0; i < FIDS; i++)
        close_fid(&x, &x.fid[i]);
    free(wire);
    free(ns);
    return x.counts;
}

TEST(the_golden_exchange_has_plan_9s_report)
{
    size_t len;
    struct io_counts *c = golden();
    struct buf out = BUF_INIT;
    char *want = unit_file("golden/iostats/exchange.out", &len);
    want = realloc(want, len + 1);
    want[len] = '\0';
    io_report_text(c, &(struct io_report_options){.plan9 = true}, &out);
    CHECK_STR(buf_str(&out), want);
    free(want);
    buf_release(&out);
    io_counts_free(c);
}

TEST(ours_shows_what_is_less_than_a_millisecond)
{
    struct io_counts *c = golden();
    struct buf out = BUF_INIT;
    io_report_text(c, &(struct io_report_options){.backend = "fuse", .unit = "messages"}, &out);
    CHECK(strstr(buf_str(&out), "\nclunk          3 0.040 0.040 0.080 0.026 ms       33"));
    CHECK(strstr(buf_str(&out), "\nflush          1     0     0     0     0 ms        9"));
    CHECK(strstr(buf_str(&out), "\nwalk           7 0.400     2     5 0.747 ms"));
    CHECK(strstr(buf_str(&out), "\n\nmessages counted by fuse; not counted: nothing\n"));
    buf_release(&out);
    io_counts_free(c);
}

/* --- files --- */

/* An open of path with so many bytes each way, in one call each. */
static void used(struct io_counts *c, const char *path, uint64_t in, uint64_t out)
{
    int f = io_counts_file(c, path, strlen(path));
    CHECK_INT(io_counts_file(c, path, strlen(path)), f);
    if (in)
        io_counts_read(c, f, in);
    if (out)
        io_counts_written(c, f, out);
    io_counts_closed(c, f, in || out);
}

static struct io_counts *some_files(void)
{
    struct io_counts *c = io_counts_new();
    used(c, "/usr/lib/libc.so", 832, 0);
    used(c, "/home/a/b.c", 100, 0);
    used(c, "/home/a-z", 1, 0);
    used(c, "/home/a/x\ny", 0, 7);
    used(c, "/home/a/b.c", 50, 0);
    used(c, "/never/read", 0, 0);
    used(c, "/fd/1", 0, 12);
    return c;
}

/* What the report has below the header of the files. */
static const char *rows(const struct io_report_options *want, struct buf *out)
{
    struct io_counts *c = some_files();
    io_report_text(c, want, out);
    io_counts_free(c);
    const char *at = strstr(buf_str(out), " File\n");
    return at ? at + 6 : "";
}

TEST(files_are_merged_by_path_and_named_in_one_line)
{
    struct buf out = BUF_INIT;
    CHECK_STR(rows(&(struct io_report_options){0}, &out),
              "    1        1      832        0        0 /usr/lib/libc.so\n"
              "    2        2      150        0        0 /home/a/b.c\n"
              "    1        1        1        0        0 /home/a-z\n"
              "    1        0        0        1        7 /home/a/x\\012y\n"
              "    1        0        0        1       12 (stdout)\n");
    buf_release(&out);
}

TEST(rows_are_sorted_and_limited)
{
    struct buf out = BUF_INIT;
    struct io_report_options want = {.sort = io_sort_by_name("bytes"), .size.rows = 2};
    CHECK_STR(rows(&want, &out), "    1        1      832        0        0 /usr/lib/libc.so\n"
                                 "    2        2      150        0        0 /home/a/b.c\n"
                                 "    3        1        1        2       19 (3 more)\n");
    CHECK_INT(io_sort_by_name("size"), IO_SORTS);
    buf_release(&out);
}

TEST(a_tree_sums_up_directories)
{
    struct buf out = BUF_INIT;
    CHECK_STR(rows(&(struct io_report_options){.tree = true}, &out),
              "    5        4      983        1        7 /\n"
              "    4        3      151        1        7   home/\n"
              "    3        2      150        1        7     a/\n"
              "    2        2      150        0        0       b.c\n"
              "    1        0        0        1        7       x\\012y\n"
              "    1        1        1        0        0     a-z\n"
              "    1        1      832        0        0   usr/lib/libc.so\n"
              "    1        0        0        1       12 (stdout)\n");
    buf_release(&out);
}

/* --- times --- */

static void took(struct io_counts *c, enum io_message m, uint64_t ns)
{
    io_counts_done(c, &(struct io_done){.message = m, .start_ns = 5, .end_ns = 5 + ns});
}

TEST(shares_of_the_times_are_right_within_an_eighth)
{
    struct io_counts *c = io_counts_new();
    struct buf out = BUF_INIT;
    for (uint64_t i = 1; i <= 1000; i++)
        took(c, IO_READ, i * 1000);
    took(c, IO_STAT, 0);
    took(c, IO_STAT, UINT64_MAX - 5);
    io_report_text(c, &(struct io_report_options){.latency = true}, &out);
    const char *read = strstr(buf_str(&out), "\nread: 1000 timed, us, 50% ");
    double half = 0, nine = 0;
    CHECK(read && sscanf(read, "\nread: 1000 timed, us, 50%% %lf, 90%% %lf", &half, &nine) == 2);
    CHECK(half >= 500 && half <= 563);
    CHECK(nine >= 900 && nine <= 1000);
    CHECK(strstr(buf_str(&out), "\n        524.288 us        476 ####################\n"));
    CHECK(strstr(buf_str(&out), "\n          0.001 us          1 ####################\n"));
    buf_release(&out);
    io_counts_free(c);
}

TEST(a_log_line_tells_one_operation)
{
    struct buf out = BUF_INIT;
    struct io_done d = {.message = IO_OPEN,
                        .error = true,
                        .start_ns = 1500000000,
                        .end_ns = 1500012300,
                        .request = 12,
                        .reply = 35};
    io_log_line(
        &(struct io_log){.origin_ns = 500000000, .done = &d, .path = "/a\tb", .error = "no"}, &out);
    CHECK_STR(buf_str(&out), "1.000000       12.3 us open          12       35 /a\\011b: no\n");
    buf_release(&out);
}

TEST(json_has_the_same_numbers)
{
    struct io_counts *c = golden();
    struct buf out = BUF_INIT;
    io_report_json(
        c, &(struct io_report_options){.backend = "9p", .unit = "messages", .size.rows = 1}, &out);
    CHECK(strstr(buf_str(&out),
                 "{\"psuite\":1,\"applet\":\"iostats\",\"method\":\"9p\",\"unit\":"
                 "\"messages\",\"lost\":0,\"read_bytes\":11532,\"written_bytes\":16396,"
                 "\"protocol_bytes\":29200,"));
    CHECK(strstr(buf_str(&out),
                 "{\"message\":\"clunk\",\"count\":3,\"errors\":1,\"timed\":2,\"low_ns\":"
                 "40000,\"high_ns\":40000,\"time_ns\":80000,"));
    CHECK(strstr(buf_str(&out), "\"files\":[{\"path\":\"/lib/ndb/local\",\"opens\":2,\"reads\":4,"
                                "\"read_bytes\":11292,\"writes\":0,\"written_bytes\":0}]}\n"));
    buf_release(&out);
    io_counts_free(c);
}
