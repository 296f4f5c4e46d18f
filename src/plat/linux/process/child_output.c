#include "plat/child.h"

#include "signal_state.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int read_all(int fd, size_t most, struct buf *out)
{
    size_t start = out->len;
    for (;;) {
        char *room = buf_room(out, 65536);
        ssize_t n = room ? read(fd, room, 65536) : -1;
        if (n < 0 && room && errno == EINTR)
            continue;
        if (n < 0)
            return room ? -errno : -ENOMEM;
        buf_grew(out, (size_t)n);
        if (n == 0)
            return 0;
        if (out->len - start > most)
            return -EFBIG;
    }
}

/* With standard output into the pipe. */
static int spawn(char *const argv[], int to, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
    posix_spawnattr_init(&attr);
    dispositions_spawn(&attr);
    int err = posix_spawnp(pid, argv[0], &actions, &attr, argv, environ);
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&actions);
    return -err;
}

static int end_of(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -errno;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -ECHILD;
}

int child_output(char *const argv[], size_t most_bytes, struct buf *out, struct fail *f)
{
    int ends[2];
    pid_t pid;
    if (pipe2(ends, O_CLOEXEC) < 0)
        return fail_set(f, errno, "pipe");
    int r = spawn(argv, ends[1], &pid);
    close(ends[1]);
    if (r == 0) {
        r = read_all(ends[0], most_bytes, out);
        close(ends[0]); /* before the wait: who writes on gets SIGPIPE */
        int end = end_of(pid);
        r = r < 0 ? r : end;
    } else {
        close(ends[0]);
    }
    if (r == -ECHILD)
        fail_set(f, 0, "%s: it failed", argv[0]);
    else if (r < 0)
        fail_set(f, -r, "%s", argv[0]);
    return r;
}
