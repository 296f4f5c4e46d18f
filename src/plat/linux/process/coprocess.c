#include "plat/coprocess.h"

#include "signal_state.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OURS, ITS };

struct ends {
    int talk[2], errors[2], started[2];
};

static void close_ends(const struct ends *e)
{
    const int fds[] = {e->talk[OURS],  e->talk[ITS],     e->errors[OURS],
                       e->errors[ITS], e->started[OURS], e->started[ITS]};
    for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

/* Our ends do not wait, its own do. */
static int open_ends(struct ends *e)
{
    *e = (struct ends){{-1, -1}, {-1, -1}, {-1, -1}};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, e->talk) == 0 &&
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, e->errors) == 0 &&
        pipe2(e->started, O_CLOEXEC) == 0 && fcntl(e->talk[OURS], F_SETFL, O_NONBLOCK) == 0 &&
        fcntl(e->errors[OURS], F_SETFL, O_NONBLOCK) == 0)
        return 0;
    int err = errno;
    close_ends(e);
    return -err;
}

/* A standard stream that was closed may have given its number to one of ours: all are moved away
 * from there before they are put there. */
static int away(int fd)
{
    return fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

static _Noreturn void become(char *const argv[], const struct ends *e)
{
    int talk = away(e->talk[ITS]), errors = away(e->errors[ITS]), started = away(e->started[ITS]);
    setsid();
    dispositions_restore();
    if (talk >= 0 && errors >= 0 && started >= 0 && dup2(talk, STDIN_FILENO) >= 0 &&
        dup2(talk, STDOUT_FILENO) >= 0 && dup2(errors, STDERR_FILENO) >= 0)
        execvp(argv[0], argv);
    int err = errno;
    _exit(write(started, &err, sizeof err) == sizeof err ? 127 : 126);
}

static int reap(int pid, int options, int *status)
{
    int got;
    do
        got = waitpid(pid, status, options);
    while (got < 0 && errno == EINTR);
    return got;
}

/* 0 when it has become the command, else why not. */
static int became(int started)
{
    int err = 0;
    ssize_t n;
    do
        n = read(started, &err, sizeof err);
    while (n < 0 && errno == EINTR);
    return n == sizeof err ? -err : 0;
}

int coprocess_start(char *const argv[], struct coprocess *out, struct fail *f)
{
    struct ends e;
    int status;
    dispositions_save();
    dispositions_reap();
    int r = open_ends(&e);
    if (r < 0)
        return fail_set(f, -r, "%.128s", argv[0]);
    int pid = fork();
    if (pid == 0)
        become(argv, &e);
    r = pid < 0 ? -errno : 0;
    close(e.started[ITS]);
    e.started[ITS] = -1;
    if (r == 0 && (r = became(e.started[OURS])) < 0)
        reap(pid, 0, &status);
    if (r < 0) {
        close_ends(&e);
        return fail_set(f, -r, "%.128s", argv[0]);
    }
    *out = (struct coprocess){pid, e.talk[OURS], e.errors[OURS]};
    e.talk[OURS] = e.errors[OURS] = -1;
    close_ends(&e);
    return 0;
}

void coprocess_kill(const struct coprocess *c)
{
    if (c->pid > 0)
        kill(-c->pid, SIGKILL);
}

bool coprocess_ended(struct coprocess *c, int *status)
{
    int how;
    if (c->pid <= 0)
        return true;
    int got = reap(c->pid, WNOHANG, &how);
    if (got == 0)
        return false;
    c->pid = 0;
    if (got > 0)
        *status = WIFSIGNALED(how) ? 128 + WTERMSIG(how) : WEXITSTATUS(how);
    return true;
}
