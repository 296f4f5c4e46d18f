#include "unit.h"

#include "../../src/core/ninep/files_private.h"
#include "ninep_talk.h"

/* A client and a server that talk when they are let. */
struct pair {
    struct talk t;
    struct ninep_client *client;
    struct ninep_files *files;
    struct ns_server ns;
};

/* All that is to be said, in pieces of so many bytes. */
static long deliver(struct pair *p, size_t piece)
{
    struct buf *out = ninep_client_out(p->client), *back = &p->t.out;
    long r = 0;
    buf_clear(back);
    size_t used = 0;
    for (size_t to = 0; to < out->len;) {
        to = to + piece < out->len ? to + piece : out->len;
        long n = ninep_server_serve(p->t.server, out->data + used, to - used, back, NULL);
        used += n > 0 ? (size_t)n : 0;
    }
    buf_clear(out);
    used = 0;
    for (size_t to = 0; r >= 0 && to < back->len;) {
        to = to + piece < back->len ? to + piece : back->len;
        r = ninep_client_receive(p->client, back->data + used, to - used, NULL);
        used += r > 0 ? (size_t)r : 0;
    }
    return r;
}

static void settle(struct pair *p)
{
    for (int i = 0; i < 100 && ninep_client_out(p->client)->len; i++)
        deliver(p, 1 << 20);
}

static void pair_begin(struct pair *p)
{
    talk_begin(&p->t, false, "9P2000");
    p->client = ninep_client_new(0, "glenda", "");
    p->files = ninep_files_new(p->client, 42);
    p->ns = ninep_files_server(p->files);
    settle(p);
}

static void pair_end(struct pair *p)
{
    ninep_files_free(p->files);
    settle(p);
    CHECK_INT(ninep_client_pending(p->client), 0);
    CHECK_INT(ninep_server_fids(p->t.server), 1);
    ninep_client_free(p->client);
    CHECK_INT(talk_end(&p->t), 0);
}

/* A call that is -EINPROGRESS until its answer has come. */
#define SOON(p, call)                                                                              \
    ({                                                                                             \
        long r_;                                                                                   \
        int tries_ = 0;                                                                            \
        while ((r_ = (call)) == -EINPROGRESS && tries_++ < 20)                                     \
            settle(p);                                                                             \
        r_;                                                                                        \
    })

static uint64_t walk(struct pair *p, const char *path)
{
    uint64_t at = 0;
    while (*path) {
        char name[64] = "";
        size_t len = strcspn(path, "/");
        memcpy(name, path, len);
        CHECK_INT(SOON(p, p->ns.calls->walk(p->ns.state, at, name, &at, NULL)), 0);
        path += len + (path[len] == '/');
    }
    return at;
}

static void *open_at(struct pair *p, uint64_t path, unsigned how)
{
    void *file = NULL;
    CHECK_INT(SOON(p, p->ns.calls->open(p->ns.state, path, how, &file, NULL)), 0);
    return file;
}

TEST(ninep_client_attaches)
{
    struct talk t;
    talk_begin(&t, false, "9P2000");
    struct pair p = {.t = t, .client = ninep_client_new(0, "glenda", "")};
    struct ninep_msg m = {.type = NINEP_TSTAT};
    CHECK_INT(ninep_client_ready(p.client, NULL), 0);
    CHECK_INT(ninep_client_request(p.client, &m, NULL, NULL, NULL), -EAGAIN);
    deliver(&p, 1);
    CHECK_INT(ninep_client_ready(p.client, NULL), 0);
    deliver(&p, 1);
    CHECK_INT(ninep_client_ready(p.client, NULL), 1);
    CHECK_INT(ninep_client_msize(p.client), NINEP_MSIZE);
    ninep_client_free(p.client);
    CHECK_INT(talk_end(&p.t), 0);
}

