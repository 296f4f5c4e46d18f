/*
 * call_rows: functions as the views of stacks show them: those of one name in one module are one
 * row, wherever the module's file is and however often the name occurs in it.
 *
 * Strings are those of the stacks, which must outlive the rows.
 */
#pragma once

#include "core/stacks/stacks.h"

struct call_row {
    const char *name;
    const char *module; /* "" outside every module; "JIT" for what a JIT compiler made */
    uint32_t function;  /* the first of the row's; STACKS_NONE: none is known */
};

struct call_rows {
    struct call_row *row;
    size_t rows, cap;
    uint32_t *of_function;
    uint32_t unknown; /* the row of samples without a frame: the last one */
};

/* 0 or -ENOMEM; release either way. */
int call_rows_make(const struct stacks *s, struct call_rows *out);
void call_rows_release(struct call_rows *rows);

/* The row of a node; STACKS_NONE: the unknown one. */
static inline uint32_t call_row_of(const struct call_rows *rows, const struct stacks *s,
                                   uint32_t node)
{
    return node == STACKS_NONE ? rows->unknown
                               : rows->of_function[s->frame[s->node[node].frame].function];
}
