#include "unit.h"

#include "core/base/bytes.h"
#include "ninep_talk.h"

#define SAY(...) talk(&t, (struct ninep_msg){__VA_ARGS__})

TEST(ninep_server_versions)
{
    struct talk t;
    talk_begin(&t, false, "9P2000");
    CHECK_INT(talk_version(&t, "9P2000.L", 4096), NINEP_RVERSION);
    CHECK(ninep_text_equals(t.reply.session.version, "9P2000.L"));
    CHECK_INT(t.reply.session.msize, 4096);
    talk_version(&t, "9P2000", UINT32_MAX);
    CHECK_INT(t.reply.session.msize, NINEP_MSIZE);
    talk_version(&t, "9P1990", 8192);
    CHECK(ninep_text_equals(t.reply.session.version, "unknown"));
    CHECK_INT(talk_attach(&t, 0), NINEP_RERROR);
    talk_version(&t, "9P2000", 100);
    CHECK(ninep_text_equals(t.reply.session.version, "unknown"));
    CHECK_INT(talk_end(&t), 0);
}

TEST(ninep_server_a_version_clunks_all)
{
    struct talk t;
    talk_begin(&t, true, "9P2000");
    talk(&t, talk_walk(0, 1, "lib/ndb/local"));
    CHECK_INT(SAY(.type = NINEP_TOPEN, .fid = 1, .how = NS_READ), NINEP_ROPEN);
    CHECK_INT(ninep_server_fids(t.server), 2);
    CHECK(ram_held(&t.ram) > 0);
    talk_version(&t, "9P2000", 8192);
    CHECK_INT(ninep_server_fids(t.server), 0);
    CHECK_INT(ram_held(&t.ram), 0);
    CHECK_INT(talk_end(&t), 0);
}

TEST(ninep_server_attach_and_auth)
{
    struct talk t;
    talk_begin(&t, false, "9P2000");
    CHECK_INT(t.reply.type, NINEP_RATTACH);
    CHECK_INT(t.reply.qid.type, NINEP_DIR);
    CHECK_INT(talk_attach(&t, 0), NINEP_RERROR);
    CHECK_INT(talk_attach(&t, NINEP_NOFID), NINEP_RERROR);
    CHECK_INT(SAY(.type = NINEP_TAUTH, .newfid = 9), NINEP_RERROR);
    CHECK(talk_failed(&t, "authentication not required"));
    CHECK_INT(SAY(.type = NINEP_TATTACH, .newfid = 9, .fid = NINEP_NOFID,
                  .session.aname = ninep_text("/other")),
              NINEP_RERROR);
    CHECK_INT(talk_end(&t), 0);
}

static void walks(bool host)
{
    struct talk t;
    talk_begin(&t, host, "9P2000");
    CHECK_INT(talk(&t, talk_walk(0, 1, "lib/ndb/local")), NINEP_RWALK);
    CHECK_INT(t.reply.walk.count, 3);
    CHECK_INT(t.reply.walk.qid[1].type, NINEP_DIR);
    CHECK_INT(t.reply.walk.qid[2].type, NINEP_FILE);
    CHECK_INT(talk(&t, talk_walk(0, 2, "lib/nothing/local")), NINEP_RWALK);
    CHECK_INT(t.reply.walk.count, 1);
    CHECK_INT(SAY(.type = NINEP_TCLUNK, .fid = 2), NINEP_RERROR);
    CHECK_INT(talk(&t, talk_walk(0, 2, "nothing")), NINEP_RERROR);
    CHECK(talk_failed(&t, "file does not exist"));
    CHECK_INT(talk(&t, talk_walk(1, 2, "x")), NINEP_RERROR);
    CHECK(talk_failed(&t, "not a directory"));
    CHECK_INT(talk(&t, talk_walk(0, 1, "lib")), NINEP_RERROR);
    CHECK(talk_failed(&t, "fid in use"));
    CHECK_INT(talk(&t, talk_walk(7, 8, "lib")), NINEP_RERROR);
    CHECK_INT(talk(&t, talk_walk(0, 2, "lib/../lib/ndb/../../..")), NINEP_RWALK);
    CHECK_INT(t.reply.walk.count, 7);
    CHECK_INT(t.reply.walk.qid[6].path, 0);
    CHECK_INT(talk(&t, talk_walk(2, 2, "lib/ndb")), NINEP_RWALK);
    CHECK_INT(talk(&t, talk_walk(2, 3, "local")), NINEP_RWALK);
    CHECK_INT(talk(&t, talk_walk(0, 4, "lib/.")), NINEP_RWALK);
    CHECK_INT(t.reply.walk.count, 1);
    CHECK_INT(ninep_server_fids(t.server), 4);
    CHECK_INT(talk_end(&t), 0);
}

