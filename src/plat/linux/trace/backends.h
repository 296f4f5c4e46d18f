/*
 * trace_ways: the interface of a tracing backend (plat/trace.h is its manual): an instance of
 * tracefs, or, where that can be read but not written, perf events. trace.c chooses and calls
 * through here.
 *
 * An implementation puts a struct trace first in its own and fills it when it is open.
 */
#pragma once

#include "perf/ring_size.h"
#include "plat/trace.h"

typedef void trace_bytes_fn(void *arg, int cpu, const uint8_t *bytes, size_t len);

struct trace_ops {
    const char *method; /* its name */
    bool pages;
    int (*close)(struct trace *t, struct fail *f);
    int (*enable)(struct trace *t, const char *name, struct fail *f);
    int (*start)(struct trace *t, struct fail *f);
    void (*stop)(struct trace *t);
    size_t (*read)(struct trace *t, trace_bytes_fn *take, void *arg);
};

enum { TRACE_DIR_BYTES = 2048 };

struct trace {
    const struct trace_ops *ops;
    char dir[TRACE_DIR_BYTES];  /* whose events/ has the formats */
    char method[128];           /* its name, and a note on its rings */
    size_t buffer_bytes;        /* a CPU */
    bool has_probes;            /* were defined */
    bool real_time, is_reniced; /* which it became */
    int nice;                   /* before */
};

/* Of the tracefs at that path, with rings as decided for BUFFERS_TRACEFS or BUFFERS_TRACEPOINTS. On
 * failure *out is untouched. */
int trace_instance_open(const char *tracefs, const struct ring_size *size, struct trace **out,
                        struct fail *f);
int trace_perf_open(const char *tracefs, const struct ring_size *size, struct trace **out,
                    struct fail *f);

/* The same of an instance whose pages the caller opens (pipes.h): nothing can be read by it. */
int trace_instance_make(const char *tracefs, const struct ring_size *size, struct trace **out,
                        struct fail *f);

/* What an implementation begins with. */
void trace_init(struct trace *t, const struct trace_ops *ops, const struct ring_size *size);

/* -err, with f filled, and the remedy where root could. */
int trace_refused(const char *what, int err, struct fail *f);

/* guardian.c: a process that removes the instance DIR when this one ends without
 * trace_guardian_end. Its handle; -1: there is none, and what is left is removed at the next start.
 */
int trace_guardian_start(const char *dir);
/* The same for anything: undo(arg) is called there, which sees memory as it is now. path: of the
 * tracefs that it needs. */
int trace_guard(void (*undo)(const void *arg), const void *arg, const char *path);
/* -ESRCH: it has not lived until now. */
int trace_guardian_end(int handle, struct fail *f);
