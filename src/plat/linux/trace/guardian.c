/* A process that removes the instance and its probes, or undoes something else, when ours is
 * killed. It has nothing open but the end of a pair and the private tracefs, if there is one. */
#include "backends.h"
#include "plat/apart.h"
#include "probes.h"
#include "process/oom_score.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 1000, PAUSE_NS = 10000000 };

struct guarded {
    void (*undo)(const void *arg);
    const void *arg;
    int end;
};

/* Busy until the killed process has closed all that it had open there. */
static void remove_instance(const char *dir)
{
    for (int i = 0; i < TRIES && rmdir(dir) < 0 && errno == EBUSY; i++)
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
}

/* A probe can be removed when no instance has it on. */
static void remove_all(const void *dir)
{
    remove_instance(dir);
    trace_probes_remove(dir);
}

static void run_guardian(void *arg)
{
    const struct guarded *g = arg;
    char byte;
    oom_score_restore(); /* it frees memory when psuite is killed for it */
    if (apart_receive(g->end, &byte, 1) < 0)
        g->undo(g->arg);
}

int trace_guard(void (*undo)(const void *arg), const void *arg, const char *path)
{
    int pair[2], keep[2], n = 1;
    if (apart_pair(pair, NULL) < 0)
        return -1;
    struct guarded g = {undo, arg, pair[1]};
    keep[0] = pair[1];
    if (sscanf(path, "/proc/self/fd/%d", &keep[1]) == 1)
        n = 2;
    int r = apart_start_guardian(run_guardian, &g, keep, (size_t)n, NULL);
    apart_close(pair[1]);
    if (r < 0)
        apart_close(pair[0]);
    return r < 0 ? -1 : pair[0];
}

int trace_guardian_start(const char *dir)
{
    return trace_guard(remove_all, dir, dir);
}

int trace_guardian_end(int end, struct fail *f)
{
    int r = end >= 0 ? apart_send(end, "", 1) : 0;
    apart_close(end);
    if (r == 0)
        return 0;
    fail_set(f, 0,
             "the tracing instance: the process that guards it was killed; the trace is "
             "complete");
    fail_hint(f, "memory may have run out: see dmesg");
    return -ESRCH;
}
