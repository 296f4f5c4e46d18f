/*
 * call_graph: collects calls of a function of the running kernel and of all below it, by the tracer
 * function_graph, until as many are complete as wanted, or an interrupt.
 */
#ifndef PSUITE_ENGINE_TRACE_CALL_GRAPH_H
#define PSUITE_ENGINE_TRACE_CALL_GRAPH_H

#include "core/base/fail.h"
#include "core/topo/threads.h"
#include "engine/trace/kernel_text.h"

struct call_graph_want {
    const char *function, *module; /* module: of the function; NULL: any; "kernel": none */
    uint64_t runs;
    double seconds;     /* 0: until there are as many runs */
    struct buf *events; /* appended to as topo_runs do; NULL: not kept */
    void (*round)(void *arg, uint64_t runs); /* now and then, with those that are complete */
    void *arg;
};

struct call_graph {
    char method[128];
    uint64_t lost, losses; /* events that did not fit the kernel's buffers; places where that was.
                              A loss of unknown size counts only as a place */
    uint64_t damaged;      /* pages that could not be decoded */
};

/* t is initialised, and completed here. -ESRCH: no function has this name; errors of
 * trace_graph_open. */
int call_graph_collect(const struct call_graph_want *want, struct topo *t, struct call_graph *out,
                       struct fail *f);

#endif
