/*
 * stack_need: whether the chains of a sampling need a longer copy of the stack. The kernel reserves
 * the whole size in its ring for each sample, however little of it is filled: where memory is short
 * and rings are small, a ring holds few samples with longer copies.
 *
 * The longer copy is chosen when some of the last chains needed more than the shorter one; the
 * shorter one again when as many chains in a row needed no more, each time twice as many. When the
 * ring has no room for the longer one, the shorter one stays.
 */
#ifndef PSUITE_CORE_SAMPLE_STACK_NEED_H
#define PSUITE_CORE_SAMPLE_STACK_NEED_H

#include <stdbool.h>
#include <stdint.h>

struct stack_need {
    uint32_t short_bytes; /* the shorter size; 0: there is but one, and nothing is chosen */
    bool longer;          /* what is chosen */
    uint32_t chains;      /* in a row that needed no more; with the shorter one, of the last ones */
    uint32_t missed;      /* of those: that needed more */
    uint32_t wanted;      /* in a row; 0: the least number */
    bool stays;           /* the shorter one */
};

/* used: bytes of the stack that a chain's unwinding has read, from the stack pointer on; cut: it
 * ended because the copy did. */
void stack_need_add(struct stack_need *n, uint64_t used, bool cut);
/* Samples were lost. */
void stack_need_lost(struct stack_need *n);

#endif
