/* Whose requests a server of 9P answers: what a client says of itself against what is known. */
#include "unit.h"

#include "core/base/bytes.h"
#include "ninep_talk.h"

#include <errno.h>

#define SAY(...) talk(&t, (struct ninep_msg){__VA_ARGS__})

/* With whose rights calls were made, and what comes of it. */
struct rights {
    uint32_t uid;
    unsigned times;
    int result;
};

static int take(void *arg, uint32_t uid)
{
    struct rights *r = arg;
    r->uid = uid;
    r->times++;
    return r->result;
}

static void begin(struct talk *t, bool host, enum ninep_trust trust, struct rights *rights)
{
    talk_begin(t, host, "9P2000.L");
    const struct ninep_peer peer = {trust, 1000, take, rights};
    ninep_server_peer(t->server, &peer);
    talk_version(t, "9P2000.L", 8192);
}

static int attach(struct talk *t, uint32_t uid)
{
    return talk(t, (struct ninep_msg){.type = NINEP_TATTACH,
                                      .fid = NINEP_NOFID,
                                      .session.uname = ninep_text("root"),
                                      .session.aname = ninep_text(""),
                                      .session.uid = uid});
}

/* Attached as each of these: with whose rights then; none: it is refused. */
TEST(ninep_a_client_is_who_is_known_not_who_it_says)
{
    enum { NONE = -1, OWN = -2 };
    static const struct {
        enum ninep_trust trust;
        uint32_t says;
        int64_t is;
    } cases[] = {
        {NINEP_TRUSTED, 0, OWN},
        {NINEP_TRUSTED, 7, OWN},
        {NINEP_TRUSTED, UINT32_MAX, OWN},
        {NINEP_USER, 1000, 1000},
        {NINEP_USER, UINT32_MAX, 1000},
        {NINEP_USER, 0, NONE},
        {NINEP_USER, 1001, NONE},
        {NINEP_FOREIGN, 0, NINEP_NOBODY},
        {NINEP_FOREIGN, 7, 7},
        {NINEP_FOREIGN, UINT32_MAX, NINEP_NOBODY},
        {NINEP_REFUSED, 0, NONE},
        {NINEP_REFUSED, 1000, NONE},
        {NINEP_REFUSED, UINT32_MAX, NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rights rights = {.uid = 0};
        struct talk t;
        begin(&t, true, cases[i].trust, &rights);
        CHECK_INT(attach(&t, cases[i].says), cases[i].is == NONE ? NINEP_RLERROR : NINEP_RATTACH);
        CHECK_INT(rights.times > 0, cases[i].is >= 0);
        if (cases[i].is >= 0)
            CHECK_INT(rights.uid, cases[i].is);
        if (cases[i].is != NONE)
            CHECK_INT(t.ram.asker, cases[i].is == OWN ? cases[i].says : UINT32_MAX);
        CHECK_INT(talk_end(&t), 0);
    }
}

/* Every message that has a fid is asked for anew: no request slips through with our own rights. */
TEST(ninep_each_request_takes_its_users_rights)
{
    struct rights rights = {.uid = 0};
    struct talk t;
    begin(&t, true, NINEP_FOREIGN, &rights);
    CHECK_INT(attach(&t, 7), NINEP_RATTACH);
    unsigned before = rights.times;
    CHECK_INT(talk(&t, talk_walk(0, 1, "lib/ndb/local")), NINEP_RWALK);
    for (int type = 0; type < NINEP_TYPES; type += 2) {
        if (!ninep_type_name((uint8_t)type) || type == NINEP_TVERSION || type == NINEP_TATTACH ||
            type == NINEP_TAUTH || type == NINEP_TFLUSH || type == NINEP_RLERROR - 1)
            continue;
        rights = (struct rights){.uid = 0, .result = -EPERM};
        size_t at = 0;
        buf_clear(&t.out);
        talk_send(&t, (struct ninep_msg){.type = (uint8_t)type,
                                         .fid = 1,
                                         .newfid = 1,
                                         .name = ninep_text("n"),
                                         .newname = ninep_text("n"),
                                         .create.target = ninep_text(""),
                                         .data = "",
                                         .count = 0});
        CHECK_INT(talk_next(&t, &at), NINEP_RLERROR);
        if (!rights.times || rights.uid != 7)
            CHECK_STR(ninep_type_name((uint8_t)type), "asked for with the user's rights");
    }
    CHECK(before > 0);
    rights.result = 0;
    talk_end(&t);
}

/* Bits that give away rights of ours, by whichever message and dialect they come. */
TEST(ninep_a_foreign_machine_sets_no_set_id_bit)
{
    for (uint32_t bits = 0; bits <= 06000; bits += 02000) {
        struct rights rights = {.uid = 0};
        struct talk t;
        begin(&t, true, NINEP_FOREIGN, &rights);
        attach(&t, 0);
        talk(&t, talk_walk(0, 1, ""));
        CHECK_INT(SAY(.type = NINEP_TLCREATE, .fid = 1, .name = ninep_text("a"), .flags = 1,
                      .create.mode = 0755 | bits),
                  NINEP_RLCREATE);
        CHECK_INT(SAY(.type = NINEP_TMKDIR, .fid = 0, .name = ninep_text("b"),
                      .create.mode = 0755 | bits),
                  NINEP_RMKDIR);
        CHECK_INT(SAY(.type = NINEP_TMKNOD, .fid = 0, .name = ninep_text("c"),
                      .create.mode = NS_S_FIFO | 0755 | bits),
                  NINEP_RMKNOD);
        for (const char *name = "abc"; *name; name++) {
            char one[] = {*name, '\0'};
            const struct ram_file *file = ram_at(&t.ram, (uint64_t)ram_find(&t.ram, 0, one));
            CHECK_INT(file->mode & 07777, 0755);
            talk(&t, talk_walk(0, 2, one));
            CHECK_INT(
                SAY(.type = NINEP_TSETATTR, .fid = 2, .set = NS_SET_MODE, .attr.mode = 0711 | bits),
                NINEP_RSETATTR);
            CHECK_INT(file->mode & 07777, 0711);
            SAY(.type = NINEP_TCLUNK, .fid = 2);
        }
        talk_version(&t, "9P2000.u", 8192);
        attach(&t, 0);
        talk(&t, talk_walk(0, 1, ""));
        CHECK_INT(SAY(.type = NINEP_TCREATE, .fid = 1, .name = ninep_text("d"),
                      .create.mode = 0755 | (bits & 04000 ? 0x00080000u : 0) |
                                     (bits & 02000 ? 0x00040000u : 0),
                      .create.target = ninep_text("")),
                  NINEP_RCREATE);
        CHECK_INT(ram_at(&t.ram, (uint64_t)ram_find(&t.ram, 0, "d"))->mode & 07777, 0755);
        CHECK_INT(talk_end(&t), 0);
    }
}

TEST(ninep_who_is_not_trusted_makes_no_device)
{
    static const uint32_t kinds[] = {NS_S_BLOCK, NS_S_CHAR};
    for (int trust = NINEP_TRUSTED; trust <= NINEP_FOREIGN; trust++)
        for (int i = 0; i < 2; i++) {
            struct rights rights = {.uid = 0};
            struct talk t;
            begin(&t, true, (enum ninep_trust)trust, &rights);
            CHECK_INT(attach(&t, 1000), NINEP_RATTACH);
            CHECK_INT(SAY(.type = NINEP_TMKNOD, .fid = 0, .name = ninep_text("dev"),
                          .create.mode = kinds[i] | 0666, .create.major = 1, .create.minor = 3),
                      trust == NINEP_TRUSTED ? NINEP_RMKNOD : NINEP_RLERROR);
            CHECK_INT(talk_end(&t), 0);
        }
}

/* How a device's file is opened by another user: by its last three bits alone. */
TEST(ninep_devices_are_opened_as_their_mode_says)
{
    enum { HOWS = 3 };
    for (int taken = 0; taken < 2; taken++)
        for (uint32_t mode = 0; mode <= 0777; mode++)
            for (unsigned how = 0; how < HOWS; how++) {
                struct rights rights = {.uid = 0, .result = !taken};
                struct talk t;
                begin(&t, false, NINEP_USER, &rights);
                attach(&t, 1000);
                ram_at(&t.ram, (uint64_t)ram_find(&t.ram, 0, "ctl"))->mode = NS_S_FILE | mode;
                talk(&t, talk_walk(0, 1, "ctl"));
                bool reads = how != NS_WRITE, writes = how != NS_READ;
                bool may = (!reads || mode & 04) && (!writes || mode & 02);
                CHECK_INT(SAY(.type = NINEP_TLOPEN, .fid = 1, .flags = how),
                          may ? NINEP_RLOPEN : NINEP_RLERROR);
                CHECK_INT(talk_end(&t), 0);
            }
}

/* A host's files have no rights of their own here: without the user's there are none. */
TEST(ninep_without_rights_to_take_nothing_of_a_host_is_served)
{
    struct rights rights = {.result = 1};
    struct talk t;
    begin(&t, true, NINEP_USER, &rights);
    CHECK_INT(attach(&t, 1000), NINEP_RLERROR);
    CHECK_INT(t.reply.failure.code, EACCES);
    talk_end(&t);
    begin(&t, false, NINEP_USER, &rights);
    CHECK_INT(attach(&t, 1000), NINEP_RATTACH);
    CHECK_INT(talk_end(&t), 0);
}

/* A connection that ends removes what was opened to be removed: with the user's rights as well. */
TEST(ninep_what_is_removed_at_the_end_needs_the_users_rights)
{
    for (int may = 0; may < 2; may++) {
        struct rights rights = {.uid = 0};
        struct talk t;
        begin(&t, true, NINEP_FOREIGN, &rights);
        talk_version(&t, "9P2000.u", 8192);
        attach(&t, 7);
        talk(&t, talk_walk(0, 1, "ctl"));
        CHECK_INT(SAY(.type = NINEP_TOPEN, .fid = 1, .how = NINEP_REMOVE_ON_CLOSE), NINEP_ROPEN);
        rights = (struct rights){.result = may ? 0 : -EPERM};
        talk_version(&t, "9P2000.u", 8192);
        CHECK_INT(rights.uid, 7);
        CHECK_INT(ram_find(&t.ram, 0, "ctl") < 0, may);
        CHECK_INT(talk_end(&t), 0);
    }
}
