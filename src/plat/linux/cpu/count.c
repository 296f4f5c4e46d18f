#include "plat/count.h"

#include "perf/event_names.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_event(const struct count_event *e, bool kernel, bool inherit)
{
    struct perf_event_attr attr = {
        .type = e->type,
        .size = sizeof attr,
        .config = e->config,
        .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
        .disabled = 1,
        .inherit = inherit,
        .enable_on_exec = inherit,
        .exclude_user = !e->user,
        .exclude_kernel = !kernel,
        .exclude_hv = 1,
    };
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static enum counter_state state_of(int err)
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

/*
 * A task and its child with the same inherited events are clones to the kernel, which then swaps
 * their contexts instead of their counters when it switches between them. The child's exec would
 * find our own events in its context and use up their enable_on_exec: every run but the first would
 * read 0. An idle event that is not inherited, kept open in the same context, makes the two differ.
 */
static int open_children(const struct count_event *e, bool kernel)
{
    int fd = open_event(e, kernel, true);
    if (fd >= 0 && open_event(e, kernel, false) < 0) {
        int err = errno;
        close(fd);
        errno = err;
        return -1;
    }
    return fd;
}

int count_open_children(const struct count_event *e, enum counter_state *state)
{
    int fd = open_children(e, e->kernel);
    *state = COUNTER_COUNTED;
    if (fd < 0 && (errno == EACCES || errno == EPERM) && e->user && e->kernel && !e->in_kernel) {
        fd = open_children(e, false);
        /* the software clocks count the kernel's part also when that is excluded */
        *state = event_is_clock(e->type, e->config) ? COUNTER_COUNTED : COUNTER_USER_ONLY;
    }
    if (fd < 0)
        *state = state_of(errno);
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