TEST(ninep_files_reads)
{
    struct pair p;
    char bytes[32];
    pair_begin(&p);
    uint64_t path = walk(&p, "lib/ndb/local");
    CHECK_INT(walk(&p, "lib/ndb/local"), path);
    void *file = open_at(&p, path, NS_READ);
    const struct ns_calls *c = p.ns.calls;
    CHECK_INT(c->read(p.ns.state, &(struct ns_io){file, path, 0, sizeof bytes}, bytes, NULL),
              -EINPROGRESS);
    CHECK_INT(c->handle(p.ns.state, file, path), 42);
    CHECK_INT(c->read(p.ns.state, &(struct ns_io){file, path, 0, sizeof bytes}, bytes, NULL),
              -EINPROGRESS);
    CHECK_INT(ninep_client_pending(p.client), 1);
    CHECK_INT(
        SOON(&p, c->read(p.ns.state, &(struct ns_io){file, path, 0, sizeof bytes}, bytes, NULL)),
        9);
    CHECK(memcmp(bytes, "sys=gnot\n", 9) == 0);
    CHECK_INT(SOON(&p, c->read(p.ns.state, &(struct ns_io){file, path, 4, 3}, bytes, NULL)), 3);
    CHECK(memcmp(bytes, "gno", 3) == 0);
    CHECK_INT(SOON(&p, c->read(p.ns.state, &(struct ns_io){file, path, 9, 3}, bytes, NULL)), 0);
    c->close(p.ns.state, file, path);
    pair_end(&p);
}

TEST(ninep_files_reads_elsewhere_than_was_asked)
{
    struct pair p;
    char bytes[32];
    pair_begin(&p);
    uint64_t path = walk(&p, "wait");
    void *file = open_at(&p, path, NS_READ);
    const struct ns_calls *c = p.ns.calls;
    CHECK_INT(c->read(p.ns.state, &(struct ns_io){file, path, 0, 1}, bytes, NULL), -EINPROGRESS);
    settle(&p);
    CHECK_INT(ninep_server_waiting(p.t.server), 1);
    CHECK_INT(c->read(p.ns.state, &(struct ns_io){file, path, 1, 1}, bytes, NULL), -EINPROGRESS);
    p.t.ram.ready = true;
    CHECK_INT(SOON(&p, c->read(p.ns.state, &(struct ns_io){file, path, 1, 1}, bytes, NULL)), 1);
    CHECK_INT(bytes[0], 'o');
    CHECK_INT(ninep_server_waiting(p.t.server), 0);
    c->close(p.ns.state, file, path);
    pair_end(&p);
}

TEST(ninep_files_writes_once)
{
    struct pair p;
    pair_begin(&p);
    uint64_t path = walk(&p, "ctl");
    void *file = open_at(&p, path, NS_WRITE);
    const struct ns_calls *c = p.ns.calls;
    static char wide[NINEP_CLIENT_MSIZE];
    CHECK_INT(c->write(p.ns.state, &(struct ns_io){file, path, 0, sizeof wide}, wide, NULL),
              -EFBIG);
    CHECK_INT(c->write(p.ns.state, &(struct ns_io){file, path, 0, 5}, "start", NULL), -EINPROGRESS);
    CHECK_INT(c->write(p.ns.state, &(struct ns_io){file, path, 0, 5}, "start", NULL), -EINPROGRESS);
    settle(&p);
    CHECK_INT(c->write(p.ns.state, &(struct ns_io){file, path, 0, 5}, "start", NULL), 5);
    CHECK_STR(buf_str(&p.t.ram.file[ram_find(&p.t.ram, 0, "ctl")].data), "start");
    c->close(p.ns.state, file, path);
    pair_end(&p);
}

TEST(ninep_files_what_is_not_there)
{
    struct pair p;
    struct fail f;
    uint64_t path;
    pair_begin(&p);
    for (int i = 0; i < 5000; i++)
        CHECK_INT(SOON(&p, p.ns.calls->walk(p.ns.state, 0, "nothing", &path, &f)), -ENOENT);
    CHECK_STR(ns_error(&f), "file does not exist");
    uint64_t file = walk(&p, "ctl");
    CHECK_INT(SOON(&p, p.ns.calls->walk(p.ns.state, file, "below", &path, &f)), -ENOTDIR);
    pair_end(&p);
}

