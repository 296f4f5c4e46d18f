/*
 * stack_need: whether the chains of a sampling need long copies of the stack, where there is a
 * choice of two sizes. The kernel reserves the whole size in its ring for each sample, however
 * little of it is filled: a small ring holds few samples with long copies, and psuite is woken up
 * for each few of them.
 *
 * A sampling begins with long copies. Short ones are chosen when as many chains in a row as are
 * wanted would have fitted into them, or when samples are lost, and more of all samples would have
 * whole chains with short ones: as far as the chains that came tell, or the last time with short
 * ones did. Long copies are chosen again when some of the last chains needed more than the short
 * ones, and fewer samples have whole chains than had with the long ones. Each time twice as many
 * chains in a row are wanted.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stack_need {
    uint32_t short_bytes; /* of the short copies; 0: there is but one size, and nothing is chosen */
    bool is_short;        /* what is chosen */
    uint32_t in_a_row;    /* chains that would have fitted into the short copies, until now */
    uint32_t wanted;      /* of those; 0: the least number */
    /* Of the last ones, with the size that is chosen: chains, those of them that need the long
     * copies, and samples that were lost. Where it is the long one, older ones count half. */
    uint32_t chains, deep, lost;
    uint32_t lost_per_1000; /* by the long copies, when too many were */
    bool tried;             /* short copies, until too many chains needed long ones */
    uint32_t whole_short;   /* then, of 1000 samples, those that had whole chains */
};

/* A chain that needs used bytes of the stack, from the stack pointer on, of which copied bytes were
 * copied. cut: something behind them was needed. */
void stack_need_add(struct stack_need *n, uint64_t used, size_t copied, bool cut);

/* So many samples were lost. */
void stack_need_lost(struct stack_need *n, uint64_t samples);
