/*
 * call_costs: stacks as a call graph with costs at lines: what each function spends by itself, and
 * in the calls that it makes.
 *
 * Functions of one name and file are one, for that is what readers of callgrind's format take them
 * for. Where a function calls itself, directly or through others, only the outermost call has a
 * cost: so the calls into a function sum up to what was spent while it ran, once. All chains begin
 * in CALL_ROOT, so that this holds for outermost functions too.
 */
#pragma once

#include "core/containers/intern.h"
#include "core/stacks/stacks.h"

/* Functions besides those of the stacks; and what a cost has in place of a callee. */
enum { CALL_ROOT = UINT32_MAX - 1, CALL_UNKNOWN = UINT32_MAX - 2, CALL_SELF = UINT32_MAX };

struct call_cost {
    uint32_t function, line;      /* who spends: itself, or by the call at that line */
    uint32_t callee, callee_line; /* CALL_SELF, 0: by itself */
    uint64_t amount[STACKS_MAX_VALUES];
    uint64_t calls; /* how often, when a value is named "calls", else 0 */
};

struct call_costs {
    struct intern costs;  /* of struct call_cost */
    struct intern same;   /* functions' names and files */
    uint32_t *first_same; /* of a function: the first one of its name and file */
    int err;              /* 0 or -ENOMEM */
};

int call_costs_make(struct call_costs *c, const struct stacks *s); /* 0 or -ENOMEM */
void call_costs_release(struct call_costs *c);                     /* either way */