TEST(ninep_files_lists_and_looks)
{
    struct pair p;
    struct ns_stat st;
    char name[16];
    pair_begin(&p);
    for (int i = 0; i < 50; i++) {
        snprintf(name, sizeof name, "f%d", i);
        ram_put(&p.t.ram, 0, name, "x");
    }
    size_t n = 0;
    while (SOON(&p, p.ns.calls->entry(p.ns.state, 0, n, &st, NULL)) == 1)
        n++;
    CHECK_INT(n, 53);
    CHECK_STR(st.name, "f49");
    CHECK_INT(walk(&p, "f49"), st.path);
    CHECK_INT(SOON(&p, p.ns.calls->stat(p.ns.state, 0, &st, NULL)), 0);
    CHECK(st.directory);
    CHECK_INT(SOON(&p, p.ns.calls->stat(p.ns.state, walk(&p, "lib/ndb/local"), &st, NULL)), 0);
    CHECK_STR(st.name, "local");
    CHECK_INT(st.length, 9);
    pair_end(&p);
}

TEST(ninep_files_deep)
{
    struct pair p;
    char path[4 * 40] = "";
    uint64_t at = 0;
    pair_begin(&p);
    for (int i = 0; i < 40; i++) {
        at = (uint64_t)ram_dir(&p.t.ram, at, "d");
        strcat(path, i ? "/d" : "d");
    }
    struct ns_stat st;
    CHECK_INT(SOON(&p, p.ns.calls->stat(p.ns.state, walk(&p, path), &st, NULL)), 0);
    CHECK_STR(st.name, "d");
    pair_end(&p);
}

TEST(ninep_files_of_a_connection_that_ends)
{
    struct pair p;
    struct fail f;
    char bytes[4];
    struct ns_stat st;
    pair_begin(&p);
    uint64_t path = walk(&p, "wait");
    void *file = open_at(&p, path, NS_READ);
    CHECK_INT(p.ns.calls->read(p.ns.state, &(struct ns_io){file, path, 0, 1}, bytes, NULL),
              -EINPROGRESS);
    CHECK_INT(p.ns.calls->stat(p.ns.state, 0, &st, NULL), -EINPROGRESS);
    fail_set(&f, ETIMEDOUT, "board");
    ninep_client_hangup(p.client, &f);
    CHECK_INT(p.ns.calls->read(p.ns.state, &(struct ns_io){file, path, 0, 1}, bytes, &f),
              -ETIMEDOUT);
    CHECK_STR(f.what, "board");
    CHECK_INT(p.ns.calls->stat(p.ns.state, 0, &st, NULL), -ETIMEDOUT);
    CHECK_INT(p.ns.calls->stat(p.ns.state, 0, &st, NULL), -ETIMEDOUT);
    p.ns.calls->end(p.ns.state);
    ninep_client_free(p.client);
    CHECK_INT(talk_end(&p.t), 0);
}

TEST(ninep_files_calls_that_nobody_fetches_make_room)
{
    struct pair p;
    struct ns_stat st;
    pair_begin(&p);
    uint64_t dir = walk(&p, "lib");
    for (unsigned how = 0; how < 3 * NINEP_JOBS; how++) {
        void *file;
        CHECK_INT(p.ns.calls->open(p.ns.state, dir, how << 8, &file, NULL), -EINPROGRESS);
        settle(&p);
    }
    CHECK_INT(SOON(&p, p.ns.calls->stat(p.ns.state, dir, &st, NULL)), 0);
    pair_end(&p);
}

/* --- for a kernel's file server: names come and go --- */

static void pair_begin_tree(struct pair *p)
{
    pair_begin(p);
    p->ns = ninep_files_tree(p->files);
}

static uint64_t look(struct pair *p, uint64_t directory, const char *name, struct ns_stat *st)
{
    uint64_t path = UINT64_MAX;
    long r = SOON(p, p->ns.calls->look(p->ns.state, directory, name, &path, st, NULL));
    return r == 0 ? path : UINT64_MAX;
}

