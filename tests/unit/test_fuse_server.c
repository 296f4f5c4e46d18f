/* The kernel's conversation: lookups counted, files and directories read and written. */
#include "unit.h"

#include "fuse_talk.h"

TEST(fuse_init_negotiates_a_protocol_version)
{
    struct talk t;
    uint32_t body[4] = {7, 38, 1 << 17, 0xffffffff}, other[4] = {8, 0, 0, 0};
    begin(&t);
    ask(&t, FUSE_OP_INIT, 0, body, sizeof body);
    CHECK_INT(t.error, 0);
    CHECK_INT(t.len, 64);
    ask(&t, FUSE_OP_INIT, 0, other, sizeof other);
    CHECK_INT(t.error, -EPROTO);
    end(&t);
}

TEST(lookups_are_counted_and_forgotten)
{
    struct talk t;
    begin(&t);
    uint64_t d = look(&t, 1, "d"), f = look(&t, d, "f");
    CHECK(d > 1);
    CHECK(f > 1 && f != d);
    CHECK_INT(look(&t, d, "f"), f);
    CHECK_INT(known(&t), 3);
    forget(&t, f, 1);
    CHECK_INT(t.replies, 0);
    CHECK_INT(known(&t), 3);
    forget(&t, f, 1000);
    CHECK_INT(known(&t), 2);
    ask(&t, FUSE_OP_GETATTR, f, (uint64_t[2]){0, 0}, 16);
    CHECK_INT(t.error, -ESTALE);
    CHECK_INT(look(&t, d, "nothing"), 0);
    CHECK_INT(t.error, -ENOENT);
    CHECK_INT(look(&t, d, ".."), 0);
    CHECK_INT(t.error, -EINVAL);
    forget(&t, 1, 5);
    CHECK(look(&t, 1, "d") != 0);
    end(&t);
}

/* Another machine: each answer comes once, and late. */
static int late_stat(void *state, uint64_t path, struct ns_stat *out, struct fail *f)
{
    static bool asked;
    asked = !asked;
    return asked ? fail_set(f, EINPROGRESS, "stat") : ram_stat(state, path, out, f);
}

static int late_walk(void *state, uint64_t directory, const char *name, uint64_t *path,
                     struct fail *f)
{
    static bool asked;
    asked = !asked;
    return asked ? fail_set(f, EINPROGRESS, "walk") : ram_walk(state, directory, name, path, f);
}

TEST(a_lookup_of_two_late_answers)
{
    static const struct ns_calls calls = {
        .walk = late_walk, .stat = late_stat, .forget = ram_forget};
    struct talk t;
    begin(&t);
    fuse_server_free(t.s);
    t.s = fuse_server_new(&(struct ns_served){.files = {&calls, &t.ram}});
    look(&t, 1, "d");
    CHECK_INT(t.replies, 0);
    fuse_server_retry(t.s, &t.out, NULL);
    CHECK_INT(fuse_server_waiting(t.s), 1);
    CHECK_INT(known(&t), 2);
    fuse_server_retry(t.s, &t.out, NULL);
    look_at_replies(&t);
    CHECK_INT(t.replies, 1);
    uint64_t d = body_u64(&t, 0);
    CHECK(d > 1);
    forget(&t, d, 1);
    CHECK_INT(known(&t), 1);
    look(&t, 1, "d");
    fuse_server_retry(t.s, &t.out, NULL);
    CHECK_INT(known(&t), 2);
    fuse_server_refuse(t.s, -EHOSTDOWN, &t.out); /* what was found is given back */
    look_at_replies(&t);
    CHECK_INT(t.error, -EHOSTDOWN);
    CHECK_INT(known(&t), 1);
    CHECK_INT(fuse_server_waiting(t.s), 0);
    end(&t);
}

TEST(fuse_getattr_and_setattr)
{
    struct talk t;
    begin(&t);
    uint64_t f = look(&t, look(&t, 1, "d"), "f");
    ask(&t, FUSE_OP_GETATTR, f, (uint64_t[2]){0, 0}, 16);
    uint32_t v[3];
    CHECK_INT(body_u64(&t, 16 + 8), 8); /* size */
    memcpy(v, t.body + 16 + 60, sizeof v);
    CHECK_INT(v[0], 0100644);
    memcpy(v, t.body + 16 + 68, sizeof v);
    CHECK_INT(v[0], 7);
    CHECK_INT(v[1], 8);
    end(&t);
}

