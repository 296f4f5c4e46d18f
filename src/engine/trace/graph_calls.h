/*
 * graph_calls: entries and exits below a function of the kernel by the tracer function_graph, in
 * order of time:
 *
 *     graph_calls_start(&g, &want, &f);
 *     graph_calls_round(&g);            now and then
 *     graph_calls_stop(&g, &f);         hands on all that is left, and restores tracefs
 */
#pragma once

#include "core/base/fail.h"
#include "core/perf/reorder.h"
#include "core/topo/graph_decode.h"

struct trace;

struct graph_calls {
    const char *function;
    topo_graph_emit_fn *emit;
    void *arg;
    struct trace *trace;
    struct topo_graph_decoder *decoder;
    struct order order;
    uint64_t damaged; /* pages; when it has stopped */
};

/* function, emit and arg are set. Errors of trace_graph_open. */
int graph_calls_start(struct graph_calls *g, struct fail *f);
void graph_calls_round(struct graph_calls *g);
int graph_calls_stop(struct graph_calls *g, struct fail *f);
