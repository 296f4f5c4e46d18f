/* What a 9P server says of its files: directories and attributes. */
#include "unit.h"

#include "ninep_talk.h"

#define SAY(...) talk(&t, (struct ninep_msg){__VA_ARGS__})

/* --- directories --- */

static void many_files(struct talk *t)
{
    char name[16];
    for (int i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "f%d", i);
        ram_put(&t->ram, 0, name, "");
    }
}

/* Reads with each count until the end: the same records, whatever the count is. */
static size_t read_records(struct talk *tp, uint32_t count)
{
    struct talk t = *tp;
    uint64_t offset = 0;
    size_t files = 0;
    for (;;) {
        CHECK_INT(SAY(.type = NINEP_TREAD, .fid = 0, .offset = offset, .count = count),
                  NINEP_RREAD);
        if (t.reply.type != NINEP_RREAD || !t.reply.count)
            break;
        CHECK(t.reply.count <= count);
        for (uint32_t at = 0; at < t.reply.count; files++) {
            struct ninep_stat st;
            long n = ninep_stat_read((const char *)t.reply.data + at, t.reply.count - at, t.dialect,
                                     &st);
            CHECK(n > 0);
            at += n > 0 ? (uint32_t)n : t.reply.count;
        }
        offset += t.reply.count;
    }
    *tp = t;
    return files;
}

static void directory_of(bool host)
{
    struct talk t;
    talk_begin(&t, host, "9P2000");
    many_files(&t);
    CHECK_INT(SAY(.type = NINEP_TOPEN, .fid = 0, .how = NS_WRITE), NINEP_RERROR);
    CHECK_INT(SAY(.type = NINEP_TOPEN, .fid = 0), NINEP_ROPEN);
    CHECK_INT(read_records(&t, 8000), 23);
    CHECK_INT(read_records(&t, 100), 23);
    CHECK_INT(read_records(&t, 200), 23);
    CHECK_INT(SAY(.type = NINEP_TREAD, .fid = 0, .count = 20), NINEP_RERROR);
    CHECK(talk_failed(&t, "i/o count too small"));
    CHECK_INT(SAY(.type = NINEP_TREAD, .fid = 0, .offset = 17, .count = 2000), NINEP_RERROR);
    CHECK_INT(talk_end(&t), 0);
}

TEST(ninep_server_directories_end_on_records)
{
    directory_of(false);
    directory_of(true);
}

static size_t read_entries(struct talk *tp, uint32_t count)
{
    struct talk t = *tp;
    struct ninep_entry e = {.offset = 0};
    size_t files = 0;
    for (;;) {
        CHECK_INT(SAY(.type = NINEP_TREADDIR, .fid = 0, .offset = e.offset, .count = count),
                  NINEP_RREADDIR);
        if (t.reply.type != NINEP_RREADDIR || !t.reply.count)
            break;
        for (uint32_t at = 0; at < t.reply.count; files++) {
            long n = ninep_entry_read((const char *)t.reply.data + at, t.reply.count - at, &e);
            CHECK(n > 0);
            at += n > 0 ? (uint32_t)n : t.reply.count;
        }
    }
    *tp = t;
    return files;
}

TEST(ninep_server_directories_as_linux_reads_them)
{
    for (int host = 0; host < 2; host++) {
        struct talk t;
        talk_begin(&t, host, "9P2000.L");
        many_files(&t);
        CHECK_INT(SAY(.type = NINEP_TLOPEN, .fid = 0, .flags = 0200000), NINEP_RLOPEN);
        CHECK_INT(read_entries(&t, 8000), host ? 23 : 25);
        CHECK_INT(read_entries(&t, 60), host ? 23 : 25);
        CHECK_INT(SAY(.type = NINEP_TREADDIR, .fid = 0, .count = 5), NINEP_RLERROR);
        CHECK_INT(talk_end(&t), 0);
    }
}

TEST(ninep_server_stat)
{
    struct talk t;
    struct ninep_stat st;
    talk_begin(&t, false, "9P2000");
    talk(&t, talk_walk(0, 1, "lib/ndb/local"));
    CHECK_INT(SAY(.type = NINEP_TSTAT, .fid = 1), NINEP_RSTAT);
    CHECK_INT(ninep_stat_read(t.reply.data, t.reply.count, NINEP_PLAIN, &st), t.reply.count);
    CHECK(ninep_text_equals(st.name, "local") && ninep_text_equals(st.owner, "glenda"));
    CHECK_INT(st.length, 9);
    CHECK_INT(st.mode, 0644);
    SAY(.type = NINEP_TSTAT, .fid = 0);
    ninep_stat_read(t.reply.data, t.reply.count, NINEP_PLAIN, &st);
    CHECK(ninep_text_equals(st.name, "/"));
    CHECK_INT(st.mode, NINEP_DMDIR | 0755);
    CHECK_INT(talk_end(&t), 0);
}

