/* Tracepoints by perf events: an event a tracepoint and CPU, a ring a CPU. Their numbers are in
 * tracefs, which is read only. */
#include "perf/perf.h"
#include "backends.h"
#include "core/base/grow.h"
#include "perf/event_find.h"
#include "perf/perf_ring.h"
#include "process/descriptors.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

struct perf_trace {
    struct trace base;
    int *cpu;
    int cpus;
    struct perf_ring *ring; /* one a CPU */
    int *event;             /* every descriptor */
    size_t events, event_cap;
    uint8_t spare[PERF_RING_RECORD_MAX];
};

static int close_perf(struct trace *base, struct fail *f)
{
    SCOPED_FREE struct perf_trace *t = (struct perf_trace *)base;
    for (int i = 0; t->ring && i < t->cpus; i++)
        perf_ring_unmap(&t->ring[i]);
    for (size_t i = 0; i < t->events; i++)
        close(t->event[i]);
    free(t->ring);
    free(t->event);
    free(t->cpu);
    return 0;
}

static int fill_tracepoint_attr(const struct trace *t, const char *name, struct perf_event_attr *a)
{
    char path[PATH_MAX], id[32];
    snprintf(path, sizeof path, "%s/events/%s/id", t->dir, name);
    int r = event_file(path, id, sizeof id);
    *a = (struct perf_event_attr){.size = sizeof *a,
                                  .type = PERF_TYPE_TRACEPOINT,
                                  .config = r < 0 ? 0 : strtoull(id, NULL, 10),
                                  .sample_period = 1,
                                  .sample_type =
                                      PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW,
                                  .sample_id_all = 1,
                                  .disabled = 1,
                                  .use_clockid = 1,
                                  .clockid = CLOCK_MONOTONIC};
    return r;
}

/* The first of a CPU brings its ring; as much of it as may be locked. */
static int add_ring(struct perf_trace *t, int i, int fd)
{
    int r;
    for (size_t bytes = t->base.buffer_bytes;
         (r = perf_ring_map(&t->ring[i], fd, bytes)) == -ENOBUFS || r == -ENOMEM; bytes /= 2)
        if (bytes <= perf_ring_size(1))
            break;
    return r;
}

static int add_event(struct perf_trace *t, struct perf_event_attr *a, int i)
{
    if (!grow(&t->event, &t->event_cap, t->events, sizeof *t->event))
        return -ENOMEM;
    int fd = perf_open(a, -1, t->cpu[i], -1, PERF_FLAG_FD_CLOEXEC);
    if (fd < 0)
        return errno == ENODEV ? 0 : -errno; /* that CPU went away */
    t->event[t->events++] = fd;
    if (!t->ring[i].page)
        return add_ring(t, i, fd);
    return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, t->ring[i].fd) < 0 ? -errno : 0;
}

/* Marks are an instance's. */
static int enable_tracepoint(struct trace *base, const char *name, struct fail *f)
{
    struct perf_trace *t = (struct perf_trace *)base;
    struct perf_event_attr a;
    if (strncmp(name, "ftrace/", 7) == 0)
        return 0;
    int r = fill_tracepoint_attr(base, name, &a);
    for (int i = 0; r == 0 && i < t->cpus; i++)
        r = add_event(t, &a, i);
    return r < 0 ? trace_refused(name, -r, f) : 0;
}

static void switch_all(struct perf_trace *t, unsigned long request)
{
    for (size_t i = 0; i < t->events; i++)
        ioctl(t->event[i], request, 0);
}

static int start_events(struct trace *t, struct fail *f)
{
    switch_all((struct perf_trace *)t, PERF_EVENT_IOC_ENABLE);
    return 0;
}

static void stop_events(struct trace *t)
{
    switch_all((struct perf_trace *)t, PERF_EVENT_IOC_DISABLE);
}

struct record_sink {
    trace_bytes_fn *emit;
    void *arg;
    int cpu;
    size_t bytes;
};

static void pass_record(void *arg, const void *record, size_t len)
{
    struct record_sink *g = arg;
    g->bytes += len;
    g->emit(g->arg, g->cpu, record, len);
}

static size_t read_rings(struct trace *base, trace_bytes_fn *emit, void *arg)
{
    struct perf_trace *t = (struct perf_trace *)base;
    size_t max_bytes = 0;
    for (int i = 0; i < t->cpus; i++) {
        struct record_sink g = {emit, arg, t->cpu[i], 0};
        perf_ring_read(&t->ring[i], t->spare, pass_record, &g);
        max_bytes = g.bytes > max_bytes ? g.bytes : max_bytes;
    }
    return max_bytes;
}

static const struct trace_ops ops = {.method = "perf tracepoints",
                                     .close = close_perf,
                                     .enable = enable_tracepoint,
                                     .start = start_events,
                                     .stop = stop_events,
                                     .read = read_rings};

/* That the first tracepoint can be had is seen at once. */
static int check_tracepoint(struct perf_trace *t)
{
    struct perf_event_attr a;
    int r = fill_tracepoint_attr(&t->base, "sched/sched_switch", &a);
    SCOPED_FD fd = r < 0 ? r : perf_open(&a, -1, t->cpu[0], -1, PERF_FLAG_FD_CLOEXEC);
    return r == 0 && fd < 0 ? -errno : r;
}

int trace_perf_open(const char *tracefs, const struct ring_size *size, struct trace **out,
                    struct fail *f)
{
    struct perf_trace *t = calloc(1, sizeof *t);
    if (!t)
        return fail_set(f, ENOMEM, "trace");
    trace_init(&t->base, &ops, size);
    snprintf(t->base.dir, sizeof t->base.dir, "%s", tracefs);
    t->base.buffer_bytes = perf_ring_size(size->bytes);
    t->cpus = perf_cpus(&t->cpu);
    t->ring = t->cpus > 0 ? calloc((size_t)t->cpus, sizeof *t->ring) : NULL;
    int r = t->cpus < 0 ? t->cpus : !t->ring ? -ENOMEM : check_tracepoint(t);
    if (r < 0) {
        t->cpus = t->cpus < 0 ? 0 : t->cpus;
        close_perf(&t->base, NULL);
        return trace_refused("perf events", -r, f);
    }
    *out = &t->base;
    return 0;
}