TEST(reads_and_writes_anywhere)
{
    struct talk t;
    begin(&t);
    uint64_t f = look(&t, look(&t, 1, "d"), "f"), fh = open_node(&t, FUSE_OP_OPEN, f, 2);
    CHECK(fh != 0);
    read_at(&t, FUSE_OP_READ, fh, 3, 3, 0);
    CHECK_INT(t.len, 3);
    CHECK(memcmp(t.body, "ten", 3) == 0);
    read_at(&t, FUSE_OP_READ, fh, 3, UINT32_MAX, 0);
    CHECK_INT(t.len, 5);
    read_at(&t, FUSE_OP_READ, fh, UINT64_MAX, 10, 0);
    CHECK_INT(t.len, 0);
    struct io io = {.fh = fh, .offset = 8, .size = 6, .data = " there"};
    ask(&t, FUSE_OP_WRITE, f, &io, 46);
    CHECK_INT(t.error, 0);
    read_at(&t, FUSE_OP_READ, fh, 0, 100, 0);
    CHECK_INT(t.len, 14);
    forget(&t, f, 1); /* what is open is read on */
    read_at(&t, FUSE_OP_READ, fh, 8, 100, 0);
    CHECK(t.len == 6 && memcmp(t.body, " there", 6) == 0);
    CHECK_INT(t.s->open_now, 1);
    close_it(&t, FUSE_OP_RELEASE, fh);
    CHECK_INT(t.s->open_now, 0);
    CHECK_INT(known(&t), 2);
    read_at(&t, FUSE_OP_READ, fh, 0, 1, 0);
    CHECK_INT(t.error, -EBADF);
    end(&t);
}

TEST(emptied_by_open_and_by_truncate)
{
    struct talk t;
    uint32_t set[22] = {NS_SET_SIZE};
    begin(&t);
    uint64_t f = look(&t, look(&t, 1, "d"), "f"), fh = open_node(&t, FUSE_OP_OPEN, f, 1 | 01000);
    close_it(&t, FUSE_OP_RELEASE, fh);
    fh = open_node(&t, FUSE_OP_OPEN, f, 0);
    read_at(&t, FUSE_OP_READ, fh, 0, 10, 0);
    CHECK_INT(t.len, 0);
    ask(&t, FUSE_OP_SETATTR, f, set, sizeof set);
    CHECK_INT(t.error, 0);
    set[0] = NS_SET_MODE;
    ask(&t, FUSE_OP_SETATTR, f, set, sizeof set);
    CHECK_INT(t.error, -EPERM);
    set[0] = NS_SET_SIZE;
    set[4] = 5;
    ask(&t, FUSE_OP_SETATTR, f, set, sizeof set);
    CHECK_INT(t.error, -EPERM);
    CHECK_INT(open_node(&t, FUSE_OP_OPEN, f, 3), 0);
    CHECK_INT(t.error, -EINVAL);
    end(&t);
}

TEST(a_tree_that_is_not_to_be_written)
{
    struct talk t;
    uint32_t set[22] = {NS_SET_SIZE};
    begin(&t);
    fuse_server_free(t.s);
    struct ns_served tree = ram_tree(&t.ram, true).files;
    tree.writable = false;
    t.s = fuse_server_new(&tree);
    uint64_t f = look(&t, look(&t, 1, "d"), "f");
    CHECK_INT(open_node(&t, FUSE_OP_OPEN, f, 1), 0);
    CHECK_INT(t.error, -EROFS);
    ask(&t, FUSE_OP_SETATTR, f, set, sizeof set);
    CHECK_INT(t.error, -EROFS);
    uint64_t fh = open_node(&t, FUSE_OP_OPEN, f, 0);
    read_at(&t, FUSE_OP_READ, fh, 0, 10, 0);
    CHECK_INT(t.len, 8);
    end(&t);
}

TEST(a_directory_in_pieces)
{
    struct talk t;
    char names[64] = "";
    uint64_t next = 0;
    begin(&t);
    uint64_t fh = open_node(&t, FUSE_OP_OPENDIR, 1, 0);
    for (;;) {
        read_at(&t, FUSE_OP_READDIR, fh, next, 40, 0); /* room for one */
        if (t.error || !t.len)
            break;
        uint32_t len;
        memcpy(&len, t.body + 16, sizeof len);
        snprintf(names + strlen(names), sizeof names - strlen(names), "%.*s ", (int)len,
                 (const char *)t.body + 24);
        CHECK_INT(body_u64(&t, 8), next + 1);
        next = body_u64(&t, 8);
    }
    CHECK_STR(names, ". .. d wait ");
    read_at(&t, FUSE_OP_READDIR, fh, 0, 8, 0);
    CHECK_INT(t.error, -EINVAL);
    read_at(&t, FUSE_OP_READDIR, fh, UINT64_MAX, 4096, 0);
    CHECK_INT(t.len, 0);
    read_at(&t, FUSE_OP_READ, fh, 0, 10, 0);
    CHECK_INT(t.error, -EBADF);
    close_it(&t, FUSE_OP_RELEASEDIR, fh);
    end(&t);
}

