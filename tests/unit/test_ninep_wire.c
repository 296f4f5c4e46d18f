#include "unit.h"

#include "core/base/bytes.h"
#include "core/ninep/wire.h"

#include <errno.h>
#include <stdlib.h>

TEST(ninep_wire_a_message_is_the_manuals_bytes)
{
    static const char walk[] =
        "\x1e\0\0\0\x6e\x03\0\x07\0\0\0\x08\0\0\0\x02\0\x03\0lib\x06\0oclock";
    struct ninep_msg m = {.type = NINEP_TWALK, .tag = 3, .fid = 7, .newfid = 8, .walk.count = 2};
    m.walk.name[0] = ninep_text("lib");
    m.walk.name[1] = ninep_text("oclock");
    struct buf out = BUF_INIT;
    CHECK_INT(ninep_write(&m, NINEP_PLAIN, &out), 0);
    CHECK_INT(out.len, sizeof walk - 1);
    CHECK(memcmp(out.data, walk, sizeof walk - 1) == 0);
    struct ninep_msg back;
    CHECK_INT(ninep_read(walk, sizeof walk - 1, NINEP_PLAIN, &back), 0);
    CHECK_INT(back.newfid, 8);
    CHECK_INT(back.walk.count, 2);
    CHECK(ninep_text_equals(back.walk.name[1], "oclock"));
    buf_release(&out);
}

/* A message of random fields, as its own writer has it. */
static void any_message(struct ninep_msg *m, uint8_t type)
{
    static const char text[] = "abcdefghijklmnop";
    uint8_t *b = (uint8_t *)m;
    for (size_t i = 0; i < sizeof *m; i++)
        b[i] = (uint8_t)(i * 37 + type);
    struct ninep_text *t[] = {
        &m->session.version, &m->session.uname, &m->session.aname, &m->name,
        &m->newname,         &m->create.target, &m->failure.text,  &m->lock.client};
    for (size_t i = 0; i < sizeof t / sizeof *t; i++)
        *t[i] = (struct ninep_text){text + i, (uint16_t)(i + 1)};
    for (size_t i = 0; i < NINEP_WALK_MAX; i++)
        m->walk.name[i] = (struct ninep_text){text, (uint16_t)i};
    m->type = type;
    m->walk.count = NINEP_WALK_MAX;
    m->data = text;
    m->count = sizeof text;
}

static void there_and_back(uint8_t type, enum ninep_dialect dialect)
{
    struct ninep_msg m, back;
    struct buf out = BUF_INIT, again = BUF_INIT;
    any_message(&m, type);
    CHECK_INT(ninep_write(&m, dialect, &out), 0);
    CHECK_INT(get_le32(out.data), out.len);
    CHECK_INT(ninep_read(out.data, out.len, dialect, &back), 0);
    CHECK_INT(ninep_write(&back, dialect, &again), 0);
    CHECK(out.len == again.len && memcmp(out.data, again.data, out.len) == 0);
    buf_release(&out);
    buf_release(&again);
}

/* Cut anywhere, with its size told rightly, or with one byte more, it is none. */
static void cut_short(uint8_t type, enum ninep_dialect dialect)
{
    struct ninep_msg m, back;
    struct buf out = BUF_INIT;
    any_message(&m, type);
    ninep_write(&m, dialect, &out);
    size_t whole = out.len;
    buf_addc(&out, 'x');
    for (size_t len = 0; len <= whole + 1; len++) {
        char *cut = malloc(len + 4);
        memcpy(cut, out.data, len);
        if (len >= 4)
            put_le32(cut, (uint32_t)len);
        bool optional = type == NINEP_TFSYNC && len == whole - 4;
        CHECK_INT(ninep_read(cut, len, dialect, &back), len == whole || optional ? 0 : -EPROTO);
        free(cut);
    }
    buf_release(&out);
}

TEST(ninep_wire_every_message_comes_back_and_none_that_is_cut)
{
    int types = 0;
    for (int type = 0; type < 256; type++) {
        for (int d = NINEP_PLAIN; ninep_type_name((uint8_t)type) && d <= NINEP_L; d++) {
            there_and_back((uint8_t)type, (enum ninep_dialect)d);
            cut_short((uint8_t)type, (enum ninep_dialect)d);
        }
        types += ninep_type_name((uint8_t)type) != NULL;
    }
    CHECK_INT(types, 27 + 1 + 2 * 19); /* 9P2000 has 27, .L adds an error and 19 pairs */
}

