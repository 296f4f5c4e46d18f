/*
 * stacks: weighted call chains with names, from which every view and every written format is made,
 * whatever was measured (samples, exact call trees, waits).
 *
 * Everything is interned: equal modules, functions, frames and nodes are there once, and named by
 * their index. Strings are the stacks' own. A node is a chain: its frame, called by its parent's. A
 * parent's index is always below its child's, so that sums run backwards over the array.
 *
 * Building never fails in the caller's face: once out of memory, stacks_error is set, new things
 * are STACKS_NONE and adding to those does nothing. Memory: 16 bytes a node, 24 a sample, and as
 * much for the tables that find them.
 */
#pragma once

#include "core/stacks/summary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STACKS_NONE = UINT32_MAX, STACKS_MAX_VALUES = 8 };

/* What is counted at a node, in this order in every sample: {"samples", "count"}, {"time",
 * "nanoseconds"}; units are pprof's words. The last one is what views weigh by. Static strings. */
struct stacks_value {
    const char *name, *unit;
};

enum stacks_kind { STACKS_USER, STACKS_KERNEL, STACKS_JIT, STACKS_WAIT };

struct stacks_module {
    const char *path;     /* "[kernel]", "[vdso]" and the like for what is no file */
    const char *name;     /* its last part */
    const char *build_id; /* lower-case hex, "" unknown */
};

struct stacks_function {
    const char *name; /* as shown: demangled; "0x1a2b" or "(no symbol)" where there is none */
    const char *raw;  /* as in the file; equal to name when the same */
    const char *file; /* of its source; "" unknown */
    uint32_t module;  /* STACKS_NONE: outside every module */
    uint8_t kind;     /* enum stacks_kind */
};

struct stacks_frame {
    uint32_t function, line; /* line 0: not known */
    uint64_t address;        /* link-time, of the instruction; 0: not known */
    bool inlined;            /* into its parent's function */
};

struct stacks_node {
    uint32_t frame;
    uint32_t parent; /* STACKS_NONE: an outermost frame */
};

struct stacks_thread {
    uint32_t pid, tid;
    const char *name; /* the thread's */
};

/* What was counted at a node in a thread: once for all when stacks are not timed. */
struct stacks_sample {
    uint32_t node;   /* STACKS_NONE: no frame at all is known */
    uint32_t thread; /* STACKS_NONE: of all threads */
    uint64_t time_ns;
};

/* How the samples were taken. */
struct stacks_origin {
    const char *applet, *method; /* "perf cpu-clock, user mode" */
    uint64_t period;             /* of value `period_value' between two samples; 0: exact */
    size_t period_value;
    uint64_t start_ns, duration_ns; /* CLOCK_REALTIME, elapsed; 0 unknown */
    uint64_t lost;                  /* samples that are missing */
    bool uneven;       /* samples weigh so differently that their number means nothing */
    const char *group; /* what the threads are: "machine"; NULL: threads */
};

struct stacks {
    size_t values;
    struct stacks_value value[STACKS_MAX_VALUES];
    struct stacks_origin origin;
    bool timed;                /* each sample is one event, at its time, in order of time */
    struct stacks_ends ends;   /* of unwound chains; stacks_set_ends */
    struct stacks_waits waits; /* where they were sampled */

    struct stacks_module *module;
    struct stacks_function *function;
    struct stacks_frame *frame;
    struct stacks_node *node;
    struct stacks_thread *thread;
    struct stacks_sample *sample;
    uint64_t *amount; /* of sample i: amount[i * values] ... */
    size_t modules, functions, frames, nodes, threads, samples;

    struct stacks_tables *tables; /* stacks.c's own: what finds the above */
};

void stacks_init(struct stacks *s, const struct stacks_value *values, size_t count);
void stacks_release(struct stacks *s);
int stacks_error(const struct stacks *s); /* 0 or -ENOMEM */

/* The index of the equal one, made when new. Strings are copied; NULL is "". */
uint32_t stacks_module(struct stacks *s, const char *path, const char *build_id);
uint32_t stacks_function(struct stacks *s, const struct stacks_function *f);
uint32_t stacks_frame(struct stacks *s, const struct stacks_frame *f);
uint32_t stacks_node(struct stacks *s, uint32_t parent, uint32_t frame);
uint32_t stacks_thread(struct stacks *s, uint32_t pid, uint32_t tid, const char *name);

/* The index of a node that is there; STACKS_NONE: it is not. */
uint32_t stacks_find_node(const struct stacks *s, uint32_t parent, uint32_t frame);

/* The names and units of its values become its own. */
void stacks_own_values(struct stacks *s);

/* The module's name ends with the first digits of its build-id from now on; not while stacks are
 * still added to. */
void stacks_name_build(struct stacks *s, uint32_t module);

/* Adds amounts (values of them). Of stacks that are not timed, equal threads and nodes are one
 * sample. */
void stacks_add(struct stacks *s, uint32_t thread, uint32_t node, uint64_t time_ns,
                const uint64_t *amounts);

/* Copies the rows and their strings. */
void stacks_set_ends(struct stacks *s, const struct stacks_ends *ends);

/* --- asking --- */

static inline const struct stacks_function *stacks_function_of(const struct stacks *s,
                                                               uint32_t node)
{
    return &s->function[s->frame[s->node[node].frame].function];
}

/* The module's name of a function; "" outside every module. */
const char *stacks_module_name(const struct stacks *s, const struct stacks_function *f);

/* Sum of one value over all samples. */
uint64_t stacks_total(const struct stacks *s, size_t value);

/* Sums a node of one value: its own, and with all below it. Arrays of nodes numbers each, the
 * caller frees. 0 or -ENOMEM. */
struct stacks_sums {
    uint64_t *self, *total;
};
int stacks_sum(const struct stacks *s, size_t value, struct stacks_sums *out);
void stacks_sums_release(struct stacks_sums *sums);

/* The same stacks with frames distinguished by function only (no line, no address), so that nodes
 * of one function below one caller are one; threads and times dropped when whole. out is
 * initialised here. 0 or -ENOMEM; release out either way. */
int stacks_by_function(const struct stacks *s, bool whole, struct stacks *out);
