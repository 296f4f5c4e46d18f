/* The server of 9P over a machine's own files, which clients make, change and remove. */
#include "unit.h"

#include "core/base/bytes.h"
#include "ninep_talk.h"

#define SAY(...) talk(&t, (struct ninep_msg){__VA_ARGS__})

TEST(ninep_server_makes_and_removes_as_plan_9)
{
    struct talk t;
    talk_begin(&t, true, "9P2000");
    talk(&t, talk_walk(0, 1, "lib"));
    CHECK_INT(SAY(.type = NINEP_TCREATE, .fid = 1, .name = ninep_text("new"), .create.mode = 0600,
                  .how = NS_WRITE),
              NINEP_RCREATE);
    CHECK_INT(SAY(.type = NINEP_TWRITE, .fid = 1, .data = "abc", .count = 3), NINEP_RWRITE);
    CHECK_INT(SAY(.type = NINEP_TREAD, .fid = 1, .count = 3), NINEP_RERROR);
    CHECK_INT(SAY(.type = NINEP_TREMOVE, .fid = 1), NINEP_RREMOVE);
    CHECK_INT(talk(&t, talk_walk(0, 1, "lib/new")), NINEP_RWALK);
    CHECK_INT(t.reply.walk.count, 1);
    talk(&t, talk_walk(0, 1, "lib"));
    CHECK_INT(SAY(.type = NINEP_TCREATE, .fid = 1, .name = ninep_text("d"),
                  .create.mode = NINEP_DMDIR | 0700),
              NINEP_RCREATE);
    CHECK_INT(t.reply.qid.type, NINEP_DIR);
    CHECK_INT(SAY(.type = NINEP_TREAD, .fid = 1, .count = 100), NINEP_RREAD);
    CHECK_INT(t.reply.count, 0);
    CHECK_INT(SAY(.type = NINEP_TCLUNK, .fid = 1), NINEP_RCLUNK);
    talk(&t, talk_walk(0, 1, "lib/ndb/local"));
    CHECK_INT(SAY(.type = NINEP_TOPEN, .fid = 1, .how = NINEP_REMOVE_ON_CLOSE), NINEP_ROPEN);
    CHECK_INT(SAY(.type = NINEP_TCLUNK, .fid = 1), NINEP_RCLUNK);
    talk(&t, talk_walk(0, 1, "lib/ndb/local"));
    CHECK_INT(t.reply.walk.count, 2);
    CHECK_INT(talk_end(&t), 0);
}

/* Makes a in lib, whose mode is mode: the new file's permissions. */
static uint32_t made(const char *version, uint32_t above, uint32_t mode)
{
    struct talk t;
    talk_begin(&t, true, version);
    struct ram_file *lib = ram_at(&t.ram, (uint64_t)ram_find(&t.ram, 0, "lib"));
    lib->mode = NS_S_DIR | above;
    talk(&t, talk_walk(0, 1, "lib"));
    CHECK_INT(SAY(.type = NINEP_TCREATE, .fid = 1, .name = ninep_text("a"), .create.mode = mode,
                  .create.target = ninep_text("")),
              NINEP_RCREATE);
    CHECK_INT(SAY(.type = NINEP_TSTAT, .fid = 1), NINEP_RSTAT);
    struct ninep_stat st;
    uint32_t got = ninep_stat_read(t.reply.data, t.reply.count, t.dialect, &st) < 0 ? 0 : st.mode;
    CHECK_INT(talk_end(&t), 0);
    return got;
}

/* open(5). */
TEST(ninep_server_gives_a_new_file_no_more_than_its_directory)
{
    CHECK_INT(made("9P2000", 0755, 0666), 0644);
    CHECK_INT(made("9P2000", 0775, 0777), 0775); /* a directory is executable in another sense */
    CHECK_INT(made("9P2000", 0700, 0777), 0711);
    CHECK_INT(made("9P2000", 0777, 0640), 0640);
    CHECK_INT(made("9P2000", 0750, NINEP_DMDIR | 0777), (int64_t)(NINEP_DMDIR | 0750));
    CHECK_INT(made("9P2000", 0775, NINEP_DMDIR | 0755), (int64_t)(NINEP_DMDIR | 0755));
    CHECK_INT(made("9P2000.u", 0755, 0666), 0666);
}

static struct ninep_stat stat_of(struct talk *tp, const char *name)
{
    struct ninep_stat st = {.mode = 0};
    CHECK_INT(talk(tp, talk_walk(0, 5, name)), NINEP_RWALK);
    CHECK_INT(talk(tp, (struct ninep_msg){.type = NINEP_TSTAT, .fid = 5}), NINEP_RSTAT);
    CHECK_INT(ninep_stat_read(tp->reply.data, tp->reply.count, tp->dialect, &st), tp->reply.count);
    CHECK_INT(talk(tp, (struct ninep_msg){.type = NINEP_TCLUNK, .fid = 5}), NINEP_RCLUNK);
    return st;
}

static void make(struct talk *tp, const char *name, uint32_t mode, const char *target)
{
    talk(tp, talk_walk(0, 6, ""));
    CHECK_INT(talk(tp, (struct ninep_msg){.type = NINEP_TCREATE,
                                          .fid = 6,
                                          .name = ninep_text(name),
                                          .create.mode = mode,
                                          .create.target = ninep_text(target)}),
              NINEP_RCREATE);
    CHECK_INT(talk(tp, (struct ninep_msg){.type = NINEP_TCLUNK, .fid = 6}), NINEP_RCLUNK);
}

