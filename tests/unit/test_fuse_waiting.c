/* Requests that wait for their files, and those that are refused. */
#include "unit.h"

#include "fuse_talk.h"

TEST(what_waits_is_kept_and_others_go_on)
{
    struct talk t;
    begin(&t);
    t.ram.handle = 42;
    uint64_t w = look(&t, 1, "wait"), fh = open_node(&t, FUSE_OP_OPEN, w, 0);
    read_at(&t, FUSE_OP_READ, fh, 0, 10, 04000);
    CHECK_INT(t.error, -EAGAIN); /* who would not wait */
    read_at(&t, FUSE_OP_READ, fh, 0, 10, 0);
    uint64_t first = t.unique;
    CHECK_INT(t.replies, 0);
    read_at(&t, FUSE_OP_READ, fh, 0, 10, 0);
    CHECK_INT(fuse_server_waiting(t.s), 2);
    int handle[4];
    CHECK_INT(fuse_server_handles(t.s, handle, 1), 1);
    CHECK_INT(handle[0], 42);
    CHECK(look(&t, 1, "d") != 0);
    ask(&t, FUSE_OP_INTERRUPT, 0, &first, sizeof first);
    CHECK_INT(t.replies, 1);
    CHECK_INT(t.error, -EINTR);
    ask(&t, FUSE_OP_INTERRUPT, 0, &first, sizeof first);
    CHECK_INT(t.replies, 0);
    buf_clear(&t.out);
    CHECK_INT(fuse_server_retry(t.s, &t.out, NULL), 0);
    CHECK_INT(t.out.len, 0);
    t.ram.ready = true;
    CHECK_INT(fuse_server_retry(t.s, &t.out, NULL), 0);
    look_at_replies(&t);
    CHECK_INT(t.error, 0);
    CHECK(t.len == 4 && memcmp(t.body, "late", 4) == 0);
    CHECK_INT(fuse_server_waiting(t.s), 0);
    end(&t);
}

TEST(more_than_can_be_kept_are_refused)
{
    struct talk t;
    begin(&t);
    uint64_t w = look(&t, 1, "wait"), fh = open_node(&t, FUSE_OP_OPEN, w, 0);
    for (int i = 0; i < FUSE_SERVER_WAITING; i++) {
        read_at(&t, FUSE_OP_READ, fh, 0, 10, 0);
        CHECK_INT(t.replies, 0);
    }
    read_at(&t, FUSE_OP_READ, fh, 0, 10, 0);
    CHECK_INT(t.error, -EAGAIN);
    end(&t);
}

TEST(files_are_not_made_nor_requests_invented)
{
    struct talk t;
    struct fail f;
    begin(&t);
    ask(&t, FUSE_OP_MKDIR, 1, "\0\0\0\0\0\0\0\0x", 10);
    CHECK_INT(t.error, -EPERM);
    ask(&t, FUSE_OP_LSEEK, 1, (uint64_t[3]){0}, 24);
    CHECK_INT(t.error, -ENOSYS);
    ask(&t, 4000, 1, NULL, 0);
    CHECK_INT(t.error, -ENOSYS);
    ask(&t, FUSE_OP_STATFS, 1, NULL, 0);
    CHECK_INT(t.len, 80);
    CHECK_INT(fuse_server_serve(t.s, "short", 5, &t.out, &f), -EPROTO);
    end(&t);
}
