#include "plat/child.h"

#include "child_end.h"
#include "child_prepare.h"
#include "descriptors.h"
#include "exec_path.h"
#include "plat/clock.h"
#include "signal_handle.h"
#include "signal_state.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

/* What the held child says: its floor when it is held, errno when it could not become the command,
 * or could not prepare for it. */
struct answer {
    int err;
    uint64_t floor_bytes;
    struct child_failure failure;
};

enum { FILTERED = 'f' }; /* how it is let go */

/* What it is to do. */
struct task {
    char *const *argv;
    const struct child_setup *setup;
};

static _Noreturn void run_held_child(const struct task *t, int go, int answer)
{
    char byte;
    struct answer a = {.floor_bytes = child_floor_bytes()};
    const struct child_setup *setup = t->setup;
    if (setup && setup->prepare)
        a.err = -setup->prepare(setup->arg, &a.failure);
    dispositions_restore();
    if (setup) /* while it is held: where Yama restricts tracing */
        prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    if (write(answer, &a, sizeof a) != sizeof a || TEMP_FAILURE_RETRY(read(go, &byte, 1)) != 1)
        _exit(127);
    if (setup)
        prctl(PR_SET_PTRACER, 0);
    a.err = setup && byte == FILTERED ? -setup->filter() : 0;
    if (!a.err) {
        execvp(t->argv[0], t->argv);
        a.err = errno;
    }
    _exit(write(answer, &a, sizeof a) == sizeof a ? 127 : 126);
}

bool child_finds(const char *name)
{
    char *const argv[] = {(char *)name, NULL};
    struct exec_path path;
    if (exec_path_find(argv, &path) < 0)
        return false;
    exec_path_release(&path);
    return true;
}

/* Before Linux 5.3 there is no pidfd: any child's end then shows as a pending SIGCHLD. */
static int end_handle(int pid)
{
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (fd >= 0)
        return fd;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDSTOP}, NULL);
    fd = signal_handle_open(&set);
    /* The end may have come before the signal was blocked. */
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid)
        kill(getpid(), SIGCHLD);
    return fd;
}

static void close_all(struct child *c)
{
    descriptor_close(&c->start_fd);
    descriptor_close(&c->exec_errno_fd);
    signal_handle_close(c->handle);
}

static int reap_child(int pid, int *status, struct rusage *used)
{
    pid_t got = TEMP_FAILURE_RETRY(wait4(pid, status, 0, used));
    return got < 0 ? -errno : 0;
}

static int fork_held(const struct task *t, const int go[2], const int answer[2])
{
    int pid = fork();
    if (pid == 0) {
        close(go[1]); /* our end as well, or the parent's death would not be seen */
        run_held_child(t, go[0], answer[1]);
    }
    return pid < 0 ? -errno : pid;
}

/* It waits as if it were held. */
static int fail_not_prepared(struct child *c, const struct answer *a, struct fail *f)
{
    child_kill(c);
    return fail_set(f, a->err, "%s", a->failure.what);
}

int child_hold(char *const argv[], struct child *out, struct fail *f)
{
    return child_hold_prepared(argv, NULL, out, f);
}

int child_hold_prepared(char *const argv[], const struct child_setup *setup, struct child *out,
                        struct fail *f)
{
    const struct task task = {argv, setup};
    int go[2], answer[2];
    dispositions_save();
    dispositions_default_sigchld();
    int err = descriptor_pipes(go, answer);
    if (err < 0)
        return fail_set(f, -err, "pipe");
    int pid = fork_held(&task, go, answer);
    close(go[0]);
    close(answer[1]);
    struct child c = {
        .pid = pid, .start_fd = go[1], .exec_errno_fd = answer[0], .handle = -1, .name = argv[0]};
    struct answer a = {0};
    if (pid < 0) {
        close_all(&c);
        return fail_set(f, -pid, "fork");
    }
    /* Nothing when it was killed already: child_wait will tell. */
    TEMP_FAILURE_RETRY(read(c.exec_errno_fd, &a, sizeof a));
    if (a.err)
        return fail_not_prepared(&c, &a, f);
    c.floor_rss_bytes = a.floor_bytes;
    c.handle = end_handle(pid);
    *out = c;
    return 0;
}

int child_hold_traceable(char *const argv[], struct child *out, struct fail *f)
{
    return child_hold_prepared(argv, &(const struct child_setup){NULL}, out, f);
}

/* The child may be gone already; that is no reason to die of SIGPIPE. */
static void release_child(int fd, char byte)
{
    struct sigaction old;
    sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, &old);
    ssize_t ignored = write(fd, &byte, 1);
    (void)ignored;
    sigaction(SIGPIPE, &old, NULL);
}

int child_release(struct child *c, struct fail *f)
{
    struct answer a;
    int status;
    struct rusage used;
    c->start_ns = clock_mono_ns();
    release_child(c->start_fd, c->filtered ? FILTERED : '\0');
    if (TEMP_FAILURE_RETRY(read(c->exec_errno_fd, &a, sizeof a)) != sizeof a)
        return 0;
    reap_child(c->pid, &status, &used);
    close_all(c);
    return fail_set(f, a.err, "%s", c->name);
}

void child_kill(struct child *c)
{
    int status;
    struct rusage used;
    kill(c->pid, SIGKILL);
    reap_child(c->pid, &status, &used);
    close_all(c);
}

int child_handle(const struct child *c)
{
    return c->handle;
}

void child_signal(const struct child *c, int sig)
{
    kill(c->pid, sig);
}

int child_wait(struct child *c, struct child_end *out, struct fail *f)
{
    int status = 0;
    struct rusage used;
    int r = reap_child(c->pid, &status, &used);
    uint64_t end_ns = clock_mono_ns();
    close_all(c);
    if (r < 0)
        return fail_set(f, -r, "wait");
    child_end_of(status, &used, out);
    out->real_ns = end_ns - c->start_ns;
    out->floor_rss_bytes = c->floor_rss_bytes;
    return 0;
}
