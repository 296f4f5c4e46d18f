/* attached: a workload that is sampled while it does its work. */
#pragma once

#include "engine/sampling/sampling.h"
#include "work.h"

struct attached {
    struct work work;
    struct sampling sampling; /* whole, when it succeeded */
    uint64_t own_ns;          /* CPU time of psuite while the workload ran */
};

/* want.pid is the workload's. attached_end either way. */
int attached_run(struct selftest *t, struct attached *a, const char *name, uint64_t amount,
                 const struct sampling_want *want, struct fail *f);
void attached_end(struct attached *a);

/* Whether a node is in that code of the program. */
bool attached_is_in(const struct attached *a, const struct sampled_node *n,
                    const struct workload_range *code);