TEST(ninep_server_tells_the_tree_who_asks)
{
    struct talk t;
    struct ninep_msg attach = {
        .type = NINEP_TATTACH, .newfid = 1, .fid = NINEP_NOFID, .session.uid = 6};
    talk_begin(&t, true, "9P2000.L");
    CHECK_INT(talk(&t, attach), NINEP_RATTACH);
    CHECK_INT(t.ram.asker, 6);
    CHECK_INT(talk(&t, talk_walk(0, 2, "lib")), NINEP_RWALK);
    CHECK_INT(t.ram.asker, 0);
    CHECK_INT(talk(&t, talk_walk(1, 3, "lib")), NINEP_RWALK);
    CHECK_INT(talk(&t, (struct ninep_msg){.type = NINEP_TGETATTR, .fid = 2}), NINEP_RGETATTR);
    CHECK_INT(t.ram.asker, 0);
    CHECK_INT(talk(&t, (struct ninep_msg){.type = NINEP_TGETATTR, .fid = 3}), NINEP_RGETATTR);
    CHECK_INT(t.ram.asker, 6);
    CHECK_INT(talk_end(&t), 0);
    talk_begin(&t, true, "9P2000");
    CHECK_INT(t.ram.asker, UINT32_MAX);
    CHECK_INT(talk_end(&t), 0);
}

TEST(ninep_server_extended_attributes)
{
    struct talk t;
    struct ninep_msg get = {
        .type = NINEP_TXATTRWALK, .fid = 1, .newfid = 2, .name = ninep_text("user.a")};
    struct ninep_msg set = {
        .type = NINEP_TXATTRCREATE, .fid = 1, .name = ninep_text("user.a"), .length = 6};
    talk_begin(&t, true, "9P2000.L");
    talk(&t, talk_walk(0, 1, "lib"));
    CHECK_INT(talk(&t, get), NINEP_RLERROR);
    CHECK_INT(t.reply.failure.code, ENODATA);
    CHECK_INT(talk(&t, set), NINEP_RXATTRCREATE);
    CHECK_INT(SAY(.type = NINEP_TLOPEN, .fid = 1), NINEP_RLERROR);
    CHECK_INT(SAY(.type = NINEP_TWRITE, .fid = 1, .count = 4, .data = "abcd"), NINEP_RWRITE);
    CHECK_INT(SAY(.type = NINEP_TWRITE, .fid = 1, .count = 4, .offset = 4, .data = "efgh"),
              NINEP_RLERROR);
    CHECK_INT(SAY(.type = NINEP_TWRITE, .fid = 1, .count = 2, .offset = 4, .data = "ef"),
              NINEP_RWRITE);
    CHECK_INT(SAY(.type = NINEP_TCLUNK, .fid = 1), NINEP_RCLUNK);
    talk(&t, talk_walk(0, 1, "lib"));
    CHECK_INT(talk(&t, get), NINEP_RXATTRWALK);
    CHECK_INT(t.reply.length, 6);
    CHECK_INT(SAY(.type = NINEP_TREAD, .fid = 2, .offset = 1, .count = 3), NINEP_RREAD);
    CHECK_INT(t.reply.count, 3);
    CHECK(memcmp(t.reply.data, "bcd", 3) == 0);
    CHECK_INT(SAY(.type = NINEP_TREAD, .fid = 2, .offset = 6, .count = 3), NINEP_RREAD);
    CHECK_INT(t.reply.count, 0);
    talk(&t, set); /* cut short: not set, and told */
    CHECK_INT(SAY(.type = NINEP_TCLUNK, .fid = 1), NINEP_RLERROR);
    talk(&t, talk_walk(0, 1, "lib"));
    set.length = UINT64_MAX;
    CHECK_INT(talk(&t, set), NINEP_RLERROR);
    CHECK_INT(t.reply.failure.code, E2BIG);
    uint32_t fid = 3;
    for (get.newfid = fid; talk(&t, get) == NINEP_RXATTRWALK;)
        get.newfid = ++fid;
    CHECK_INT(fid, 16); /* fids are fewer than the values that are kept */
    CHECK_INT(talk_end(&t), 0);
}

