#include "work.h"

#include "core/base/scan.h"
#include "core/base/time_ns.h"
#include "plat/clock.h"
#include "plat/net.h"
#include "plat/wait.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { POLL_MS = 50, START_SECONDS = 10 };

void work_command(const char *argv[WORK_ARGUMENTS], const char *name, const char *amount,
                  const char *cpu)
{
    const char *const command[WORK_ARGUMENTS] = {workload_program, "doctor", "--work", name,
                                                 amount,           cpu};
    memcpy(argv, command, sizeof command);
}

/* Takes what was printed so far: 1 when that is a line, 0 when it is not yet. */
static int read_line(struct work *w)
{
    while (w->len < sizeof w->line - 1) {
        long n = net_read(w->process.connection, w->line + w->len, 1);
        if (n == -EAGAIN)
            return 0;
        if (n <= 0)
            return -EPIPE;
        if (w->line[w->len] == '\n') {
            w->line[w->len] = '\0';
            w->len = 0;
            return 1;
        }
        w->len++;
    }
    return -EPIPE;
}

/* What is done while a line is waited for. */
struct meanwhile {
    void (*poll)(void *arg);
    void *arg;
};

static int wait_line(struct selftest *t, struct work *w, int seconds, const struct meanwhile *m)
{
    uint64_t end_ns = clock_mono_ns() + (uint64_t)(seconds * NS_PER_S);
    struct wait_on on = {.handle = w->process.connection};
    int r;
    while ((r = read_line(w)) == 0) {
        if (clock_mono_ns() >= end_ns)
            return -ETIMEDOUT;
        wait_ready(&on, 1, POLL_MS);
        if (selftest_tend(t))
            return -EINTR;
        if (m->poll)
            m->poll(m->arg);
    }
    return r < 0 ? r : 0;
}

static int work_failed(struct work *w, int err, struct fail *f)
{
    return fail_set(f, -err, "the workload %s", w->name);
}

int work_start(struct selftest *t, struct work *w, const char *name, struct fail *f)
{
    const char *argv[WORK_ARGUMENTS];
    struct meanwhile nothing = {NULL, NULL};
    *w = (struct work){.name = name};
    work_command(argv, name, "-", NULL);
    int r = coprocess_start((char *const *)argv, &w->process, f);
    if (r < 0)
        return r;
    r = wait_line(t, w, START_SECONDS, &nothing);
    if (r == 0 && sscanf(w->line, "ready %d", &w->pid) == 1)
        return 0;
    work_end(w);
    return work_failed(w, r < 0 ? r : -EPROTO, f);
}

/* "done NUMBER..." */
static int parse_answer(struct work *w)
{
    const char *at = scan_after(w->line, "done"), *error = scan_after(w->line, "failed");
    uint64_t err = EPROTO;
    w->numbers = 0;
    if (!at)
        return error && scan_u64(&error, &err) ? -(int)err : -EPROTO;
    while (w->numbers < WORKLOAD_NUMBERS && scan_u64(&at, &w->number[w->numbers]))
        w->numbers++;
    return 0;
}

int work_do(struct selftest *t, struct work *w, uint64_t amount, void (*poll)(void *arg), void *arg,
            struct fail *f)
{
    char line[32];
    struct meanwhile m = {poll, arg};
    int len = snprintf(line, sizeof line, "%" PRIu64 "\n", amount);
    if (net_write(w->process.connection, line, (size_t)len) != len)
        return work_failed(w, -EPIPE, f);
    int r = wait_line(t, w, WORKLOAD_MAX_SECONDS, &m);
    if (r == 0)
        r = parse_answer(w);
    return r < 0 ? work_failed(w, r, f) : 0;
}

/* How it ended; 137 when it did not, in so many tries of 10 ms. */
static int wait_end(struct coprocess *c, int tries)
{
    enum { TRY_MS = 10, KILLED = 137 };
    int status = KILLED;
    while (!coprocess_ended(c, &status) && tries-- > 0)
        wait_ready(NULL, 0, TRY_MS);
    return status;
}

int work_end(struct work *w)
{
    enum { TRIES = 300, TRIES_KILLED = 500 };
    net_close(w->process.connection);
    net_close(w->process.errors);
    int status = wait_end(&w->process, TRIES);
    coprocess_kill(&w->process);
    wait_end(&w->process, TRIES_KILLED);
    return status;
}
