/*
 * trace_pipes: the raw pages of a folder's ring buffers (per_cpu/cpuN/trace_pipe_raw).
 */
#pragma once

#include "backends.h"

struct trace_pipe;

struct trace_pipes {
    struct trace_pipe *pipe;
    size_t pipes, cap;
    uint8_t *page;
};

/* Of all CPUs. On failure what was opened is left to trace_pipes_close. */
int trace_pipes_open(struct trace_pipes *p, const char *dir, struct fail *f);
void trace_pipes_close(struct trace_pipes *p);

/* As trace_read, at most max_bytes of each CPU. */
size_t trace_pipes_read(struct trace_pipes *p, size_t max_bytes, trace_bytes_fn *emit, void *arg);
