#include "core/text/last_line.h"
#include "descriptors.h"
#include "plat/child.h"

#include "signal_state.h"

#include <errno.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* What comes from the two pipes of a program; a closed one has a negative handle. */
struct reading {
    struct pollfd pipe[2]; /* standard output, standard error */
    struct buf *out;
    size_t left_bytes; /* that out may still grow by */
    struct last_line last_error;
};

static int read_output(struct reading *r)
{
    enum { AT_ONCE = 65536 };
    char *chunk = buf_reserve(r->out, AT_ONCE);
    ssize_t n = chunk ? read(r->pipe[0].fd, chunk, AT_ONCE) : -1;
    if (n < 0)
        return !chunk ? -ENOMEM : errno == EINTR ? 1 : -errno;
    buf_commit(r->out, (size_t)n);
    if ((size_t)n > r->left_bytes)
        return -EFBIG;
    r->left_bytes -= (size_t)n;
    return n > 0;
}

static int read_errors(struct reading *r)
{
    char words[512];
    ssize_t n = read(r->pipe[1].fd, words, sizeof words);
    if (n < 0)
        return errno == EINTR ? 1 : -errno;
    last_line_add(&r->last_error, words, (size_t)n);
    return n > 0;
}

static int read_both(struct reading *r)
{
    static int (*const read_pipe[])(struct reading *) = {read_output, read_errors};
    while (r->pipe[0].fd >= 0 || r->pipe[1].fd >= 0) {
        if (poll(r->pipe, 2, -1) < 0 && errno != EINTR)
            return -errno;
        for (int i = 0; i < 2; i++) {
            int more = r->pipe[i].revents ? read_pipe[i](r) : 1;
            r->pipe[i].revents = 0;
            if (more < 0)
                return more;
            if (!more)
                descriptor_close(&r->pipe[i].fd);
        }
    }
    return 0;
}

/* With standard output and standard error into the pipes. */
static int spawn_command(char *const argv[], const int to[2], pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, to[1], STDERR_FILENO);
    posix_spawnattr_init(&attr);
    dispositions_spawn(&attr);
    int err = posix_spawnp(pid, argv[0], &actions, &attr, argv, environ);
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&actions);
    return -err;
}

static int wait_for_command(pid_t pid)
{
    int status;
    if (TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)) < 0)
        return -errno;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -ECHILD;
}

/* The ends that are read from, and those that are written to. */
static int open_pipes(int from[2], int to[2])
{
    int out[2], err[2];
    int r = descriptor_pipes(out, err);
    if (r < 0)
        return r;
    from[0] = out[0], from[1] = err[0];
    to[0] = out[1], to[1] = err[1];
    return 0;
}

static int fail_command(const char *name, int r, struct last_line *last_error, struct fail *f)
{
    const char *words = last_line_text(last_error);
    if (r != -ECHILD)
        fail_set(f, -r, "%s", name);
    else
        fail_set(f, 0, "%.64s: %s", name, words[0] ? words : "it failed");
    return r;
}

int child_output(char *const argv[], size_t max_bytes, struct buf *out, struct fail *f)
{
    int from[2], to[2];
    pid_t pid;
    int r = open_pipes(from, to);
    if (r < 0)
        return fail_set(f, -r, "pipe");
    struct reading reading = {
        {{from[0], POLLIN, 0}, {from[1], POLLIN, 0}}, out, max_bytes, {.len = 0}};
    r = spawn_command(argv, to, &pid);
    bool runs = r == 0;
    close(to[0]);
    close(to[1]);
    if (runs)
        r = read_both(&reading);
    for (int i = 0; i < 2; i++) /* later writes get SIGPIPE */
        descriptor_close(&reading.pipe[i].fd);
    int end = runs ? wait_for_command(pid) : 0;
    r = r < 0 ? r : end;
    return r < 0 ? fail_command(argv[0], r, &reading.last_error, f) : 0;
}
