#include "runner.h"

#include "child_end.h"
#include "plat/clock.h"
#include "signal_state.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct runner {
    const struct runs_plan *plan;
    struct runner_shared *note;
    const struct exec_path *path;
    int to;
    int nowhere; /* standard output of the commands; -1: ours */
    int counter[RUNS_COUNTERS];
    struct counter_reading before[RUNS_COUNTERS];
};

/* The keys' signals are for the command. They are blocked, not ignored, so that a pending one is
 * seen between runs; one that psuite was started with as ignored stays without effect. */
static void block_key_signals(void)
{
    const int keys[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (!dispositions_was_ignored(keys[i]))
            sigaddset(&set, keys[i]);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static bool is_stop_requested(const struct runner *r)
{
    sigset_t set;
    return r->note->stop ||
           (sigpending(&set) == 0 && (sigismember(&set, SIGINT) || sigismember(&set, SIGQUIT)));
}

/* The child shares our memory until it has become the command. */
static pid_t start_command(const struct runner *r, const struct exec_path *path,
                           volatile int *exec_errno)
{
    pid_t pid = vfork();
    if (pid == 0) {
        if (r->nowhere >= 0)
            dup2(r->nowhere, STDOUT_FILENO);
        dispositions_restore();
        *exec_errno = exec_path_run(path);
        _exit(127);
    }
    if (pid < 0)
        *exec_errno = errno;
    return pid;
}

/* Whether nothing continues or ends it within 10 ms. (A stop is reported only once.) */
static bool stays_stopped(pid_t pid)
{
    siginfo_t info = {0};
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    return waitid(P_PID, (id_t)pid, &info, WCONTINUED | WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == 0;
}

/* The shell watches psuite, not the command: when the command alone has stopped, psuite stops and
 * goes on with it. When all were stopped by the key, the shell continues all, and there is nothing
 * to do. */
static void follow_job_control(pid_t pid, int status, bool *stopped_us)
{
    if (WIFSTOPPED(status) && !*stopped_us && stays_stopped(pid)) {
        *stopped_us = true;
        kill(getppid(), SIGSTOP);
    } else if (WIFCONTINUED(status) && *stopped_us) {
        *stopped_us = false;
        kill(getppid(), SIGCONT);
    }
}

static void wait_for_command(pid_t pid, struct child_end *out)
{
    int status;
    bool stopped_us = false;
    struct rusage used;
    for (;;) {
        pid_t got = wait4(pid, &status, WUNTRACED | WCONTINUED, &used);
        if (got == pid && (WIFEXITED(status) || WIFSIGNALED(status)))
            break;
        if (got == pid)
            follow_job_control(pid, status, &stopped_us);
    }
    child_end_of(status, &used, out);
    if (stopped_us)
        kill(getppid(), SIGCONT);
}

static void open_counters(struct runner *r)
{
    for (size_t i = 0; i < r->plan->events; i++) {
        r->counter[i] = count_open_children(&r->plan->event[i], &r->before[i].state);
        count_read(r->counter[i], &r->before[i]);
    }
}

static void read_counters(struct runner *r, struct counter_reading *out)
{
    for (size_t i = 0; i < r->plan->events; i++) {
        struct counter_reading now = r->before[i];
        count_read(r->counter[i], &now);
        out[i] = (struct counter_reading){now.state, now.count - r->before[i].count,
                                          now.enabled_ns - r->before[i].enabled_ns,
                                          now.running_ns - r->before[i].running_ns};
        r->before[i] = now;
    }
}

static bool was_interrupted(const struct child_end *end)
{
    return end->signalled && (end->code == SIGINT || end->code == SIGQUIT);
}

static void run_command(struct runner *r, const struct exec_path *path, struct runs_end *out)
{
    volatile int exec_errno = 0;
    uint64_t start_ns = clock_mono_ns();
    pid_t pid = start_command(r, path, &exec_errno);
    if (pid > 0) {
        r->note->pid = pid;
        wait_for_command(pid, &out->end);
        out->end.real_ns = clock_mono_ns() - start_ns;
        r->note->pid = 0;
    }
    out->exec_errno = exec_errno;
    out->interrupted = was_interrupted(&out->end);
    out->end.floor_rss_bytes = child_floor_bytes();
    read_counters(r, out->count);
}

/* Whether the command's turn has come: what prepares it has succeeded. */
static bool prepare(struct runner *r, size_t command, struct runs_end *out)
{
    volatile int exec_errno = 0;
    if (!r->plan->prepare)
        return true;
    pid_t pid = start_command(r, &r->path[r->plan->commands + command], &exec_errno);
    if (pid > 0) {
        r->note->pid = pid;
        wait_for_command(pid, &out->end);
        r->note->pid = 0;
    }
    out->exec_errno = exec_errno;
    out->interrupted = was_interrupted(&out->end);
    out->unprepared = exec_errno || out->end.signalled || out->end.code;
    return !out->unprepared;
}

/* Whether the series ends with this run. */
static bool is_last(const struct runner *r, const struct runs_end *e)
{
    bool failed = e->end.signalled || e->end.code;
    return e->exec_errno || e->unprepared || e->interrupted || (failed && r->plan->end_at_failure);
}

/* False when the series is over. */
static bool run_one(struct runner *r, size_t command)
{
    struct runs_end end = {.command = command};
    if (is_stop_requested(r))
        return false;
    if (prepare(r, command, &end))
        run_command(r, &r->path[command], &end);
    return write(r->to, &end, sizeof end) == sizeof end && !is_last(r, &end);
}

/* Runs each command once. They change places with each round, so that whatever the first of a round
 * has to bear, or leaves behind, each has as often. */
static bool run_round(struct runner *r, unsigned long round)
{
    size_t n = r->plan->commands;
    for (size_t i = 0; i < n; i++)
        if (!run_one(r, round % 2 ? n - 1 - i : i))
            return false;
    return true;
}

void runner_main(const struct runs_plan *plan, const struct exec_path *path,
                 struct runner_shared *note, int to)
{
    struct runner r = {.plan = plan, .path = path, .note = note, .to = to};
    r.nowhere = plan->hide_output ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    block_key_signals();
    open_counters(&r);
    for (unsigned long i = 0; i < plan->rounds && run_round(&r, i); i++)
        ;
    _exit(0);
}
