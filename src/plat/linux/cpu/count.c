#include "count_open.h"

#include "perf/event_names.h"
#include "perf/perf.h"
#include "process/descriptors.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <unistd.h>

int count_open_event(const struct count_event *e, const struct count_target *t)
{
    struct perf_event_attr attr = {
        .type = e->type,
        .size = sizeof attr,
        .config = e->config,
        .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
        .disabled = 1,
        .inherit = t->inherit,
        .enable_on_exec = t->on_exec,
        .exclude_user = !e->user,
        .exclude_kernel = !t->kernel,
        .exclude_hv = 1,
    };
    return perf_open(&attr, t->tid, t->cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

enum counter_state count_state_of(int err)
{
    switch (err) {
    case EACCES:
    case EPERM:
        return COUNTER_DENIED;
    case EMFILE:
    case ENFILE:
    case EBUSY:
    case ENOSPC:
        return COUNTER_BUSY;
    default: /* ENOENT, EOPNOTSUPP, ENODEV, EINVAL; ENOSYS: a kernel without perf events */
        return COUNTER_MISSING;
    }
}

bool count_without_kernel(const struct count_event *e, int err, enum counter_state *state)
{
    if ((err != EACCES && err != EPERM) || !e->user || !e->kernel || e->in_kernel)
        return false;
    /* the software clocks count the kernel's part also when that is excluded */
    *state = event_is_clock(e->type, e->config) ? COUNTER_COUNTED : COUNTER_USER_ONLY;
    return true;
}

/*
 * A task and its child with the same inherited events are clones to the kernel, which then swaps
 * their contexts instead of their counters when it switches between them. The child's exec would
 * find our own events in its context and use up their enable_on_exec: every run but the first would
 * read 0. An idle event that is not inherited, kept open in the same context, makes the two differ.
 */
static int open_children(const struct count_event *e, bool kernel)
{
    const struct count_target here = {
        .tid = 0, .cpu = -1, .kernel = kernel, .inherit = true, .on_exec = true};
    const struct count_target idle = {.tid = 0, .cpu = -1, .kernel = kernel};
    int fd = count_open_event(e, &here);
    if (fd >= 0 && count_open_event(e, &idle) < 0)
        descriptor_close(&fd);
    return fd;
}

int count_open_children(const struct count_event *e, enum counter_state *state)
{
    int fd = open_children(e, e->kernel);
    *state = COUNTER_COUNTED;
    if (fd < 0 && count_without_kernel(e, errno, state))
        fd = open_children(e, false);
    if (fd < 0)
        *state = count_state_of(errno);
    return fd;
}

void count_read(int fd, struct counter_reading *out)
{
    uint64_t raw[3] = {0, 0, 0};
    if (fd >= 0 && read(fd, raw, sizeof raw) != sizeof raw)
        raw[0] = raw[1] = raw[2] = 0;
    out->count = raw[0];
    out->enabled_ns = raw[1];
    out->running_ns = raw[2];
}
