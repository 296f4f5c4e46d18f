/*
 * graph_decode: turns the records of the kernel's tracer function_graph
 * (Documentation/trace/ftrace.rst) into entries and exits of functions, by the formats of
 * ftrace/funcgraph_entry and ftrace/funcgraph_exit.
 */
#pragma once

#include "core/trace/page.h"

enum topo_event_kind {
    TOPO_ENTRY,
    TOPO_EXIT, /* with the times of the call */
    TOPO_GAP,  /* records of this CPU are missing, from time up to return_ns */
};

struct topo_event {
    enum topo_event_kind kind;
    int cpu;
    int64_t pid;      /* of the thread; 0: the idle one of this CPU; below 0: no thread */
    uint64_t time_ns; /* of the record: what orders records of all CPUs */
    uint64_t address; /* in the function */
    int64_t depth;    /* in the thread's list of calls that are traced; TOPO_NO_DEPTH: one deeper
                         than the last call that it is in, and call_ns and return_ns are not known,
                         but when it was entered */
    uint64_t call_ns, return_ns;
    uint64_t missed; /* records; TRACE_MISSED_MANY: an unknown number */
};

enum { TOPO_MAX_CPUS = 4096 };
#define TOPO_NO_DEPTH INT64_MIN

struct topo_graph_fields {
    uint32_t id; /* 0: not learned */
    struct trace_field pid, function, depth, call, ret;
};

struct topo_graph_decoder {
    struct trace_page_layout layout; /* the caller's to set */
    struct trace_field type;
    struct topo_graph_fields entry, exit;
    uint64_t latest_ns[TOPO_MAX_CPUS]; /* of the records so far, by CPU */
    uint64_t damaged;                  /* pages */
};

typedef void topo_graph_emit_fn(void *arg, const struct topo_event *e);

/* Learns one of the two by its format file. -EINVAL: it is none, or lacks a field. */
int topo_graph_learn(struct topo_graph_decoder *d, const char *format, size_t len);

/* All events of a page, in order, a gap before them where some are missing. */
void topo_graph_decode_page(struct topo_graph_decoder *d, int cpu, const uint8_t *page, size_t len,
                            topo_graph_emit_fn *emit, void *arg);
