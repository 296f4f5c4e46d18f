/*
 * topo: functions below a start function, with times, counts, call depths and relations, as the
 * report "Topo" defines them: merged over all runs (calls of the start function).
 *
 * A struct topo is filled with topo_function, topo_add_depths and topo_relate, and completed by
 * topo_finish, which puts it in order: functions by their mean depth, rounded down, then by name;
 * relations by name. Only then the lists of callers and callees are there. Sums that do not fit
 * stay at UINT64_MAX.
 *
 * Building never fails in the caller's face: topo_finish returns -ENOMEM if memory ran out.
 */
#pragma once

#include "core/containers/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TOPO_NONE = UINT32_MAX, TOPO_MAX_DEPTH = 1 << 20 };

/* Calls one after another at the same depth; the start function is at depth 0. */
struct topo_depths {
    uint32_t depth;
    uint64_t calls;
};

struct topo_function {
    const char *name;
    uint64_t total, local; /* of all its calls, with those below, and without */
    uint64_t calls;
    uint64_t shortest, longest; /* total of one call; both 0: not known */
    uint32_t depth;             /* the least */
    struct topo_depths *at;     /* of all its calls, in their order */
    size_t ats, cap;
    size_t first_caller, callers; /* in topo.by_callee */
    size_t first_callee, callees; /* in topo.relation */
};

/* The caller called the callee. The key comes first (core/containers/intern.h). */
struct topo_relation {
    uint32_t caller, callee;
    uint64_t calls, total; /* both 0: not known */
};

/* Why the calls of a run are not counted: its record contradicts itself. */
enum topo_reason {
    TOPO_NO_ENTRY,     /* an exit without its entry */
    TOPO_OUT_OF_ORDER, /* an entry whose number or depth does not follow */
    TOPO_UNFINISHED,   /* the record ends inside it */
    TOPO_TIMES,        /* callees took longer than their caller */
    TOPO_LOST,         /* events of its time were lost */
    TOPO_TOO_LARGE,    /* more calls than are kept */
    TOPO_REASONS
};

struct topo {
    const char *unit;               /* of total and local: "ns" if not set */
    struct topo_function *function; /* named by its index */
    size_t functions, cap;
    struct topo_relation *relation; /* by caller, then by the callee's name */
    uint32_t *by_callee;            /* relations by callee, then by the caller's name */
    size_t relations;
    uint64_t runs; /* that are counted; 0: not known */
    uint64_t dropped[TOPO_REASONS];

    struct intern names, edges; /* topo.c's own: what finds functions and relations */
    int err;
};

void topo_init(struct topo *t);
void topo_release(struct topo *t);

/* The index of the function of this name, made when new. TOPO_NONE: no memory. */
uint32_t topo_function(struct topo *t, const char *name);
/* Calls of a function at a depth up to TOPO_MAX_DEPTH. */
void topo_add_depths(struct topo *t, uint32_t function, uint32_t depth, uint64_t calls);
void topo_relate(struct topo *t, uint32_t caller, uint32_t callee, uint64_t calls, uint64_t total);

/* One call of a function with all its times. caller: TOPO_NONE for the start function. */
struct topo_call {
    uint32_t function, caller, depth;
    uint64_t total, local;
};
void topo_add_call(struct topo *t, const struct topo_call *call);

/* 0 or -ENOMEM. */
int topo_finish(struct topo *t);

/* The function that the drawing puts this one below: of its callers the one of least depth, of
 * several the first by name. TOPO_NONE for functions without a caller of less depth. */
uint32_t topo_parent(const struct topo *t, uint32_t function);

/* Before a line of the form "events" that counts dropped runs. */
#define TOPO_DROPPED_MARK "# "

/* In a few words: "callees took longer than their caller". */
const char *topo_reason_text(enum topo_reason reason);

static inline uint64_t topo_sum(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}
