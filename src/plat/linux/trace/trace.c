#include "plat/trace.h"

#include "backends.h"
#include "files.h"
#include "fs/tracefs.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { RAISED_NICE = -15 }; /* nice */

int trace_refused(const char *what, int err, struct fail *f)
{
    fail_set(f, err, "%s", what);
    if (err == EACCES || err == EPERM)
        fail_hint(f, "tracing needs root: run it with sudo, or as root");
    return -err;
}

void trace_init(struct trace *t, const struct trace_ops *ops, const struct ring_size *size)
{
    t->ops = ops;
    t->buffer_bytes = size->bytes;
    snprintf(t->method, sizeof t->method, "%s", ops->method);
    ring_size_note(size, t->method, sizeof t->method);
}

typedef int open_fn(const char *tracefs, const struct ring_size *size, struct trace **out,
                    struct fail *f);

/* -ENOMEM with nothing of it opened where memory is short. */
static int open_with_rings(open_fn *open, enum buffers_use use, const char *tracefs,
                           size_t asked_bytes, struct trace **out, struct fail *f)
{
    struct ring_size size;
    long cpus = sysconf(_SC_NPROCESSORS_CONF); /* an instance has rings for all */
    int r = ring_size_decide(use, (int)cpus, asked_bytes, &size, f);
    return r < 0 ? r : open(tracefs, &size, out, f);
}

static bool is_instance_unavailable(int r)
{
    return r == -EACCES || r == -EPERM || r == -EROFS || r == -ENOENT || r == -ENOMEM;
}

/* Perf events of the same tracepoints take less memory than an instance. The reason why tracefs
 * failed is reported if they fail as well, except that they need less memory. */
int trace_open(size_t buffer_bytes, struct trace **out, struct fail *f)
{
    char tracefs[TRACE_DIR_BYTES / 2];
    struct fail by_perf;
    size_t asked = buffer_bytes < TRACE_BUFFER_BYTES ? buffer_bytes : TRACE_BUFFER_BYTES;
    int r = tracefs_find(tracefs, sizeof tracefs);
    if (r < 0)
        return tracefs_refused("tracing", r, f);
    r = open_with_rings(trace_instance_open, BUFFERS_TRACEFS, tracefs, asked, out, f);
    if (!is_instance_unavailable(r))
        return r;
    int p = open_with_rings(trace_perf_open, BUFFERS_TRACEPOINTS, tracefs, asked, out, &by_perf);
    if (p == -ENOMEM && r == -ENOMEM && f)
        *f = by_perf;
    return p < 0 ? r : 0;
}

int trace_close(struct trace *t, struct fail *f)
{
    return t ? t->ops->close(t, f) : 0;
}

const char *trace_method(const struct trace *t)
{
    return t->method;
}

bool trace_has_pages(const struct trace *t)
{
    return t->ops->pages;
}

size_t trace_buffer_bytes(const struct trace *t)
{
    return t->buffer_bytes;
}

int trace_text(struct trace *t, const char *name, struct buf *out)
{
    char file[256];
    snprintf(file, sizeof file, "events/%s%s", name, strchr(name, '/') ? "/format" : "");
    return trace_file_read(t->dir, file, out);
}

int trace_enable(struct trace *t, const char *name, struct fail *f)
{
    return t->ops->enable(t, name, f);
}

int trace_start(struct trace *t, struct fail *f)
{
    return t->ops->start(t, f);
}

void trace_raise_priority(struct trace *t)
{
    struct sched_param lowest = {.sched_priority = sched_get_priority_min(SCHED_RR)};
    if (sched_getscheduler(0) != SCHED_OTHER)
        return;
    t->real_time = sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &lowest) == 0;
    t->nice = getpriority(PRIO_PROCESS, 0);
    t->is_reniced =
        !t->real_time && t->nice > RAISED_NICE && setpriority(PRIO_PROCESS, 0, RAISED_NICE) == 0;
}

/* Only a privileged process can undo the reset of children. */
static void reset_priority(void)
{
    struct sched_param none = {.sched_priority = 0};
    if (sched_setscheduler(0, SCHED_OTHER, &none) < 0)
        sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &none);
}

void trace_stop(struct trace *t)
{
    t->ops->stop(t);
    if (t->real_time)
        reset_priority();
    if (t->is_reniced)
        setpriority(PRIO_PROCESS, 0, t->nice);
    t->real_time = t->is_reniced = false;
}

size_t trace_read(struct trace *t, trace_bytes_fn *emit, void *arg)
{
    return t->ops->read(t, emit, arg);
}