TEST(ninep_tree_names_come_and_go)
{
    struct pair p;
    struct ns_stat st;
    pair_begin_tree(&p);
    for (int i = 0; i < 5000; i++) {
        uint64_t lib = look(&p, 0, "lib", &st), ndb = look(&p, lib, "ndb", &st);
        CHECK(st.directory);
        p.ns.calls->forget(p.ns.state, lib);
        uint64_t local = look(&p, ndb, "local", &st);
        CHECK_INT(st.length, 9);
        CHECK_INT(p.files->names.used, 3);
        CHECK_INT(look(&p, 0, "none", &st), UINT64_MAX);
        p.ns.calls->forget(p.ns.state, ndb);
        CHECK_INT(p.files->names.used, 3); /* the parents of what is held stay */
        p.ns.calls->forget(p.ns.state, local);
        CHECK_INT(p.files->names.used, 0);
        CHECK(ninep_server_fids(p.t.server) <= 2);
    }
    p.ns.calls->forget(p.ns.state, 0);
    p.ns.calls->forget(p.ns.state, 12345);
    CHECK_INT(ninep_client_pending(p.client), 0);
    pair_end(&p);
}

TEST(ninep_tree_names_outlive_the_connection)
{
    struct pair p;
    struct ns_stat st;
    void *file;
    pair_begin_tree(&p);
    uint64_t lib = look(&p, 0, "lib", &st);
    file = open_at(&p, lib, NS_READ);
    CHECK(file != NULL);
    CHECK_INT(p.ns.calls->stat(p.ns.state, lib, &st, NULL), -EINPROGRESS);
    settle(&p);
    ninep_files_disconnect(p.files);
    settle(&p);
    CHECK_INT(ninep_server_fids(p.t.server), 1);
    CHECK_INT(p.ns.calls->stat(p.ns.state, lib, &st, NULL), -EINPROGRESS);
    CHECK_INT(p.files->names.used, 1);
    ninep_files_connect(p.files, p.client);
    CHECK_INT(SOON(&p, p.ns.calls->stat(p.ns.state, lib, &st, NULL)), 0);
    CHECK_STR(st.name, "lib");
    p.ns.calls->forget(p.ns.state, lib);
    pair_end(&p);
}

static size_t count_entries(struct pair *p, void *dir, int kind)
{
    struct ns_stat st;
    size_t n = 0;
    long r;
    while ((r = SOON(p, p->ns.calls->read_entry(p->ns.state, dir, 0, n, &st, NULL))) > 0) {
        CHECK_INT(r, kind);
        n++;
    }
    CHECK_INT(r, 0);
    return n;
}

TEST(ninep_tree_directories_are_read_by_parts)
{
    struct pair p;
    struct ns_stat st;
    char name[NS_NAME_MAX + 1];
    pair_begin_tree(&p);
    ninep_client_free(p.client);
    p.client = ninep_client_new(512, "glenda", ""); /* a part has two or three entries */
    ninep_files_free(p.files);
    p.files = ninep_files_new(p.client, 42);
    p.ns = ninep_files_tree(p.files);
    settle(&p);
    for (int i = 0; i < 40; i++) {
        snprintf(name, sizeof name, "%0100d", i);
        ram_put(&p.t.ram, 0, name, "x");
    }
    void *dir = open_at(&p, 0, NS_READ);
    CHECK_INT(count_entries(&p, dir, NS_ENTRY_STAT), 43);
    CHECK_INT(count_entries(&p, dir, NS_ENTRY_STAT), 43); /* from the beginning again */
    CHECK_INT(SOON(&p, p.ns.calls->read_entry(p.ns.state, dir, 0, 20, &st, NULL)), NS_ENTRY_STAT);
    CHECK_INT(SOON(&p, p.ns.calls->read_entry(p.ns.state, dir, 0, 10, &st, NULL)), NS_ENTRY_STAT);
    uint64_t path;
    CHECK_INT(p.ns.calls->hold(p.ns.state, 0, &st, &path, NULL), 0);
    CHECK_INT(look(&p, 0, st.name, &st), path);
    p.ns.calls->forget(p.ns.state, path);
    p.ns.calls->forget(p.ns.state, path);
    CHECK_INT(p.files->names.used, 0);
    p.ns.calls->close(p.ns.state, dir, 0);
    pair_end(&p);
}

