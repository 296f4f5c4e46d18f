/*
 * probe_calls: entries and exits of a function of the kernel and of those below it that its code
 * calls (callees.h), by kprobes, in order of time:
 *
 *     probe_calls_start(&p, &f);
 *     functions_round(&p.functions);    now and then
 *     probe_calls_stop(&p, &f);         hands on all that is left, and removes the probes
 *
 * What runs in an interrupt is a thread of its own, of its processor. Meanwhile this process comes
 * before ordinary ones (trace_raise_priority).
 */
#pragma once

#include "callees.h"
#include "core/topo/graph_decode.h"

enum { PROBE_CALLS_MAX = 100 }; /* functions */

struct probe_calls {
    const struct kernel_text *text;
    const uint64_t *start; /* of the functions at the top */
    size_t starts;
    topo_graph_emit_fn *emit;
    void *arg;
    struct callees callees;
    struct functions functions;
};

/* What stands before callees is set. Errors of callees_find and functions_start. */
int probe_calls_start(struct probe_calls *p, struct fail *f);
int probe_calls_stop(struct probe_calls *p, struct fail *f);