TEST(ninep_server_tells_no_time_before_1970)
{
    struct talk t;
    struct ninep_stat st;
    talk_begin(&t, true, "9P2000");
    CHECK_INT(SAY(.type = NINEP_TSTAT, .fid = 0), NINEP_RSTAT);
    ninep_stat_read(t.reply.data, t.reply.count, NINEP_PLAIN, &st);
    CHECK_INT(st.modified, 0); /* all ones would be none at all */
    CHECK_INT(talk_end(&t), 0);
}

static int wstat(struct talk *t, uint32_t fid, struct ninep_stat st)
{
    struct buf record = BUF_INIT;
    ninep_stat_write(&st, t->dialect, &record);
    int type = talk(t, (struct ninep_msg){.type = NINEP_TWSTAT,
                                          .fid = fid,
                                          .data = record.data,
                                          .count = (uint32_t)record.len});
    buf_release(&record);
    return type;
}

static struct ninep_stat untouched(void)
{
    struct ninep_text none = {"", 0};
    return (struct ninep_stat){.mode = UINT32_MAX,
                               .accessed = UINT32_MAX,
                               .modified = UINT32_MAX,
                               .length = UINT64_MAX,
                               .name = none,
                               .owner = none,
                               .group = none,
                               .modifier = none,
                               .target = none,
                               .gid = UINT32_MAX};
}

TEST(ninep_server_wstat)
{
    struct talk t;
    struct ninep_stat st = untouched();
    talk_begin(&t, true, "9P2000");
    talk(&t, talk_walk(0, 1, "ctl"));
    CHECK_INT(wstat(&t, 1, st), NINEP_RWSTAT);
    st.mode = 0600;
    st.name = ninep_text("control");
    CHECK_INT(wstat(&t, 1, st), NINEP_RWSTAT);
    int i = ram_find(&t.ram, 0, "control");
    CHECK(i > 0);
    CHECK_INT(t.ram.file[i].mode & 0777, 0600);
    st.name = ninep_text("a/b");
    CHECK_INT(wstat(&t, 1, st), NINEP_RERROR);
    CHECK_INT(SAY(.type = NINEP_TWSTAT, .fid = 1, .data = "abc", .count = 3), NINEP_RERROR);
    CHECK(talk_failed(&t, "bad stat buffer"));
    CHECK_INT(talk_end(&t), 0);
}

TEST(ninep_server_devices_take_a_truncation_alone)
{
    struct talk t;
    talk_begin(&t, false, "9P2000.L");
    talk(&t, talk_walk(0, 1, "lib/ndb/local"));
    CHECK_INT(SAY(.type = NINEP_TSETATTR, .fid = 1, .set = NS_SET_SIZE), NINEP_RSETATTR);
    CHECK_INT(SAY(.type = NINEP_TGETATTR, .fid = 1), NINEP_RGETATTR);
    CHECK_INT(t.reply.attr.size, 0); /* it happened */
    CHECK_INT(SAY(.type = NINEP_TSETATTR, .fid = 1, .set = NS_SET_SIZE, .attr.size = 1),
              NINEP_RLERROR);
    CHECK_INT(t.reply.failure.code, EPERM);
    CHECK_INT(SAY(.type = NINEP_TSETATTR, .fid = 1, .set = NS_SET_MODE), NINEP_RLERROR);
    CHECK_INT(SAY(.type = NINEP_TSETATTR, .fid = 1, .set = NS_SET_MODIFIED), NINEP_RSETATTR);
    CHECK_INT(SAY(.type = NINEP_TXATTRWALK, .fid = 1, .newfid = 5, .name = ninep_text("a")),
              NINEP_RLERROR);
    CHECK_INT(t.reply.failure.code, EOPNOTSUPP);
    CHECK_INT(SAY(.type = NINEP_TMKDIR, .fid = 0, .name = ninep_text("d")), NINEP_RLERROR);
    CHECK_INT(SAY(.type = NINEP_TSTATFS, .fid = 0), NINEP_RSTATFS);
    CHECK_INT(SAY(.type = NINEP_TGETATTR, .fid = 1), NINEP_RGETATTR);
    CHECK_INT(t.reply.attr.mode, NS_S_FILE | 0644);
    CHECK_INT(SAY(.type = NINEP_TGETATTR, .fid = 0), NINEP_RGETATTR);
    CHECK_INT(t.reply.attr.links, 1); /* more would tell how many directories are in it */
    CHECK_INT(talk_end(&t), 0);
}