TEST(ninep_server_walks)
{
    walks(false);
    walks(true);
}

TEST(ninep_server_fids_are_bounded)
{
    struct talk t;
    talk_begin(&t, true, "9P2000");
    for (uint32_t i = 1; i < 16; i++)
        CHECK_INT(talk(&t, talk_walk(0, i * 0x10001, "lib")), NINEP_RWALK);
    CHECK_INT(talk(&t, talk_walk(0, 99, "lib")), NINEP_RERROR);
    CHECK_INT(SAY(.type = NINEP_TCLUNK, .fid = 0x10001), NINEP_RCLUNK);
    CHECK_INT(talk(&t, talk_walk(0, 99, "lib")), NINEP_RWALK);
    CHECK_INT(talk_end(&t), 0);
}

TEST(ninep_server_reads_and_writes)
{
    struct talk t;
    talk_begin(&t, false, "9P2000");
    talk(&t, talk_walk(0, 1, "lib/ndb/local"));
    CHECK_INT(SAY(.type = NINEP_TREAD, .fid = 1, .count = 10), NINEP_RERROR);
    CHECK_INT(SAY(.type = NINEP_TOPEN, .fid = 1, .how = NS_BOTH), NINEP_ROPEN);
    CHECK_INT(t.reply.iounit, 8192 - NINEP_IO_HEAD);
    CHECK_INT(SAY(.type = NINEP_TOPEN, .fid = 1), NINEP_RERROR);
    CHECK_INT(SAY(.type = NINEP_TREAD, .tag = 5, .fid = 1, .offset = 4, .count = UINT32_MAX),
              NINEP_RREAD);
    CHECK_INT(t.reply.tag, 5);
    CHECK_INT(t.reply.count, 5);
    CHECK(memcmp(t.reply.data, "gnot\n", 5) == 0);
    CHECK_INT(SAY(.type = NINEP_TWRITE, .fid = 1, .offset = 4, .data = "name", .count = 4),
              NINEP_RWRITE);
    CHECK_INT(t.reply.count, 4);
    CHECK_INT(SAY(.type = NINEP_TREAD, .fid = 1, .count = 100), NINEP_RREAD);
    CHECK(t.reply.count == 9 && memcmp(t.reply.data, "sys=name\n", 9) == 0);
    CHECK_INT(SAY(.type = NINEP_TREAD, .fid = 1, .offset = 9, .count = 100), NINEP_RREAD);
    CHECK_INT(t.reply.count, 0);
    CHECK_INT(SAY(.type = NINEP_TREMOVE, .fid = 1), NINEP_RERROR);
    CHECK(talk_failed(&t, "permission denied"));
    CHECK_INT(SAY(.type = NINEP_TCLUNK, .fid = 1), NINEP_RERROR);
    CHECK_INT(talk_end(&t), 0);
}

