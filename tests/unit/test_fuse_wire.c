#include "unit.h"

#include "core/base/bytes.h"
#include "core/fuse/wire.h"

#include <errno.h>

/* A request as the kernel writes it: the head, then what is added. */
struct wire {
    uint8_t bytes[512];
    size_t len;
};

static void add32(struct wire *w, uint32_t v)
{
    memcpy(w->bytes + w->len, &v, sizeof v);
    w->len += sizeof v;
}

static void add64(struct wire *w, uint64_t v)
{
    memcpy(w->bytes + w->len, &v, sizeof v);
    w->len += sizeof v;
}

static void add(struct wire *w, const void *p, size_t len)
{
    memcpy(w->bytes + w->len, p, len);
    w->len += len;
}

static struct wire request(uint32_t op)
{
    struct wire w = {.len = 0};
    add32(&w, 0);
    add32(&w, op);
    add64(&w, 99); /* unique */
    add64(&w, 7);  /* node */
    add32(&w, 1000);
    add32(&w, 100);
    add32(&w, 4711);
    add32(&w, 0);
    return w;
}

static int decode(struct wire *w, struct fuse_request *a)
{
    uint32_t len = (uint32_t)w->len;
    memcpy(w->bytes, &len, sizeof len);
    return fuse_request_decode(w->bytes, w->len, a);
}

static struct wire setattr(uint32_t valid)
{
    struct wire w = request(FUSE_OP_SETATTR);
    add32(&w, valid);
    add32(&w, 0);
    add64(&w, 5);    /* fh */
    add64(&w, 4096); /* size */
    add64(&w, 0);    /* lock owner */
    add64(&w, (uint64_t)-7);
    add64(&w, 8);
    add64(&w, 9);
    add32(&w, 71);
    add32(&w, 81);
    add32(&w, 91);
    add32(&w, 0644);
    add32(&w, 0);
    add32(&w, 1001);
    add32(&w, 1002);
    add32(&w, 0);
    return w;
}

/* FUSE's bits of a time say that it is now, ours that it is given. */
TEST(a_change_of_attributes)
{
    enum { SIZE = 1 << 3, ATIME = 1 << 4, MTIME = 1 << 5, FH = 1 << 6, ATIME_NOW = 1 << 7 };
    struct wire w = setattr(SIZE | ATIME | ATIME_NOW | MTIME | FH | 1 << 10);
    struct fuse_request a;
    CHECK_INT(decode(&w, &a), 0);
    CHECK_INT(a.change.set, NS_SET_SIZE | NS_SET_ACCESSED | NS_SET_MODIFIED | NS_SET_MODIFIED_TO);
    CHECK(a.has_fh);
    CHECK_INT(a.fh, 5);
    CHECK_INT(a.change.to.size, 4096);
    CHECK_INT(a.change.to.accessed.s, -7);
    CHECK_INT(a.change.to.modified.s, 8);
    CHECK_INT(a.change.to.modified.ns, 81);
    CHECK_INT(a.change.to.mode, 0644);
    CHECK_INT(a.change.to.uid, 1001);
    CHECK_INT(a.change.to.gid, 1002);
    w = setattr(1 << 10);
    CHECK_INT(decode(&w, &a), 0);
    CHECK_INT(a.change.set, 0);
    CHECK(!a.has_fh);
    w = setattr(0);
    CHECK_INT(decode(&w, &a), 0);
    CHECK_INT(a.change.set, NS_SET_CHANGED);
}

TEST(fuse_request_lookup_is_decoded)
{
    struct wire w = request(FUSE_OP_LOOKUP);
    struct fuse_request a;
    add(&w, "etc", 4);
    CHECK_INT(decode(&w, &a), 0);
    CHECK_STR(a.name, "etc");
    CHECK_INT(a.unique, 99);
    CHECK_INT(a.node, 7);
    CHECK_INT(a.uid, 1000);
    CHECK_INT(a.pid, 4711);
}

TEST(names_are_refused_that_lead_elsewhere)
{
    static const char *const bad[] = {"", "../etc", "a/b"};
    struct fuse_request a;
    for (size_t i = 0; i < 3; i++) {
        struct wire w = request(FUSE_OP_UNLINK);
        add(&w, bad[i], strlen(bad[i]) + 1);
        CHECK_INT(decode(&w, &a), -EINVAL);
    }
    struct wire w = request(FUSE_OP_LOOKUP);
    add(&w, "endless", 7);
    CHECK_INT(decode(&w, &a), -EINVAL);
    CHECK_INT(a.unique, 99); /* can be answered */
}

TEST(a_write_has_its_data_and_no_more)
{
    struct wire w = request(FUSE_OP_WRITE);
    struct fuse_request a;
    add64(&w, 5);
    add64(&w, UINT64_C(5) << 30);
    add32(&w, 3);
    add32(&w, 0);
    add64(&w, 0);
    add32(&w, 1);
    add32(&w, 0);
    struct wire cut = w;
    add(&w, "abc", 3);
    CHECK_INT(decode(&w, &a), 0);
    CHECK_INT(a.fh, 5);
    CHECK_INT(a.offset, INT64_C(5) << 30);
    CHECK_INT(a.data_len, 3);
    CHECK(memcmp(a.data, "abc", 3) == 0);
    add(&cut, "ab", 2);
    CHECK_INT(decode(&cut, &a), -EINVAL);
}

