/* A tracing instance of tracefs, of our own. */
#include "backends.h"

#include "files.h"
#include "pipes.h"
#include "probes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MIN_BUFFER_BYTES = 64 << 10 };

struct instance {
    struct trace base;
    bool made; /* base.dir is there, and ours */
    int guardian;
    struct trace_pipes pipes;
};

/* --- the instance --- */

static int make_instance(struct instance *t, const char *tracefs, struct fail *f)
{
    char *dir = t->base.dir, name[64];
    trace_remove_leftovers(tracefs);
    char instances[TRACE_DIR_BYTES / 2 + 16];
    snprintf(instances, sizeof instances, "%s/instances", tracefs);
    trace_instance_name(name, sizeof name);
    snprintf(dir, sizeof t->base.dir, "%s/%s", instances, name);
    t->guardian = trace_guardian_start(dir); /* before: no instant without it */
    if (mkdir(t->base.dir, 0700) < 0 &&
        (errno != EEXIST || rmdir(t->base.dir) < 0 || mkdir(t->base.dir, 0700) < 0))
        return trace_refused(instances, errno, f);
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

static int close_instance(struct trace *base, struct fail *f)
{
    SCOPED_FREE struct instance *t = (struct instance *)base;
    trace_pipes_close(&t->pipes);
    if (t->made)
        rmdir(t->base.dir);
    if (t->made && base->has_probes)
        trace_probes_remove(base->dir);
    return trace_guardian_end(t->guardian, f);
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

static size_t read_pages(struct trace *base, trace_bytes_fn *emit, void *arg)
{
    struct instance *t = (struct instance *)base;
    return trace_pipes_read(&t->pipes, base->buffer_bytes, emit, arg);
}

static const struct trace_ops ops = {.method = "tracefs",
                                     .pages = true,
                                     .close = close_instance,
                                     .enable = enable_event,
                                     .start = start_tracing,
                                     .stop = stop_tracing,
                                     .read = read_pages};

int trace_instance_make(const char *tracefs, const struct ring_size *size, struct trace **out,
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
    if (r < 0)
        close_instance(&t->base, NULL);
    else
        *out = &t->base;
    return r;
}

int trace_instance_open(const char *tracefs, const struct ring_size *size, struct trace **out,
                        struct fail *f)
{
    struct trace *t;
    int r = trace_instance_make(tracefs, size, &t, f);
    if (r < 0)
        return r;
    r = trace_pipes_open(&((struct instance *)t)->pipes, t->dir, f);
    if (r < 0)
        close_instance(t, NULL);
    else
        *out = t;
    return r;
}