TEST(ninep_server_of_a_tree_that_is_not_to_be_written)
{
    struct talk t;
    talk_begin(&t, true, "9P2000");
    struct ninep_tree tree = ram_tree(&t.ram, true);
    tree.files.writable = false;
    ninep_server_free(t.server);
    t.server = ninep_server_new(&tree, NULL);
    talk_version(&t, "9P2000", 8192);
    talk_attach(&t, 0);
    talk(&t, talk_walk(0, 1, "ctl"));
    CHECK_INT(SAY(.type = NINEP_TOPEN, .fid = 1, .how = NS_WRITE), NINEP_RERROR);
    CHECK_INT(SAY(.type = NINEP_TOPEN, .fid = 1, .how = NS_TRUNCATE), NINEP_RERROR);
    CHECK_INT(SAY(.type = NINEP_TOPEN, .fid = 1, .how = NINEP_REMOVE_ON_CLOSE), NINEP_RERROR);
    CHECK_INT(SAY(.type = NINEP_TCREATE, .fid = 0, .name = ninep_text("x")), NINEP_RERROR);
    CHECK_INT(SAY(.type = NINEP_TREMOVE, .fid = 1), NINEP_RERROR);
    CHECK(ram_find(&t.ram, 0, "ctl") > 0);
    CHECK_INT(talk_end(&t), 0);
}

/* --- requests that wait --- */

static void open_wait(struct talk *t)
{
    talk(t, talk_walk(0, 1, "wait"));
    talk(t, (struct ninep_msg){.type = NINEP_TOPEN, .fid = 1});
    t->ram.handle = 42;
}

TEST(ninep_server_a_read_waits_and_is_answered)
{
    struct talk t;
    size_t at = 0;
    int handle = -1;
    talk_begin(&t, false, "9P2000");
    open_wait(&t);
    CHECK_INT(SAY(.type = NINEP_TREAD, .tag = 7, .fid = 1, .count = 9), 0);
    CHECK_INT(ninep_server_handles(t.server, &handle, 1), 1);
    CHECK_INT(handle, 42);
    CHECK_INT(SAY(.type = NINEP_TSTAT, .tag = 8, .fid = 0), NINEP_RSTAT);
    CHECK_INT(SAY(.type = NINEP_TSTAT, .tag = 7, .fid = 0), NINEP_RERROR);
    buf_clear(&t.out);
    CHECK_INT(ninep_server_retry(t.server, &t.out, NULL), 0);
    CHECK_INT(t.out.len, 0);
    t.ram.ready = true;
    CHECK_INT(ninep_server_retry(t.server, &t.out, NULL), 0);
    CHECK_INT(talk_next(&t, &at), NINEP_RREAD);
    CHECK_INT(t.reply.tag, 7);
    CHECK(t.reply.count == 3 && memcmp(t.reply.data, "now", 3) == 0);
    CHECK_INT(ninep_server_waiting(t.server), 0);
    CHECK_INT(talk_end(&t), 0);
}

TEST(ninep_server_a_read_that_waits_is_flushed)
{
    struct talk t;
    talk_begin(&t, false, "9P2000");
    open_wait(&t);
    CHECK_INT(SAY(.type = NINEP_TREAD, .tag = 7, .fid = 1, .count = 9), 0);
    CHECK_INT(SAY(.type = NINEP_TFLUSH, .tag = 8, .oldtag = 7), NINEP_RFLUSH);
    CHECK_INT(SAY(.type = NINEP_TFLUSH, .tag = 8, .oldtag = 7), NINEP_RFLUSH);
    t.ram.ready = true;
    buf_clear(&t.out);
    ninep_server_retry(t.server, &t.out, NULL);
    CHECK_INT(t.out.len, 0);
    CHECK_INT(talk_end(&t), 0);
}

TEST(ninep_server_a_clunk_answers_what_waits_for_the_fid)
{
    struct talk t;
    size_t at = 0;
    talk_begin(&t, false, "9P2000");
    open_wait(&t);
    CHECK_INT(SAY(.type = NINEP_TREAD, .tag = 7, .fid = 1, .count = 9), 0);
    buf_clear(&t.out);
    talk_send(&t, (struct ninep_msg){.type = NINEP_TCLUNK, .tag = 9, .fid = 1});
    CHECK_INT(talk_next(&t, &at), NINEP_RERROR);
    CHECK_INT(t.reply.tag, 7);
    CHECK(talk_failed(&t, "interrupted"));
    CHECK_INT(talk_next(&t, &at), NINEP_RCLUNK);
    CHECK_INT(talk_end(&t), 0);
}

