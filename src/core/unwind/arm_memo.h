/*
 * arm_memo: the frame that instructions of 32-bit ARM gave at an address, as a rule like
 * those of call frame information. A module has few hundreds of addresses that most chains lead
 * through; their instructions are followed once.
 */
#pragma once

#include "step.h"

enum { ARM_RULE_WORDS = CFI_HEAD_WORDS + 9 /* r4-r11, lr */ };

struct arm_row {
    uint32_t key;    /* the link-time address, odd if a call returns there; 0: a free row */
    uint32_t target; /* the link-time address of the function that was called; 0: not known */
    bool by_begin;   /* it was found from the function's begin */
    bool named;      /* it holds only if that function is what was called */
    uint32_t rule[ARM_RULE_WORDS];
};

/* A frame as a rule. */
void arm_row_set_rule(struct arm_row *row, const struct arm_frame *frame);
/* The row of a key; NULL when there is none. */
const struct arm_row *arm_memo_find(const struct cfi *c, uint32_t key);
/* Instead of one with the same key. When there are too many, all others are forgotten. */
void arm_memo_add(struct cfi *c, const struct arm_row *row);

/* The searches along instructions, which are long where they find nothing. */
enum arm_search { ARM_TO_RETURN, ARM_FROM_BEGIN, ARM_SEARCHES };
/* Whether to search at a key. Where a search has failed again and again it is made only now and
 * then: with other values on the stack it may find something. */
bool arm_search_is_due(struct cfi *c, uint32_t key, enum arm_search search);
void arm_search_ended(struct cfi *c, uint32_t key, enum arm_search search, bool found);
