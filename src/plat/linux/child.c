#include "plat/child.h"

#include "dispositions.h"
#include "plat/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int child_status(const struct child_end *end)
{
    return end->signalled ? 128 + end->code : end->code;
}
static void become(char *const argv[], int go, int answer)
{
    char byte;
    while (read(go, &byte, 1) < 0 && errno == EINTR)
        ;
    dispositions_restore();
    execvp(argv[0], argv);
    int e = errno;
    if (write(answer, &e, sizeof e) < 0)
        _exit(126);
    _exit(127);
}
int child_hold(char *const argv[], struct child *out, struct fail *f)
{
    int go[2], answer[2];
    pipe2(go, O_CLOEXEC);
    pipe2(answer, O_CLOEXEC);
    dispositions_save();
    pid_t pid = fork();
    if (pid < 0)
        return fail_set(f, errno, "%s", argv[0]);
    if (pid == 0) {
        close(go[1]);
        close(answer[0]);
        become(argv, go[0], answer[1]);
    }
    close(go[0]);
    close(answer[1]);
    *out = (struct child){.pid = pid,
                          .go = go[1],
                          .answer = answer[0],
                          .handle = (int)syscall(SYS_pidfd_open, pid, 0)};
    return 0;
}
int child_release(struct child *c, struct fail *f)
{
    int e = 0;
    c->start_ns = clock_mono_ns();
    if (write(c->go, "", 1) < 0)
        return -errno;
    ssize_t n = read(c->answer, &e, sizeof e);
    close(c->go);
    close(c->answer);
    if (n == sizeof e) {
        waitpid(c->pid, NULL, 0);
        return fail_set(f, e, "command");
    }
    return 0;
}
void child_drop(struct child *c)
{
    kill(c->pid, SIGKILL);
    waitpid(c->pid, NULL, 0);
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
    int st;
    struct rusage ru;
    if (wait4(c->pid, &st, 0, &ru) < 0)
        return fail_set(f, errno, "wait");
    *out = (struct child_end){.signalled = WIFSIGNALED(st),
                              .code = WIFSIGNALED(st) ? WTERMSIG(st) : WEXITSTATUS(st)};
    out->user_ns = ru.ru_utime.tv_sec * 1000000000ull + ru.ru_utime.tv_usec * 1000ull;
    close(c->handle);
    return 0;
}
