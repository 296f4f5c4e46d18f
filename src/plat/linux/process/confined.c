#include "plat/confined.h"

#include "core/base/signal_name.h"
#include "descriptors.h"
#include "plat/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* --- the filter of calls --- */

#if defined __x86_64__
#define OWN_ARCH AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define OWN_ARCH AUDIT_ARCH_AARCH64
#else
#define OWN_ARCH AUDIT_ARCH_ARM
#endif

static const int allowed[] = {
    SYS_write, SYS_brk,  SYS_munmap,     SYS_mremap,       SYS_madvise,
    SYS_futex, SYS_exit, SYS_exit_group, SYS_rt_sigreturn,
#ifdef SYS_mmap
    SYS_mmap,
#endif
#ifdef SYS_mmap2
    SYS_mmap2,
#endif
};

enum { ALLOWED = sizeof allowed / sizeof allowed[0], STEPS = ALLOWED + 6 };

static void confined_filter(void)
{
    struct sock_filter step[STEPS] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCH, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    for (unsigned i = 0; i < ALLOWED; i++)
        step[4 + i] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)allowed[i],
                                                   (unsigned char)(ALLOWED - i), 0);
    step[STEPS - 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    step[STEPS - 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {STEPS, step};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

enum { CLOCK_TIMES = 3 };

struct head { /* what the answer begins with */
    int32_t result;
    struct fail why;
};

/* --- the child --- */

/* The signal of the first limit of CPU time names it; that of the second is SIGKILL. */
static void limit(int what, uint64_t most)
{
    setrlimit((__rlimit_resource_t)what, &(struct rlimit){(rlim_t)most, (rlim_t)most + 1});
}

/* What this process has counts, too. */
static void limit_memory(size_t bytes)
{
    unsigned long long all = 0, data = 0, page = (unsigned long long)sysconf(_SC_PAGESIZE);
    FILE *file = fopen("/proc/self/statm", "re");
    if (file) {
        if (fscanf(file, "%llu %*u %*u %*u %*u %llu", &all, &data) != 2)
            all = data = 0;
        fclose(file);
    }
    if (all)
        limit(RLIMIT_AS, all * page + bytes);
    limit(RLIMIT_DATA, data * page + bytes);
}

/* Sanitizers need their own memory and calls. */
static void confine(const struct confined_limits *limits, int answer)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, limits->seconds);
    if (guard_is_active())
        limit_memory(limits->memory_bytes);
    descriptors_close_others(&answer, 1);
    for (int fd = 0; fd < 3 && guard_is_active(); fd++)
        close(fd);
    if (guard_is_active())
        confined_filter();
}

static void run_child(int (*work)(void *arg, struct buf *out, struct fail *why), void *arg, int fd)
{
    struct buf out = BUF_INIT;
    struct head head;
    memset(&head, 0, sizeof head);
    head.result = work(arg, &out, &head.why);
    if (head.result >= 0 && buf_error(&out))
        head.result = fail_set(&head.why, ENOMEM, "memory");
    if (descriptor_write(fd, &head, sizeof head) == 0 && head.result >= 0)
        descriptor_write(fd, out.data, out.len);
    _exit(0);
}

/* --- the parent --- */

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool wait_bytes(int fd, int64_t until_ms)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int r;
    do {
        int64_t left = until_ms - now_ms();
        r = left > 0 ? poll(&p, 1, left > 1000 ? 1000 : (int)left) : -1;
    } while (r == 0 || (r < 0 && errno == EINTR && now_ms() < until_ms));
    return r > 0;
}

/* Reads to the end. -ETIMEDOUT, -EBADMSG, -ENOMEM. */
static int read_answer(int fd, const struct confined_limits *limits, struct buf *out)
{
    int64_t until = now_ms() + (int64_t)limits->seconds * 1000 * CLOCK_TIMES;
    for (;;) {
        char *to = buf_reserve(out, 1 << 16);
        if (!to)
            return -ENOMEM;
        if (!wait_bytes(fd, until))
            return -ETIMEDOUT;
        ssize_t n = read(fd, to, 1 << 16);
        if (n == 0)
            return 0;
        if (n < 0 && errno != EINTR)
            return -EBADMSG;
        if (n > 0)
            buf_commit(out, (size_t)n);
        if (out->len > limits->answer_bytes + sizeof(struct head))
            return -EBADMSG;
    }
}

static int fail_ended(int result, int status, const struct confined_limits *l, struct fail *f)
{
    int by = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (result == -ETIMEDOUT || by == SIGXCPU)
        return fail_set(f, ETIMEDOUT, "over the limit of %u s", l->seconds);
    if (result == 0 && by) {
        fail_set(f, 0, "crashed with %s", signal_name(by));
        return -EFAULT;
    }
    return fail_set(f, result == -ENOMEM ? ENOMEM : EBADMSG, "the answer");
}

/* The head's text is foreign, too. */
static int take_answer(const struct buf *all, struct buf *answer, struct fail *f)
{
    struct head head;
    memcpy(&head, all->data, sizeof head);
    if (head.result < 0) {
        head.why.what[sizeof head.why.what - 1] = '\0';
        head.why.hint[sizeof head.why.hint - 1] = '\0';
        if (f)
            *f = head.why;
        return head.result < -4095 ? -EBADMSG : head.result;
    }
    buf_add(answer, all->data + sizeof head, all->len - sizeof head);
    return buf_error(answer) ? fail_set(f, ENOMEM, "the answer") : head.result;
}

static int collect(int pid, int fd, const struct confined_limits *limits, struct buf *answer,
                   struct fail *f)
{
    SCOPED_BUF all = BUF_INIT;
    int status = 0, result = read_answer(fd, limits, &all);
    kill(pid, SIGKILL); /* it may have closed its end and go on */
    TEMP_FAILURE_RETRY(waitpid(pid, &status, 0));
    bool whole = result == 0 && all.len >= sizeof(struct head) && WIFEXITED(status);
    bool killed_behind = result == 0 && all.len >= sizeof(struct head) && WIFSIGNALED(status) &&
                         WTERMSIG(status) == SIGKILL;
    return whole || killed_behind ? take_answer(&all, answer, f)
                                  : fail_ended(result, status, limits, f);
}

int confined_run(int (*work)(void *arg, struct buf *out, struct fail *why), void *arg,
                 const struct confined_limits *limits, struct buf *answer, struct fail *f)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return fail_set(f, errno, "pipe");
    int pid = fork();
    if (pid == 0) {
        confine(limits, ends[1]);
        run_child(work, arg, ends[1]);
    }
    int err = errno;
    close(ends[1]);
    int r = pid < 0 ? fail_set(f, err, "fork") : collect(pid, ends[0], limits, answer, f);
    close(ends[0]);
    return r;
}
