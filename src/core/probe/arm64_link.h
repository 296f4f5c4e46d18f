/*
 * arm64_link: where a function of arm64 saves its link register, and whether it uses it as a
 * number, along the sweep of its instructions.
 */
#pragma once

#include "planning.h"

/* The stack pointer at an instruction, from the CFA. */
struct arm64_link {
    int64_t sp;
    bool known;
};

/* The instruction at addr is reached by no other before it. */
void arm64_link_begin(struct arm64_link *l, const struct planning *p, uint64_t addr);
/* The next one. */
void arm64_link_look(struct arm64_link *l, const struct planning *p, struct probe_body *b,
                     uint32_t word, uint64_t addr);
