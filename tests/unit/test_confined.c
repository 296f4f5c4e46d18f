#include "unit.h"

#include "plat/confined.h"
#include "plat/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static const struct confined_limits limits = {64 << 20, 1, 1 << 20};

static int answer(void *arg, struct buf *out, struct fail *why)
{
    (void)why;
    buf_adds(out, arg);
    return 7;
}

TEST(confined_work_answers)
{
    struct buf out = BUF_INIT;
    struct fail f;
    buf_adds(&out, "before ");
    CHECK_INT(confined_run(answer, (char[]){"the answer"}, &limits, &out, &f), 7);
    CHECK_STR(buf_str(&out), "before the answer");
    buf_release(&out);
}

static int refuse(void *arg, struct buf *out, struct fail *why)
{
    (void)arg;
    buf_adds(out, "lost");
    return fail_set(why, ENOENT, "a reason");
}

TEST(confined_work_fails_with_its_reason)
{
    struct buf out = BUF_INIT;
    struct fail f;
    CHECK_INT(confined_run(refuse, NULL, &limits, &out, &f), -ENOENT);
    CHECK_STR(f.what, "a reason");
    CHECK_INT(out.len, 0);
    buf_release(&out);
}

static int crash(void *arg, struct buf *out, struct fail *why)
{
    (void)out, (void)why;
    raise(*(int *)arg);
    kill(getpid(), *(int *)arg);
    abort();
}

TEST(confined_work_crashes_alone)
{
    struct fail f;
    struct buf out = BUF_INIT;
    if (!guard_is_active()) {
        SKIP("the sanitizer has the signals");
        return;
    }
    CHECK_INT(confined_run(crash, &(int){SIGABRT}, &limits, &out, &f), -EFAULT);
    CHECK(strncmp(f.what, "crashed with ", 13) == 0);
    buf_release(&out);
}

static int never_end(void *arg, struct buf *out, struct fail *why)
{
    (void)out, (void)why;
    for (volatile int *i = arg; *i >= 0;)
        *i ^= 1;
    return 0;
}

TEST(confined_work_ends_at_its_limit)
{
    struct fail f;
    struct buf out = BUF_INIT;
    CHECK_INT(confined_run(never_end, &(int){0}, &limits, &out, &f), -ETIMEDOUT);
    CHECK_STR(f.what, "over the limit of 1 s");
    buf_release(&out);
}

static int ask_too_much(void *arg, struct buf *out, struct fail *why)
{
    (void)why;
    unsigned allowed = 0;
    char byte;
    allowed |= open("/dev/null", O_RDONLY) >= 0 ? 1 : 0;
    allowed |= fork() >= 0 ? 2 : 0;
    allowed |= read(*(int *)arg, &byte, 1) >= 0 ? 4 : 0;
    allowed |= malloc((size_t)limits.memory_bytes * 2) ? 8 : 0;
    void *volatile some = malloc(1 << 20);
    allowed |= some ? 0 : 16;
    buf_printf(out, "%u", allowed);
    return 0;
}

TEST(confined_work_has_neither_files_nor_processes)
{
    struct fail f;
    struct buf out = BUF_INIT;
    int file = open("/dev/zero", O_RDONLY);
    if (!guard_is_active()) {
        SKIP("sanitizers are not confined");
        return;
    }
    if (prctl(PR_GET_SECCOMP) < 0) {
        SKIP("no seccomp here");
        return;
    }
    CHECK_INT(confined_run(ask_too_much, &file, &limits, &out, &f), 0);
    CHECK_STR(buf_str(&out), "0");
    close(file);
    buf_release(&out);
}

static int flood(void *arg, struct buf *out, struct fail *why)
{
    (void)arg, (void)why;
    for (int i = 0; i < 1 << 15; i++)
        buf_adds(out, "two million bytes of nothing in particular, many times over....");
    return 0;
}

TEST(confined_answer_has_a_limit)
{
    struct fail f;
    struct buf out = BUF_INIT;
    CHECK_INT(confined_run(flood, NULL, &limits, &out, &f), -EBADMSG);
    CHECK_INT(out.len, 0);
    buf_release(&out);
}
