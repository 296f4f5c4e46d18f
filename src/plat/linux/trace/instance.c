/* A tracing instance of tracefs, of our own. */
#include "backends.h"

#include "core/base/grow.h"
#include "files.h"
#include "probes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_PAGE_BYTES = 1 << 20, MIN_BUFFER_BYTES = 64 << 10, MAX_CPUS = 4096 };

struct pipe {
    int cpu, fd;
};

struct instance {
    struct trace base;
    bool made; /* base.dir is there, and ours */
    int guardian;
    struct pipe *pipe;
    size_t pipes, pipe_cap;
    uint8_t *page;
};

/* --- the instance --- */

static int make_instance(struct instance *t, const char *tracefs, struct fail *f)
{
    char *dir = t->base.dir, name[64];
    trace_remove_leftovers(tracefs);
    trace_instance_name(name, sizeof name);
    snprintf(dir, sizeof t->base.dir, "%s/instances/%s", tracefs, name);
    t->guardian = trace_guardian_start(dir); /* before: no instant without it */
    if (mkdir(t->base.dir, 0700) < 0 &&
        (errno != EEXIST || rmdir(t->base.dir) < 0 || mkdir(t->base.dir, 0700) < 0))
        return trace_refused(t->base.dir, errno, f);
    t->made = true;
    return 0;
}

/* As much as the kernel gives, halving. */
static int size_buffer(struct instance *t, struct fail *f)
{
    size_t bytes = t->base.buffer_bytes;
    int r;
    do {
        char text[24];
        t->base.buffer_bytes = bytes < MIN_BUFFER_BYTES ? MIN_BUFFER_BYTES : bytes;
        snprintf(text, sizeof text, "%zu", t->base.buffer_bytes >> 10);
        r = trace_file_write(t->base.dir, "buffer_size_kb", text);
        bytes /= 2;
    } while (r == -ENOMEM && t->base.buffer_bytes > MIN_BUFFER_BYTES);
    return r < 0 ? trace_refused("the trace's buffers", -r, f) : 0;
}

static int set_up(struct instance *t, struct fail *f)
{
    int r = trace_file_write(t->base.dir, "tracing_on", "0");
    if (r == 0)
        r = trace_file_write(t->base.dir, "trace_clock", "mono");
    return r < 0 ? trace_refused(t->base.dir, -r, f) : size_buffer(t, f);
}

static bool add_pipe(struct instance *t, int cpu)
{
    char path[PATH_MAX];
    if (!grow(&t->pipe, &t->pipe_cap, t->pipes, sizeof *t->pipe))
        return false;
    snprintf(path, sizeof path, "%s/per_cpu/cpu%d/trace_pipe_raw", t->base.dir, cpu);
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    t->pipe[t->pipes++] = (struct pipe){cpu, fd};
    return true;
}

static int open_pipes(struct instance *t, struct fail *f)
{
    char path[PATH_MAX];
    bool whole = true;
    snprintf(path, sizeof path, "%s/per_cpu", t->base.dir);
    DIR *dir = opendir(path);
    struct dirent *d;
    while (dir && whole && (d = readdir(dir))) {
        int cpu;
        if (sscanf(d->d_name, "cpu%d", &cpu) == 1 && cpu >= 0 && cpu < MAX_CPUS)
            whole = add_pipe(t, cpu);
    }
    int err = errno;
    if (dir)
        closedir(dir);
    t->page = malloc(MAX_PAGE_BYTES);
    return whole && t->pipes && t->page ? 0 : trace_refused(path, err ? err : ENOMEM, f);
}

static int close_instance(struct trace *base, struct fail *f)
{
    struct instance *t = (struct instance *)base;
    for (size_t i = 0; i < t->pipes; i++)
        close(t->pipe[i].fd);
    if (t->made)
        rmdir(t->base.dir);
    if (t->made && base->has_probes)
        trace_probes_remove(base->dir);
    int r = trace_guardian_end(t->guardian, f);
    free(t->pipe);
    free(t->page);
    free(t);
    return r;
}

/* What is written into trace_marker is always there. */
static int enable_event(struct trace *t, const char *name, struct fail *f)
{
    char file[256];
    if (strncmp(name, "ftrace/", 7) == 0)
        return 0;
    snprintf(file, sizeof file, "events/%s/enable", name);
    int r = trace_file_write(t->dir, file, "1");
    return r < 0 ? trace_refused(name, -r, f) : 0;
}

static int start_tracing(struct trace *t, struct fail *f)
{
    int r = trace_file_write(t->dir, "tracing_on", "1");
    return r < 0 ? trace_refused(t->dir, -r, f) : 0;
}

/* Probes first: what they are hit by is in the buffer. */
static void stop_tracing(struct trace *t)
{
    if (t->has_probes)
        trace_file_write(t->dir, "events/enable", "0");
    trace_file_write(t->dir, "tracing_on", "0");
    trace_file_write(t->dir, "events/enable", "0");
}

static size_t read_pipe(struct instance *t, const struct pipe *p, trace_bytes_fn *emit, void *arg)
{
    size_t bytes = 0;
    while (bytes < t->base.buffer_bytes) {
        ssize_t n = read(p->fd, t->page, MAX_PAGE_BYTES);
        if (n <= 0)
            break;
        emit(arg, p->cpu, t->page, (size_t)n);
        bytes += (size_t)n;
    }
    return bytes;
}

static size_t read_pages(struct trace *base, trace_bytes_fn *emit, void *arg)
{
    struct instance *t = (struct instance *)base;
    size_t max_bytes = 0;
    for (size_t i = 0; i < t->pipes; i++) {
        size_t bytes = read_pipe(t, &t->pipe[i], emit, arg);
        max_bytes = bytes > max_bytes ? bytes : max_bytes;
    }
    return max_bytes;
}

static const struct trace_ops ops = {.method = "tracefs",
                                     .pages = true,
                                     .close = close_instance,
                                     .enable = enable_event,
                                     .start = start_tracing,
                                     .stop = stop_tracing,
                                     .read = read_pages};

int trace_instance_open(const char *tracefs, const struct ring_size *size, struct trace **out,
                        struct fail *f)
{
    struct instance *t = calloc(1, sizeof *t);
    if (!t)
        return fail_set(f, ENOMEM, "trace");
    trace_init(&t->base, &ops, size);
    t->guardian = -1;
    int r = make_instance(t, tracefs, f);
    if (r == 0)
        r = set_up(t, f);
    if (r == 0)
        r = open_pipes(t, f);
    if (r < 0)
        close_instance(&t->base, NULL);
    else
        *out = &t->base;
    return r;
}