TEST(a_lock_has_its_range_and_owner)
{
    struct wire w = request(FUSE_OP_SETLKW);
    struct fuse_request a;
    for (uint64_t i = 1; i < 5; i++)
        add64(&w, i);
    add32(&w, 1);
    add32(&w, 77);
    struct wire cut = w;
    add32(&w, FUSE_LOCK_FLOCK);
    add32(&w, 0);
    CHECK_INT(decode(&w, &a), 0);
    CHECK_INT(a.fh, 1);
    CHECK_INT(a.owner, 2);
    CHECK_INT(a.lock.start, 3);
    CHECK_INT(a.lock.end, 4);
    CHECK_INT(a.lock.type, 1);
    CHECK_INT(a.lock.pid, 77);
    CHECK_INT(a.flags, FUSE_LOCK_FLOCK);
    CHECK_INT(decode(&cut, &a), -EINVAL);
}

TEST(fuse_request_interrupt_and_flush_are_decoded)
{
    struct wire w = request(FUSE_OP_INTERRUPT);
    struct fuse_request a;
    add64(&w, 12);
    CHECK_INT(decode(&w, &a), 0);
    CHECK_INT(a.interrupted, 12);
    w = request(FUSE_OP_FLUSH);
    add64(&w, 3);
    add64(&w, 0);
    add64(&w, 4);
    CHECK_INT(decode(&w, &a), 0);
    CHECK_INT(a.fh, 3);
    CHECK_INT(a.owner, 4);
}

TEST(a_lock_that_is_told_of)
{
    uint8_t body[FUSE_BODY_MAX];
    uint64_t end;
    uint32_t pid;
    CHECK_INT(fuse_body_lock(body, &(struct ns_lock){1, 2, 3, 4}), 24);
    memcpy(&end, body + 8, sizeof end);
    memcpy(&pid, body + 20, sizeof pid);
    CHECK_INT(end, 2);
    CHECK_INT(pid, 4);
}

TEST(a_rename_with_flags)
{
    struct wire w = request(FUSE_OP_RENAME2);
    struct fuse_request a;
    add64(&w, 8);
    add32(&w, 2);
    add32(&w, 0);
    add(&w, "a\0b", 4);
    CHECK_INT(decode(&w, &a), 0);
    CHECK_INT(a.node2, 8);
    CHECK_INT(a.flags, 2);
    CHECK_STR(a.name, "a");
    CHECK_STR(a.name2, "b");
}

TEST(init_has_flags_in_two_places)
{
    struct wire w = request(FUSE_OP_INIT);
    struct fuse_request a;
    add32(&w, 7);
    add32(&w, 40);
    add32(&w, 0);
    add32(&w, (uint32_t)FUSE_INIT_EXT);
    struct wire old = w;
    add32(&w, 1 << 5);
    CHECK_INT(decode(&w, &a), 0);
    CHECK(a.init.flags == (FUSE_INIT_EXT | FUSE_INIT_PASSTHROUGH));
    CHECK_INT(decode(&old, &a), 0);
    CHECK(a.init.flags == FUSE_INIT_EXT);
}

TEST(many_are_forgotten_at_once)
{
    struct wire w = request(FUSE_OP_BATCH_FORGET);
    struct fuse_request a;
    uint64_t node = 0, lookups = 0;
    add32(&w, 1000); /* more than follow */
    add32(&w, 0);
    for (uint64_t i = 1; i < 5; i++)
        add64(&w, i);
    CHECK_INT(decode(&w, &a), 0);
    CHECK(fuse_request_forget(&a, 1, &node, &lookups));
    CHECK_INT(node, 3);
    CHECK_INT(lookups, 4);
    CHECK(!fuse_request_forget(&a, 2, &node, &lookups));
}

TEST(unknown_and_mutilated_requests)
{
    struct wire w = request(4242);
    struct fuse_request a;
    CHECK_INT(decode(&w, &a), -ENOSYS);
    CHECK_INT(fuse_request_decode(w.bytes, 39, &a), -EINVAL);
    CHECK_INT(fuse_request_decode(w.bytes, 0, &a), -EINVAL);
    w.len += 8; /* the length in the head is another */
    CHECK_INT(fuse_request_decode(w.bytes, w.len, &a), -EINVAL);
}

TEST(bodies_are_as_long_as_the_protocol_says)
{
    uint8_t b[FUSE_BODY_MAX];
    struct ns_attr a = {.ino = 5, .mode = 0100644};
    struct fuse_init old = {.minor = 22}, new = {.minor = 40, .max_pages = 256};
    CHECK_INT(fuse_body_init(b, &old), 24);
    CHECK_INT(fuse_body_init(b, &new), 64);
    CHECK_INT(get_le16(b + 28), 256);
    CHECK_INT(fuse_body_entry(b, 1, (struct fuse_valid){1, 1}, &a), 128);
    CHECK_INT(fuse_body_absent(b, 2), 128); /* node 0, known for 2 s */
    CHECK(get_le64(b) == 0 && get_le64(b + 16) == 2);
    CHECK_INT(fuse_body_attr(b, 1, &a), 104);
    CHECK_INT(fuse_body_open(b, 3, 1, 9), 16);
    CHECK_INT(fuse_body_statfs(b, &(struct ns_statfs){0}), 80);
    CHECK_INT(fuse_body_count(b, 1), 8);
    fuse_reply_head(b, 99, -ENOENT, 0);
    CHECK_INT((int32_t)get_le32(b + 4), -ENOENT);
    CHECK_INT(get_le32(b), 16);
}

TEST(directory_entries_are_padded_and_never_cut)
{
    uint8_t b[64];
    CHECK_INT(fuse_body_dirent(b, sizeof b, &(struct ns_entry){1, 2, 4, "abc"}), 32);
    CHECK(memcmp(b + 24, "abc\0\0\0\0\0", 8) == 0);
    CHECK_INT(fuse_body_dirent(b, 31, &(struct ns_entry){1, 2, 4, "abc"}), 0);
}