/* Of a server that reads directories as files, and says attributes with the names. */
static void begin_remote(struct talk *t, struct ns_calls *calls)
{
    memset(t, 0, sizeof *t);
    ram_init(&t->ram);
    t->ram.by_kernel = true;
    uint64_t d = (uint64_t)ram_dir(&t->ram, 0, "d");
    ram_put(&t->ram, d, "f", "contents");
    ram_put(&t->ram, 0, "wait", "late");
    ram_put(&t->ram, 0, "seven", "1234567");
    struct ninep_tree tree = ram_tree(&t->ram, true);
    *calls = *tree.files.files.calls;
    calls->look = ram_look;
    calls->read_entry = ram_read_entry;
    calls->hold = ram_hold;
    tree.files.files.calls = calls;
    tree.files.opens_directories = true;
    tree.files.valid_s = 3;
    t->s = fuse_server_new(&tree.files);
}

TEST(names_with_their_attributes)
{
    struct talk t;
    struct ns_calls calls;
    uint64_t node[8] = {0}, size[8] = {0};
    begin_remote(&t, &calls);
    uint64_t fh = open_node(&t, FUSE_OP_OPENDIR, 1, 0);
    read_at(&t, FUSE_OP_READDIRPLUS, fh, 0, 4096, 0);
    size_t n = 0, at = 0;
    for (; at < t.len && n < 8; n++) {
        uint32_t len;
        node[n] = body_u64(&t, at);
        CHECK_INT(body_u64(&t, at + 16), node[n] ? 3 : 0); /* for how many seconds */
        CHECK_INT(body_u64(&t, at + 24), node[n] ? 3 : 0);
        size[n] = body_u64(&t, at + 48);
        memcpy(&len, t.body + at + FUSE_ENTRY_BYTES + 16, sizeof len);
        at += FUSE_ENTRY_BYTES + ((24 + len + 7) & ~7u);
    }
    CHECK_INT(at, t.len);
    CHECK_INT(n, 5);                           /* . .. d wait seven */
    CHECK_INT(node[0] + node[1] + node[3], 0); /* of which nothing but the name is known */
    CHECK(node[2] > 1 && node[4] > 1);
    CHECK_INT(size[4], 7);
    CHECK_INT(known(&t), 3);
    CHECK_INT(look(&t, 1, "seven"), node[4]);
    forget(&t, node[4], 1);
    CHECK_INT(known(&t), 3);
    forget(&t, node[4], 1);
    CHECK_INT(known(&t), 2);
    read_at(&t, FUSE_OP_READDIRPLUS, fh, 0, 160, 0); /* what does not fit is not looked up */
    CHECK_INT(known(&t), 2);
    read_at(&t, FUSE_OP_READDIRPLUS, fh, 0, 100, 0);
    CHECK_INT(t.error, -EINVAL);
    close_it(&t, FUSE_OP_RELEASEDIR, fh);
    end(&t);
}

TEST(names_are_forgotten_as_often_as_they_were_looked_up)
{
    struct talk t;
    char name[16];
    begin(&t);
    for (int turn = 0; turn < 3; turn++) {
        uint64_t node[50];
        for (int i = 0; i < 50; i++) {
            snprintf(name, sizeof name, "f%d", i);
            if (turn == 0)
                ram_put(&t.ram, 0, name, "x");
            node[i] = look(&t, 1, name);
        }
        CHECK_INT(known(&t), 51);
        for (int i = 0; i < 50; i++) {
            int at = i * 7 % 50;
            forget(&t, node[at], at % 2 ? 1 : UINT64_MAX); /* a count that cannot be is bounded */
            forget(&t, node[at], 1);
        }
        CHECK_INT(known(&t), 1);
    }
    forget(&t, 1, UINT64_MAX);
    CHECK(look(&t, 1, "d") > 1);
    end(&t);
}
