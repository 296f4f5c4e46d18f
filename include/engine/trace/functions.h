/*
 * functions: traces entries and exits of functions of the kernel, by probes (plat/trace.h), or of
 * system calls, by their tracepoints, and hands them on in order of time:
 *
 *     functions_start(&t, &want, &f);
 *     functions_round(&t);               now and then: every 50 ms is enough
 *     functions_stop(&t, &f);            hands on all that is left, and removes the probes
 */
#pragma once

#include "core/base/fail.h"
#include "core/ktrace/call_format.h"
#include "core/ktrace/decode.h"
#include "core/ktrace/pack.h"
#include "core/perf/reorder.h"
#include "engine/trace/kernel_text.h"
#include "plat/trace.h"

enum { FUNCTIONS_ROUND_MS = 50, FUNCTIONS_MAX = 1000 };

struct traced_function {
    uint64_t start, last; /* what its entries and exits have as pc */
    const struct symbol *symbol;
    uint8_t args; /* how many are recorded; with those that point to a text, as bits */
    uint8_t texts;
    bool returns_text;
};

/* Events of a CPU that did not fit the kernel's buffer. */
struct functions_loss {
    int cpu;
    uint64_t from, to; /* between the events of these times, in their unit; 0: not known */
    uint64_t count;    /* 0: not known */
};

struct functions_want {
    const struct kernel_text *text;         /* must stay */
    const struct traced_function *function; /* must stay */
    size_t count;
    struct ktrace_signatures *calls; /* they are system calls, whose signatures are learned; NULL:
                                        functions */
    size_t buffer_bytes;             /* a CPU; 0: plat/trace.h's default */
    const int *pid;                  /* only these threads, and what they start; none: all */
    size_t pids;
    bool stacks; /* with the stack of each call */
    bool ticks;  /* times are those of the processor's counter; else ns */
    ktrace_emit_fn *event;
    void (*loss)(void *arg, const struct functions_loss *l); /* in their order; NULL: not called */
    void *arg;
};

struct functions {
    struct functions_want want;
    struct trace *trace; /* NULL: it does not run */
    struct ktrace_decoder decoder;
    struct order order;
    bool has_texts;   /* of system calls */
    uint64_t hz;      /* of the ticks that times in ns are turned into; 0: they are not */
    bool converted;   /* ticks were asked for, but are computed */
    uint64_t refused; /* functions that the kernel has no probe for, or tracepoint */
    uint64_t own_pid; /* of this process: asked for once, as asking is calls, too; 0: not known */
    uint64_t own;     /* events of this process, which were left out */
    uint16_t cpu;     /* of the page that is read; the time of its first event */
    uint64_t first;
    struct imap latest;               /* times, by CPU */
    struct trace_probe_counts counts; /* the kernel's own; when it has stopped */
};

/* Errors of trace_open and trace_probe. -ESRCH: no probe of any function. */
int functions_start(struct functions *t, const struct functions_want *want, struct fail *f);
void functions_round(struct functions *t);
/* -ESRCH as trace_close; -ENOMEM: events were dropped. */
int functions_stop(struct functions *t, struct fail *f);