TEST(ninep_server_what_waits_is_bounded)
{
    struct talk t;
    talk_begin(&t, false, "9P2000");
    open_wait(&t);
    for (uint16_t tag = 0; tag < 3; tag++)
        CHECK_INT(SAY(.type = NINEP_TREAD, .tag = tag, .fid = 1, .count = 9), 0);
    CHECK_INT(SAY(.type = NINEP_TREAD, .tag = 3, .fid = 1, .count = 9), NINEP_RERROR);
    CHECK(talk_failed(&t, "too many requests are pending"));
    talk_version(&t, "9P2000", 8192);
    CHECK_INT(ninep_server_waiting(t.server), 0);
    CHECK_INT(talk_end(&t), 0);
}

/* --- bytes --- */

TEST(ninep_server_takes_bytes_as_they_come)
{
    struct talk t;
    struct buf in = BUF_INIT;
    size_t at = 0, from = 0, replies = 0;
    talk_begin(&t, false, "9P2000");
    buf_clear(&t.out);
    for (uint16_t tag = 0; tag < 20; tag++)
        ninep_write(&(struct ninep_msg){.type = NINEP_TSTAT, .tag = tag}, NINEP_PLAIN, &in);
    for (size_t to = 1; to <= in.len; to++) {
        long used = ninep_server_serve(t.server, in.data + from, to - from, &t.out, NULL);
        CHECK(used == 0 || used == 11);
        from += used > 0 ? (size_t)used : 0;
    }
    CHECK_INT(from, in.len);
    while (talk_next(&t, &at) == NINEP_RSTAT)
        CHECK_INT(t.reply.tag, replies++);
    CHECK_INT(replies, 20);
    buf_release(&in);
    CHECK_INT(talk_end(&t), 0);
}

TEST(ninep_server_answers_are_bounded)
{
    struct talk t;
    struct buf in = BUF_INIT;
    talk_begin(&t, false, "9P2000");
    buf_clear(&t.out);
    for (int i = 0; i < 1000; i++)
        ninep_write(&(struct ninep_msg){.type = NINEP_TSTAT}, NINEP_PLAIN, &in);
    long used = ninep_server_serve(t.server, in.data, in.len, &t.out, NULL);
    CHECK(used > 0 && used < (long)in.len);
    CHECK(t.out.len >= 4 * 8192 && t.out.len < 5 * 8192);
    CHECK_INT(ninep_server_serve(t.server, in.data, in.len, &t.out, NULL), 0);
    buf_clear(&t.out);
    CHECK(ninep_server_serve(t.server, in.data + used, in.len - (size_t)used, &t.out, NULL) > 0);
    buf_release(&in);
    CHECK_INT(talk_end(&t), 0);
}

TEST(ninep_server_malformed)
{
    struct talk t;
    struct fail f;
    talk_begin(&t, false, "9P2000");
    uint8_t b[11] = {11, 0, 0, 0, NINEP_TOPEN, 4, 0, 0, 0, 0, 0};
    buf_clear(&t.out);
    CHECK_INT(ninep_server_serve(t.server, b, sizeof b, &t.out, &f), sizeof b);
    size_t at = 0;
    CHECK_INT(talk_next(&t, &at), NINEP_RERROR);
    CHECK_INT(t.reply.tag, 4);
    b[4] = 255;
    CHECK_INT(ninep_server_serve(t.server, b, sizeof b, &t.out, &f), sizeof b);
    CHECK_INT(talk_next(&t, &at), NINEP_RERROR);
    CHECK_INT(SAY(.type = NINEP_TGETATTR, .fid = 0), NINEP_RERROR);
    CHECK_INT(SAY(.type = NINEP_RSTAT, .data = "", .count = 0), NINEP_RERROR);
    b[0] = 6;
    CHECK_INT(ninep_server_serve(t.server, b, sizeof b, &t.out, &f), -EPROTO);
    b[3] = 0x7f;
    CHECK_INT(ninep_server_serve(t.server, b, sizeof b, &t.out, &f), -EPROTO);
    CHECK_INT(talk_end(&t), 0);
}