/* Of a file that is known to be longer than a message. */
TEST(ninep_tree_reads_over_several_messages)
{
    struct pair p;
    struct ns_stat st;
    static char contents[40001], bytes[NINEP_READ_MAX];
    memset(contents, 'a', 40000);
    contents[39999] = 'z';
    pair_begin(&p);
    ninep_client_free(p.client);
    p.client = ninep_client_new(8192, "glenda", "");
    ninep_files_free(p.files);
    p.files = ninep_files_new(p.client, 42);
    p.ns = ninep_files_tree(p.files);
    settle(&p);
    ram_put(&p.t.ram, 0, "long", contents);
    uint64_t path = look(&p, 0, "long", &st);
    CHECK_INT(st.length, 40000);
    void *file = open_at(&p, path, NS_BOTH);
    struct ns_io io = {file, path, 0, sizeof bytes};
    CHECK_INT(SOON(&p, p.ns.calls->read(p.ns.state, &io, bytes, NULL)), 40000);
    CHECK(memcmp(bytes, contents, 40000) == 0);
    io.offset = 39000;
    CHECK_INT(SOON(&p, p.ns.calls->read(p.ns.state, &io, bytes, NULL)), 1000);
    io = (struct ns_io){file, path, 0, 20000};
    CHECK_INT(SOON(&p, p.ns.calls->write(p.ns.state, &io, contents, NULL)), 8192 - NINEP_IO_HEAD);
    p.ns.calls->close(p.ns.state, file, path);
    p.ns.calls->forget(p.ns.state, path);
    pair_end(&p);
}

/* --- servers that lie --- */

static long say(struct ninep_client *c, struct ninep_msg m)
{
    struct buf b = BUF_INIT;
    struct fail f;
    ninep_write(&m, NINEP_PLAIN, &b);
    long r = ninep_client_receive(c, b.data, b.len, &f);
    buf_release(&b);
    return r;
}

static struct ninep_client *attached(void)
{
    struct ninep_client *c = ninep_client_new(0, "u", "");
    say(c, (struct ninep_msg){.type = NINEP_RVERSION,
                              .tag = NINEP_NOTAG,
                              .session.msize = 4096,
                              .session.version = ninep_text("9P2000")});
    say(c, (struct ninep_msg){.type = NINEP_RATTACH, .tag = NINEP_NOTAG});
    CHECK_INT(ninep_client_ready(c, NULL), 1);
    return c;
}

TEST(ninep_client_of_servers_that_lie)
{
    struct ninep_client *c = ninep_client_new(0, "u", "");
    CHECK_INT(say(c, (struct ninep_msg){.type = NINEP_RVERSION,
                                        .session.msize = 1 << 30,
                                        .session.version = ninep_text("9P2000")}),
              -EPROTO);
    CHECK_INT(ninep_client_ready(c, NULL), -EPROTO);
    CHECK_INT(say(c, (struct ninep_msg){.type = NINEP_RATTACH}), -EPROTO);
    ninep_client_free(c);
    c = ninep_client_new(0, "u", "");
    CHECK_INT(say(c, (struct ninep_msg){.type = NINEP_RVERSION,
                                        .session.msize = 4096,
                                        .session.version = ninep_text("unknown")}),
              20); /* and is asked for 9P2000.L */
    CHECK_INT(ninep_client_ready(c, NULL), 0);
    CHECK_INT(say(c, (struct ninep_msg){.type = NINEP_RVERSION,
                                        .session.msize = 4096,
                                        .session.version = ninep_text("unknown")}),
              -EPROTO);
    ninep_client_free(c);
    c = attached();
    CHECK_INT(say(c, (struct ninep_msg){.type = NINEP_RCLUNK, .tag = 3}), -EPROTO);
    ninep_client_free(c);
    c = attached();
    CHECK_INT(ninep_client_request(c, &(struct ninep_msg){.type = NINEP_TSTAT}, NULL, NULL, NULL),
              0);
    CHECK_INT(say(c, (struct ninep_msg){.type = NINEP_RCLUNK, .tag = 0}), -EPROTO);
    ninep_client_free(c);
}