/* What Linux' client needs to show kinds of files, and follow a link. */
TEST(ninep_server_tells_kinds_in_u)
{
    enum { SET_UID = 0x00080000, STICKY = 0x00010000 };
    struct talk t;
    talk_begin(&t, true, "9P2000.u");
    make(&t, "link", NINEP_DMLINK | 0777, "lib/ndb");
    make(&t, "fifo", NINEP_DMPIPE | 0600, "");
    make(&t, "su", SET_UID | 0755, "");
    make(&t, "tmp", NINEP_DMDIR | STICKY | 0777, "");
    ram_add(&t.ram, 0, "null", NS_S_CHAR | 0666, NULL);
    struct ninep_stat st = stat_of(&t, "link");
    CHECK_INT(st.mode, NINEP_DMLINK | 0777);
    CHECK(ninep_text_equals(st.target, "lib/ndb"));
    CHECK_INT(stat_of(&t, "fifo").mode, NINEP_DMPIPE | 0600);
    CHECK_INT(stat_of(&t, "su").mode, SET_UID | 0755);
    CHECK_INT(stat_of(&t, "tmp").mode, NINEP_DMDIR | STICKY | 0777);
    st = stat_of(&t, "null");
    CHECK_INT(st.mode, NINEP_DMDEVICE | 0666);
    CHECK(ninep_text_equals(st.target, "c 1 259"));
    CHECK_INT(talk_end(&t), 0);
}

TEST(ninep_server_makes_no_file_that_is_there)
{
    const char *version[] = {"9P2000", "9P2000.u"};
    for (size_t i = 0; i < 2; i++) {
        struct talk t;
        talk_begin(&t, true, version[i]);
        talk(&t, talk_walk(0, 1, "lib/ndb"));
        CHECK_INT(SAY(.type = NINEP_TCREATE, .fid = 1, .name = ninep_text("local"),
                      .create.mode = 0600, .how = NS_WRITE | NS_TRUNCATE,
                      .create.target = ninep_text("")),
                  NINEP_RERROR);
        CHECK_INT(talk_end(&t), 0);
    }
}

TEST(ninep_server_makes_and_removes_as_linux)
{
    struct talk t;
    talk_begin(&t, true, "9P2000.L");
    struct ninep_text a = ninep_text("a"), b = ninep_text("b"), none = ninep_text("");
    CHECK_INT(SAY(.type = NINEP_TMKDIR, .fid = 0, .name = a, .create.mode = 0755), NINEP_RMKDIR);
    CHECK_INT(t.reply.qid.type, NINEP_DIR);
    CHECK_INT(SAY(.type = NINEP_TMKDIR, .fid = 0, .name = a, .create.mode = 0755), NINEP_RLERROR);
    CHECK_INT(t.reply.failure.code, EEXIST);
    CHECK_INT(
        SAY(.type = NINEP_TSYMLINK, .fid = 0, .name = b, .create.target = ninep_text("lib/ndb")),
        NINEP_RSYMLINK);
    CHECK_INT(t.reply.qid.type, NINEP_LINK);
    talk(&t, talk_walk(0, 1, "b"));
    CHECK_INT(SAY(.type = NINEP_TREADLINK, .fid = 1), NINEP_RREADLINK);
    CHECK(ninep_text_equals(t.reply.create.target, "lib/ndb"));
    talk(&t, talk_walk(0, 2, "a"));
    CHECK_INT(SAY(.type = NINEP_TRENAMEAT, .fid = 0, .name = b, .newfid = 2, .newname = a),
              NINEP_RRENAMEAT);
    CHECK_INT(SAY(.type = NINEP_TUNLINKAT, .fid = 0, .name = a, .flags = 0x200), NINEP_RLERROR);
    CHECK_INT(SAY(.type = NINEP_TUNLINKAT, .fid = 2, .name = a), NINEP_RUNLINKAT);
    CHECK_INT(SAY(.type = NINEP_TREADLINK, .fid = 1), NINEP_RREADLINK);
    CHECK_INT(SAY(.type = NINEP_TUNLINKAT, .fid = 0, .name = a, .flags = 0x200), NINEP_RUNLINKAT);
    talk(&t, talk_walk(0, 3, ""));
    CHECK_INT(SAY(.type = NINEP_TLCREATE, .fid = 3, .name = a, .flags = 02, .create.mode = 0644),
              NINEP_RLCREATE);
    CHECK_INT(SAY(.type = NINEP_TFSYNC, .fid = 3), NINEP_RFSYNC);
    CHECK_INT(SAY(.type = NINEP_TLOCK, .fid = 3, .lock = {.kind = 1, .client = none}), NINEP_RLOCK);
    CHECK_INT(t.reply.how, 0);
    CHECK_INT(SAY(.type = NINEP_TLOCK, .fid = 3, .lock = {.kind = 1, .start = 99, .client = none}),
              NINEP_RLOCK);
    CHECK_INT(t.reply.how, 1);
    CHECK_INT(SAY(.type = NINEP_TGETLOCK, .fid = 3, .lock = {.kind = 1, .client = none}),
              NINEP_RGETLOCK);
    CHECK_INT(t.reply.lock.kind, 2);
    CHECK_INT(talk_end(&t), 0);
}
