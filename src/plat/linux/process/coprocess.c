#include "plat/coprocess.h"

#include "descriptors.h"
#include "signal_state.h"
#include "socket_missing.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OURS, ITS };

struct ends {
    int talk[2], errors[2], started[2];
};

static void close_ends(struct ends *e)
{
    for (int i = OURS; i <= ITS; i++) {
        descriptor_close(&e->talk[i]);
        descriptor_close(&e->errors[i]);
        descriptor_close(&e->started[i]);
    }
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
    close_ends(e);
    return -errno;
}

/* A standard stream that was closed may have given its number to one of ours: all are moved away
 * from there before they are put there. */
static int dup_above_stdio(int fd)
{
    return fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

/* The kernel sends the signal when that process ends; it may have ended before it could be asked.
 */
static void set_death_signal(int parent, int signal)
{
    prctl(PR_SET_PDEATHSIG, signal);
    if (getppid() != parent)
        kill(getpid(), signal);
}

static _Noreturn void exec_command(char *const argv[], const struct ends *e, int guard_pid)
{
    int talk = dup_above_stdio(e->talk[ITS]), errors = dup_above_stdio(e->errors[ITS]),
        started = dup_above_stdio(e->started[ITS]);
    set_death_signal(guard_pid, SIGKILL);
    dispositions_restore();
    signal(SIGINT, SIG_DFL);
    if (talk >= 0 && errors >= 0 && started >= 0 && dup2(talk, STDIN_FILENO) >= 0 &&
        dup2(talk, STDOUT_FILENO) >= 0 && dup2(errors, STDERR_FILENO) >= 0)
        execvp(argv[0], argv);
    int err = errno;
    _exit(write(started, &err, sizeof err) == sizeof err ? 127 : 126);
}

/* --- the guard: between psuite and the command --- */

/* The command, what it has started, and the guard itself. */
static void kill_group(int signal)
{
    kill(0, SIGKILL);
}

static void handle_sigterm(void)
{
    sigset_t none;
    sigemptyset(&none);
    sigaction(SIGTERM, &(struct sigaction){.sa_handler = kill_group}, NULL);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Waits for the command and ends as it did; ends all when psuite has ended for any reason: the
 * kernel tells it. The command's group must not be psuite's, and a process that is killed can end
 * no group: so there is one that is not killed. */
static _Noreturn void run_guard(char *const argv[], const struct ends *e, int psuite)
{
    int status = 0, self = getpid();
    setsid();
    signal(SIGINT, SIG_IGN);
    handle_sigterm();
    set_death_signal(psuite, SIGTERM);
    int pid = fork();
    if (pid == 0)
        exec_command(argv, e, self);
    int err = errno;
    if (pid < 0)
        _exit(write(e->started[ITS], &err, sizeof err) == sizeof err ? 127 : 126);
    for (int fd = 0; fd < 3; fd++)
        close(fd);
    descriptors_close_others(NULL, 0);
    if (TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)) < 0)
        _exit(126);
    _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

/* 0 when it has become the command, else why not. */
static int read_exec_result(int started)
{
    int err = 0;
    ssize_t n = TEMP_FAILURE_RETRY(read(started, &err, sizeof err));
    return n == sizeof err ? -err : 0;
}

int coprocess_start(char *const argv[], struct coprocess *out, struct fail *f)
{
    struct ends e;
    int status;
    dispositions_save();
    dispositions_default_sigchld();
    int r = open_ends(&e);
    if (r < 0) {
        fail_set(f, -r, "%.128s", argv[0]);
        socket_missing_hint(AF_UNIX, -r, f);
        return r;
    }
    int self = getpid(), pid = fork();
    if (pid == 0)
        run_guard(argv, &e, self);
    r = pid < 0 ? -errno : 0;
    descriptor_close(&e.started[ITS]);
    if (r == 0 && (r = read_exec_result(e.started[OURS])) < 0)
        TEMP_FAILURE_RETRY(waitpid(pid, &status, 0));
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

void coprocess_set_name(const char *part)
{
    char name[16]; /* the kernel keeps no more */
    snprintf(name, sizeof name, "psuite-%s", part);
    prctl(PR_SET_NAME, name);
}

void coprocess_interrupt(const struct coprocess *c)
{
    if (c->pid > 0)
        kill(-c->pid, SIGINT);
}

bool coprocess_ended(struct coprocess *c, int *status)
{
    int wait_status;
    if (c->pid <= 0)
        return true;
    int got = TEMP_FAILURE_RETRY(waitpid(c->pid, &wait_status, WNOHANG));
    if (got == 0)
        return false;
    c->pid = 0;
    if (got > 0)
        *status = WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
    return true;
}
