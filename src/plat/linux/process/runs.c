#include "plat/runs.h"

#include "descriptors.h"
#include "exec_path.h"
#include "runner.h"
#include "signal_state.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct runs {
    pid_t runner;
    int from; /* pipe */
    struct runner_shared *note;
    struct exec_path *path; /* of the commands, then of what prepares them */
    size_t paths;
};

static void release_runs(struct runs *r)
{
    for (size_t i = 0; i < r->paths; i++)
        exec_path_release(&r->path[i]);
    free(r->path);
    if (r->note)
        munmap(r->note, sizeof *r->note);
    descriptor_close(&r->from);
    free(r);
}

static int find_each(struct runs *r, char *const *const *argv, size_t n, struct fail *f)
{
    for (size_t i = 0; i < n; i++) {
        int err = exec_path_find(argv[i], &r->path[r->paths]);
        if (err < 0)
            return fail_set(f, -err, "%s", argv[i][0]);
        r->paths++;
    }
    return 0;
}

static int find_all(struct runs *r, const struct runs_plan *plan, struct fail *f)
{
    r->path = calloc(plan->commands, 2 * sizeof *r->path);
    if (!r->path)
        return fail_set(f, ENOMEM, "commands");
    int err = find_each(r, plan->command, plan->commands, f);
    if (err == 0 && plan->prepare)
        err = find_each(r, plan->prepare, plan->commands, f);
    return err;
}

static int start_runner(struct runs *r, const struct runs_plan *plan, struct fail *f)
{
    int fd[2];
    void *note =
        mmap(NULL, sizeof *r->note, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (note == MAP_FAILED)
        return fail_set(f, errno, "shared memory");
    r->note = note;
    if (pipe2(fd, O_CLOEXEC) < 0)
        return fail_set(f, errno, "pipe");
    r->runner = fork();
    if (r->runner == 0) {
        close(fd[0]);
        runner_main(plan, r->path, r->note, fd[1]);
    }
    int err = errno;
    close(fd[1]);
    r->from = fd[0];
    return r->runner < 0 ? fail_set(f, err, "fork") : 0;
}

int runs_start(const struct runs_plan *plan, struct runs **out, struct fail *f)
{
    struct runs *r = calloc(1, sizeof *r);
    if (!r)
        return fail_set(f, ENOMEM, "runs");
    r->from = -1;
    dispositions_save();
    dispositions_default_sigchld();
    int err = find_all(r, plan, f);
    if (err == 0)
        err = start_runner(r, plan, f);
    if (err < 0) {
        release_runs(r);
        return err;
    }
    signal(SIGQUIT, SIG_IGN); /* the quit key too is for the command */
    *out = r;
    return 0;
}

int runs_handle(const struct runs *r)
{
    return r->from;
}

int runs_next(struct runs *r, struct runs_end *out, struct fail *f)
{
    ssize_t n = TEMP_FAILURE_RETRY(read(r->from, out, sizeof *out));
    if (n < 0)
        return fail_set(f, errno, "runner");
    return n == sizeof *out;
}

void runs_stop(struct runs *r, int number)
{
    r->note->stop = 1;
    pid_t pid = r->note->pid;
    if (number && pid > 0)
        kill(pid, number);
}

void runs_free(struct runs *r)
{
    if (!r)
        return;
    r->note->stop = 1;
    TEMP_FAILURE_RETRY(waitpid(r->runner, NULL, 0));
    release_runs(r);
}
