/* trace_pipes: the raw pages of a folder's ring buffers (per_cpu/cpuN/trace_pipe_raw). */
#pragma once

#include "backends.h"
#include "core/trace/format.h"

struct trace_pipe;

struct trace_pipes {
    struct trace_pipe *pipe;
    size_t pipes, cap;
    uint8_t *page;
    const char *dir;
    struct trace_page_layout layout;
};

/* Of all CPUs. The name of the folder must stay. On failure what was opened is left to
 * trace_pipes_close. */
int trace_pipes_open(struct trace_pipes *p, const char *dir, struct fail *f);
void trace_pipes_close(struct trace_pipes *p);

/* As trace_read, at most max_bytes of each CPU. Behind a page that had no room for the number of
 * events lost before it is that number (core/trace/page.h). */
size_t trace_pipes_read(struct trace_pipes *p, size_t max_bytes, trace_bytes_fn *emit, void *arg);