/* A server that speaks 9P2000.L alone: as if ours had refused the plain version. */
static void pair_begin_linux(struct pair *p)
{
    talk_begin(&p->t, false, "9P2000.L");
    p->client = ninep_client_new(0, "glenda", "");
    ninep_client_set_uid(p->client, 1000);
    buf_clear(ninep_client_out(p->client));
    say(p->client, (struct ninep_msg){.type = NINEP_RVERSION,
                                      .tag = NINEP_NOTAG,
                                      .session.msize = 8192,
                                      .session.version = ninep_text("unknown")});
    p->files = ninep_files_new(p->client, 42);
    p->ns = ninep_files_server(p->files);
    settle(p);
    CHECK_INT(ninep_client_ready(p->client, NULL), 1);
    CHECK_INT(ninep_client_dialect(p->client), NINEP_L);
}

TEST(ninep_files_of_linux)
{
    struct pair p;
    struct ns_stat st;
    char bytes[32];
    pair_begin_linux(&p);
    const struct ns_calls *c = p.ns.calls;
    uint64_t dir = walk(&p, "lib/ndb"), path = walk(&p, "lib/ndb/local");
    CHECK_INT(SOON(&p, c->stat(p.ns.state, path, &st, NULL)), 0);
    CHECK_STR(st.name, "local");
    CHECK_INT(st.length, 9);
    CHECK(!st.directory);
    CHECK_INT(SOON(&p, c->entry(p.ns.state, dir, 0, &st, NULL)), 1);
    CHECK_STR(st.name, "local");
    CHECK_INT(st.length, 9);
    CHECK_INT(st.path, path);
    CHECK_INT(SOON(&p, c->entry(p.ns.state, dir, 1, &st, NULL)), 0);
    CHECK_INT(SOON(&p, c->entry(p.ns.state, walk(&p, "lib"), 0, &st, NULL)), 1);
    CHECK(st.directory);
    void *file = open_at(&p, path, NS_READ);
    CHECK_INT(
        SOON(&p, c->read(p.ns.state, &(struct ns_io){file, path, 4, sizeof bytes}, bytes, NULL)),
        5);
    CHECK(memcmp(bytes, "gnot\n", 5) == 0);
    c->close(p.ns.state, file, path);
    CHECK_INT(SOON(&p, c->walk(p.ns.state, dir, "none", &path, NULL)), -ENOENT);
    pair_end(&p);
}

TEST(ninep_tree_of_linux)
{
    struct pair p;
    struct ns_stat st;
    pair_begin_linux(&p);
    p.ns = ninep_files_tree(p.files);
    void *dir = open_at(&p, 0, NS_READ);
    CHECK_INT(count_entries(&p, dir, NS_ENTRY_NAME), 3);
    uint64_t lib = look(&p, 0, "lib", &st);
    CHECK(st.directory);
    CHECK_INT(look(&p, lib, "none", &st), UINT64_MAX);
    p.ns.calls->forget(p.ns.state, lib);
    p.ns.calls->close(p.ns.state, dir, 0);
    pair_end(&p);
}

/* The reply to the stat, which was sent behind the walk, comes first, and is that there is no such
 * fid: it is sent again when the walk was answered. */
TEST(ninep_tree_of_a_server_that_answers_in_parallel)
{
    struct ninep_client *c = attached();
    struct ninep_files *files = ninep_files_new(c, 42);
    struct ns_server ns = ninep_files_tree(files);
    struct ns_stat st;
    struct buf record = BUF_INIT;
    uint64_t path;
    CHECK_INT(ns.calls->look(ns.state, 0, "a", &path, &st, NULL), -EINPROGRESS);
    CHECK_INT(ninep_client_pending(c), 2);
    CHECK(say(c, (struct ninep_msg){.type = NINEP_RERROR,
                                    .tag = 1,
                                    .failure.text = ninep_text("unknown fid")}) > 0);
    CHECK_INT(ns.calls->look(ns.state, 0, "a", &path, &st, NULL), -EINPROGRESS);
    CHECK(say(c, (struct ninep_msg){.type = NINEP_RWALK, .tag = 0, .walk.count = 1}) > 0);
    CHECK_INT(ninep_client_pending(c), 1);
    ninep_stat_write(&(struct ninep_stat){.name = ninep_text("a"), .length = 7}, NINEP_PLAIN,
                     &record);
    CHECK(say(c, (struct ninep_msg){.type = NINEP_RSTAT,
                                    .tag = 0,
                                    .data = record.data,
                                    .count = (uint32_t)record.len}) > 0);
    CHECK_INT(ns.calls->look(ns.state, 0, "a", &path, &st, NULL), 0);
    CHECK_INT(st.length, 7);
    buf_release(&record);
    ninep_files_free(files);
    ninep_client_free(c);
}