TEST(ninep_wire_users_have_numbers_in_the_extended_dialects_alone)
{
    struct ninep_msg m = {.type = NINEP_TATTACH, .session.uid = 1000};
    struct buf out = BUF_INIT;
    ninep_write(&m, NINEP_PLAIN, &out);
    CHECK_INT(out.len, 7 + 4 + 4 + 2 + 2);
    buf_clear(&out);
    ninep_write(&m, NINEP_L, &out);
    CHECK_INT(out.len, 7 + 4 + 4 + 2 + 2 + 4);
    buf_release(&out);
}

TEST(ninep_wire_a_walk_of_seventeen_is_none)
{
    struct ninep_msg m = {.type = NINEP_TWALK, .walk.count = 17};
    struct buf out = BUF_INIT;
    CHECK_INT(ninep_write(&m, NINEP_PLAIN, &out), -EINVAL);
    uint8_t bytes[17 + 17 * 2] = {sizeof bytes, 0, 0, 0, NINEP_TWALK};
    bytes[15] = 17;
    CHECK_INT(ninep_read(bytes, sizeof bytes, NINEP_PLAIN, &m), -EPROTO);
    bytes[0] = sizeof bytes - 2;
    bytes[15] = 16;
    CHECK_INT(ninep_read(bytes, sizeof bytes - 2, NINEP_PLAIN, &m), 0);
    buf_release(&out);
}

TEST(ninep_wire_frames)
{
    static const uint8_t b[] = {7, 0, 0, 0, 6, 0, 0, 0, 1, 2, 0, 0};
    CHECK_INT(ninep_message_size(b, 3, 100), 0);
    CHECK_INT(ninep_message_size(b, 4, 100), 7);
    CHECK_INT(ninep_message_size(b + 4, 4, 100), -EPROTO);
    CHECK_INT(ninep_message_size(b + 8, 4, 512), -EPROTO);
    CHECK_INT(ninep_message_size(b + 8, 4, 513), 513);
}

TEST(ninep_wire_stat_records)
{
    struct ninep_stat s = {.mode = NINEP_DMDIR | 0555,
                           .name = ninep_text("kpdata"),
                           .owner = ninep_text("u"),
                           .group = ninep_text("g"),
                           .modifier = ninep_text("m"),
                           .target = ninep_text("")};
    struct ninep_stat back;
    struct buf out = BUF_INIT;
    CHECK_INT(ninep_stat_write(&s, NINEP_PLAIN, &out), 0);
    CHECK_INT(out.len, 2 + 2 + 4 + 13 + 4 + 4 + 4 + 8 + 8 + 3 + 3 + 3);
    CHECK_INT(ninep_stat_read(out.data, out.len, NINEP_PLAIN, &back), out.len);
    CHECK(ninep_text_equals(back.name, "kpdata"));
    CHECK_INT(ninep_stat_read(out.data, out.len - 1, NINEP_PLAIN, &back), -EPROTO);
    CHECK_INT(ninep_stat_read(out.data, out.len, NINEP_U, &back), -EPROTO);
    buf_clear(&out);
    CHECK_INT(ninep_stat_write(&s, NINEP_U, &out), 0);
    CHECK_INT(ninep_stat_read(out.data, out.len, NINEP_U, &back), out.len);
    char *wide = calloc(1, UINT16_MAX);
    memset(wide, 'x', UINT16_MAX - 1);
    s.name = ninep_text(wide);
    size_t before = out.len;
    CHECK_INT(ninep_stat_write(&s, NINEP_U, &out), -EMSGSIZE);
    CHECK_INT(out.len, before);
    free(wide);
    buf_release(&out);
}

static int dialect_of(const char *version)
{
    enum ninep_dialect d;
    return ninep_dialect(ninep_text(version), &d) ? (int)d : -1;
}

TEST(ninep_wire_versions)
{
    CHECK_INT(dialect_of("9P2000"), NINEP_PLAIN);
    CHECK_INT(dialect_of("9P2000.u"), NINEP_U);
    CHECK_INT(dialect_of("9P2000.L"), NINEP_L);
    CHECK_INT(dialect_of("9P2000.e"), NINEP_PLAIN);
    CHECK_INT(dialect_of("9P2001"), -1);
    CHECK_INT(dialect_of("9P2000x"), -1);
    CHECK_INT(dialect_of(""), -1);
}
