#include "unit.h"

#include "ninep_pair.h"

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