/* Entries without end, names that are none, an offset that does not go on. */
TEST(ninep_tree_of_directories_that_lie)
{
    static const char *const bad[] = {"", "a/b", "..", "."};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct ninep_client *c = attached();
        struct ninep_files *files = ninep_files_new(c, 42);
        struct ns_server ns = ninep_files_tree(files);
        struct ns_stat st;
        struct buf record = BUF_INIT;
        void *dir;
        CHECK_INT(ns.calls->open(ns.state, 0, NS_READ, &dir, NULL), -EINPROGRESS);
        CHECK(say(c, (struct ninep_msg){.type = NINEP_RWALK, .tag = 0}) > 0);
        CHECK(say(c, (struct ninep_msg){.type = NINEP_ROPEN, .tag = 0}) > 0);
        CHECK_INT(ns.calls->open(ns.state, 0, NS_READ, &dir, NULL), 0);
        CHECK_INT(ns.calls->read_entry(ns.state, dir, 0, 0, &st, NULL), -EINPROGRESS);
        ninep_stat_write(&(struct ninep_stat){.name = ninep_text("good")}, NINEP_PLAIN, &record);
        ninep_stat_write(&(struct ninep_stat){.name = ninep_text(bad[i])}, NINEP_PLAIN, &record);
        CHECK(say(c, (struct ninep_msg){.type = NINEP_RREAD,
                                        .tag = 0,
                                        .data = record.data,
                                        .count = (uint32_t)record.len}) > 0);
        CHECK_INT(ns.calls->read_entry(ns.state, dir, 0, 0, &st, NULL), NS_ENTRY_STAT);
        CHECK_INT(ns.calls->read_entry(ns.state, dir, 0, 1, &st, NULL), -EPROTO);
        CHECK_INT(ns.calls->read_entry(ns.state, dir, 0, SIZE_MAX / 2 - 1, &st, NULL), -EPROTO);
        buf_release(&record);
        ninep_files_free(files);
        ninep_client_free(c);
    }
}

struct heard {
    int replies, fails;
};
static void hear(void *arg, const struct ninep_msg *reply, const struct fail *f)
{
    struct heard *h = arg;
    (void)f;
    h->replies += reply != NULL;
    h->fails += reply == NULL;
}

TEST(ninep_client_a_flushed_tag_is_not_used_again_before_its_time)
{
    struct heard h = {0, 0};
    struct ninep_msg stat = {.type = NINEP_TSTAT};
    struct ninep_client *c = attached();
    int tag = ninep_client_request(c, &stat, hear, &h, NULL);
    ninep_client_flush(c, tag);
    CHECK_INT(say(c, (struct ninep_msg){.type = NINEP_RSTAT, .tag = (uint16_t)tag, .data = ""}), 9);
    CHECK(ninep_client_request(c, &stat, hear, &h, NULL) > tag + 1);
    CHECK_INT(say(c, (struct ninep_msg){.type = NINEP_RFLUSH, .tag = (uint16_t)(tag + 1)}), 7);
    CHECK_INT(ninep_client_request(c, &stat, hear, &h, NULL), tag);
    CHECK_INT(h.replies + h.fails, 0);
    CHECK_INT(say(c, (struct ninep_msg){.type = NINEP_RERROR,
                                        .tag = (uint16_t)tag,
                                        .failure.text = ninep_text("file does not exist")}),
              9 + 19);
    CHECK_INT(h.fails, 1);
    ninep_client_free(c);
}

TEST(ninep_client_words_have_numbers)
{
    CHECK_INT(ninep_errno(ninep_text("'/dev/x' file does not exist")), ENOENT);
    CHECK_INT(ninep_errno(ninep_text("No such file or directory")), ENOENT);
    CHECK_INT(ninep_errno(ninep_text("permission denied")), EACCES);
    CHECK_INT(ninep_errno(ninep_text("the sky is falling")), 0);
    CHECK_INT(ninep_errno(ninep_text("")), 0);
}
