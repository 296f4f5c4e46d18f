/*
 * call_graph: collects calls of a function of the running kernel and of all below it, by the tracer
 * function_graph, until as many are complete as wanted, or an interrupt. Where the kernel has no
 * such tracer, by kprobes of the functions that its code calls: not of those that are called by
 * pointers.
 */
#pragma once

#include "core/base/fail.h"
#include "core/topo/threads.h"
#include "engine/trace/kernel_text.h"

struct call_graph_want {
    const char *function, *module; /* module: of the function; NULL: any; "kernel": none */
    uint64_t runs;
    bool probes;                             /* by kprobes in any case */
    double seconds;                          /* 0: until there are as many runs */
    struct buf *events;                      /* appended to as topo_runs do; NULL: not kept */
    void (*round)(void *arg, uint64_t runs); /* now and then, with those that are complete */
    void *arg;
};

struct call_graph {
    uint64_t lost, losses; /* events that did not fit the kernel's buffers; places where that was.
                              A loss of unknown size counts only as a place */
    uint64_t damaged;      /* pages that could not be decoded */
    uint64_t probes;       /* functions that have one; 0: it was by function_graph */
    uint64_t left_out;     /* functions that have none, as there are too many */
    uint64_t missed;       /* entries or exits that were not recorded, by the kernel's count */
};

/* t is initialised, and completed here. -ESRCH: no function has this name; errors of
 * trace_graph_open, trace_probe and kernel_memory_open. */
int call_graph_collect(const struct call_graph_want *want, struct topo *t, struct call_graph *out,
                       struct fail *f);
