/* For a kernel's file server: names come and go. */
#include "unit.h"

#include "ninep_pair.h"

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
        p.ns.calls->forget(p.ns.state, lib, 1);
        uint64_t local = look(&p, ndb, "local", &st);
        CHECK_INT(st.length, 9);
        CHECK_INT(p.files->names.used, 3);
        CHECK_INT(look(&p, 0, "none", &st), UINT64_MAX);
        p.ns.calls->forget(p.ns.state, ndb, 1);
        CHECK_INT(p.files->names.used, 3); /* the parents of what is held stay */
        p.ns.calls->forget(p.ns.state, local, 1);
        CHECK_INT(p.files->names.used, 0);
        CHECK(ninep_server_fids(p.t.server) <= 2);
    }
    p.ns.calls->forget(p.ns.state, 0, 1);
    p.ns.calls->forget(p.ns.state, 12345, 1);
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
    p.ns.calls->forget(p.ns.state, lib, 1);
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
    p.ns.calls->forget(p.ns.state, path, 1);
    p.ns.calls->forget(p.ns.state, path, 1);
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
    p.ns.calls->forget(p.ns.state, path, 1);
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
    p.ns.calls->forget(p.ns.state, lib, 1);
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
