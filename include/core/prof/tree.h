/*
 * prof_tree: the dynamic call tree of a program, as its instrumented functions counted it: what a
 * file of either version (v1.h, v2.h) or Plan 9's array of counts (mcount.h) is read into, and what
 * all that prof shows is made of.
 *
 * Each thread has a tree of its own. All nodes are in one array, a caller before its callees, so
 * that sums run backwards over it. Links are indices into it, PROF_NONE is none. Memory: 72 bytes a
 * node, 24 a place.
 *
 * Files are foreign bytes, and may come from a program that was killed anywhere. What is wrong in
 * one is left out and reported in notes; what can be read is kept.
 */
#pragma once

#include "core/base/fail.h"
#include "core/containers/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROF_NONE = UINT32_MAX, PROF_MAX_NOTES = 16, PROF_BUILD_ID = 20 };

/* A function as the program had it: run-time address and module. */
struct prof_place {
    uint64_t pc;
    uint32_t module; /* of the tree's; PROF_NONE: not known */
    uint32_t zero;
};

struct prof_node {
    uint64_t count;   /* calls */
    uint32_t timed;   /* of them, those that time_ns is of */
    uint32_t samples; /* that fell into it, callees and probes not included */
    int64_t time_ns;  /* as the file has it, callees included; open calls are closed. Negative only
                         in a damaged file */
    uint64_t self_ns, total_ns; /* what is shown: see prof_tree_settle */
    uint64_t error_ns;          /* self_ns is off by no more, 19 times in 20 */
    uint32_t parent;            /* PROF_NONE: an outermost call */
    uint32_t down, right;       /* newest callee; next older one of the same caller */
    uint32_t place;
    uint32_t index; /* in the file */
    uint8_t sparse; /* psprof_file.h: how many calls a timed one stands for */
    bool open;      /* it had not returned */
};

struct prof_module {
    char *path; /* "" not known: the vDSO, or the program of a v1 file */
    uint64_t start, end, bias;
    uint8_t build_id[PROF_BUILD_ID];
    uint8_t build_id_bytes; /* 0: none */
};

struct prof_thread {
    uint32_t first;      /* newest outermost call */
    uint32_t begin, end; /* its nodes in the array: from, up to */
    uint32_t tid;        /* of the last one */
    uint32_t threads;    /* that wrote here, one after another */
    uint64_t total_ns;   /* of the outermost calls; see prof_tree_settle */
    uint64_t spent_ns;   /* from their start to their end or last event */
    uint64_t refused;    /* calls without a node: their time is their nearest recorded caller's */
    uint64_t refused_nodes, missed_exits, orphan_exits;
    uint64_t samples, hook_samples; /* in its nodes; in the probes */
    uint64_t preempted_ns;          /* left out of elapsed time */
    uint64_t cpu_ns;                /* 0: not known */
    char name[16];
};

/* A point in time that the program named (psprof_mark). */
struct prof_mark {
    uint64_t ns; /* since recording began */
    uint32_t tid;
    char name[32];
};

/* What the file says of itself; 0 and "" in a file of Plan 9's. */
struct prof_about {
    unsigned version; /* 1: Plan 9's; or 2 */
    unsigned machine; /* ELF's e_machine; 0 not known */
    uint32_t type;    /* enum psprof_type (runtime/psprof_file.h); 0: Plan 9's prof.out */
    char type_note[96], clock[32];
    uint32_t pid;
    uint64_t start_ns, duration_ns; /* CLOCK_REALTIME; elapsed until the end or the last event */
    uint64_t cpu_ns;                /* of the whole process; 0: not known */
    uint64_t ticks_per_second, resolution_ps;
    uint64_t inside_ps, outside_ps, untimed_ps; /* what the probes add */
    uint32_t sample_ns, sampling;               /* enum psprof_sampling; 0: no samples */
    uint32_t sample_cost_ns;                    /* what a sample took; 0: not measured */
    bool ended;                                 /* recording was ended in order */
    bool truncated;                             /* the file is shorter than it says */
    uint32_t threads_refused, modules_refused, threads_unsampled;
    char *command;   /* words, blanks between them; NULL: not known */
    int32_t root_ms; /* v1: record 0's time */
};

struct prof_tree {
    struct prof_about about;
    struct prof_module *module; /* the program first */
    size_t modules;
    struct prof_thread *thread; /* oldest first */
    size_t threads;
    struct prof_mark *mark; /* as they were written */
    size_t marks;
    struct prof_node *node;
    size_t nodes;
    struct intern places; /* struct prof_place */

    char note[PROF_MAX_NOTES][80]; /* what was wrong in the file */
    size_t notes;                  /* may be more than are kept */

    size_t node_cap, thread_cap, module_cap, mark_cap; /* the builders' */
};

void prof_tree_init(struct prof_tree *t);
void prof_tree_release(struct prof_tree *t);

static inline const struct prof_place *prof_place_at(const struct prof_tree *t, uint32_t place)
{
    return (const struct prof_place *)t->places.record + place;
}

/* Whether times were measured at all: not when calls were counted only. */
bool prof_tree_timed(const struct prof_tree *t);

/*
 * Sets self_ns and total_ns of all nodes and threads: total is self with all callees' totals, and
 * self is never negative. The readers have done it once, raw false: times of adaptive nodes are
 * scaled to all their calls, and what the probes cost is taken out, of the node it fell in and of
 * all above; where there are samples, they tell what that is (src/core/prof/estimate.c). raw:
 * scaled alone. 0 or -ENOMEM.
 */
int prof_tree_settle(struct prof_tree *t, bool raw);

/* time_ns of all calls: scaled when not every one was timed; never negative. */
uint64_t prof_node_raw_ns(const struct prof_tree *t, const struct prof_node *n);

/* How many nodes have times of some of their calls alone. */
size_t prof_tree_scaled(const struct prof_tree *t);

/*
 * Goes through a thread's calls (PROF_NONE: all threads'): enters a node before its callees and
 * leaves it after them. enter returns whether to visit the callees. Any depth; oldest first takes 4
 * bytes a node, else no memory. 0 or -ENOMEM.
 */
struct prof_walk {
    bool (*enter)(void *arg, uint32_t node, size_t depth);
    void (*leave)(void *arg, uint32_t node); /* may be NULL */
    void *arg;
    bool oldest; /* siblings as they were first called, else newest first */
};
int prof_tree_walk(const struct prof_tree *t, uint32_t thread, const struct prof_walk *w);

/* A file's bytes, of either version or an array __mcount. *t is initialised here. -errno and f
 * (what: the reason alone) when there is nothing to be read in them; release either way. */
int prof_read(const uint8_t *bytes, size_t len, struct prof_tree *t, struct fail *f);

/* A file of version 2 by its first bytes. */
bool prof_is_v2(const uint8_t *bytes, size_t len);
/* What libpsprof leaves when its program is killed before recording began: nothing, or zeros where
   the magic would be, which no version has. */
bool prof_is_unbegun(const uint8_t *bytes, size_t len);
