/* A command with breakpoints: its start and its end. */
#include "breaks_parts.h"
#include "plat/clock.h"
#include "process/child_end.h"
#include "process/child_prepare.h"
#include "ptrace/call_filter.h"
#include "ptrace/forward.h"
#include "ptrace/tracee_status.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

static int hold_command(struct breaks *b, char *const argv[], struct fail *f)
{
    const struct child_setup setup = {.filter = call_filter_cpus};
    int r = child_hold_prepared(argv, &setup, &b->child, f);
    if (r < 0)
        return r;
    b->child.filtered = call_filter_is_available() && place_init(&b->place);
    if (ptrace(PTRACE_SEIZE, b->child.pid, NULL, (void *)breaks_options(true)) < 0)
        r = ptrace_fail_denied(b->child.pid, errno, f);
    else if (!broken_add_outside(b, b->child.pid))
        r = fail_set(f, ENOMEM, "ptrace");
    if (r < 0)
        child_kill(&b->child);
    return r;
}

int breaks_command(char *const argv[], const struct breaks_callbacks *callbacks,
                   struct breaks **out, struct fail *f)
{
    struct breaks *b = calloc(1, sizeof *b);
    if (!b)
        return fail_set(f, ENOMEM, "ptrace");
    b->callbacks = *callbacks;
    int r = hold_command(b, argv, f);
    if (r < 0) {
        breaks_free(b);
        return r;
    }
    *out = b;
    return 0;
}

size_t breaks_lost(const struct breaks *b)
{
    return b->lost;
}

void breaks_free(struct breaks *b)
{
    if (b)
        threads_release(&b->threads);
    free(b);
}

bool breaks_handle_next(struct breaks *b)
{
    int status;
    struct rusage used;
    pid_t tid = wait4(-1, &status, __WALL, &used);
    bool goes_on = tid > 0 || errno == EINTR;
    place_tick(&b->place);
    if (tid < 0)
        return goes_on;
    breaks_on_wait_status(b, tid, status);
    if (tid == b->child.pid && b->has_ended && !WIFSTOPPED(status))
        child_end_of(status, &used, &b->end);
    return true;
}

int breaks_run(struct breaks *b, struct child_end *end, struct fail *f)
{
    struct child_end reaped;
    forward_signals(b->child.pid);
    int r = child_release(&b->child, f);
    if (r < 0)
        return r;
    while (b->threads.count && breaks_handle_next(b))
        ;
    child_wait(&b->child, &reaped, NULL); /* closes its handles */
    *end = b->end;
    end->real_ns = (b->end_ns ? b->end_ns : clock_mono_ns()) - b->child.start_ns;
    return 0;
}
