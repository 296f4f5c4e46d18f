/*
 * call_outline: a call tree drawn as indented lines. See core/stacks/tree.h for what they look
 * like.
 */
#pragma once

#include "core/stacks/call_tree.h"

#include "core/stacks/tree.h"

/* Branches that are not shown, and what they have together; outer: those that nothing is around. */
struct call_hidden {
    size_t branches;
    uint64_t amount, outer;
};

struct call_outline {
    const struct stacks *stacks;
    struct call_tree *tree; /* its links are made anew */
    const struct stacks_tree_options *options;
    size_t value;
    uint64_t whole;                 /* what shares are of */
    bool self;                      /* a column of self amounts */
    struct call_hidden small, deep; /* found so far; the rest is added */
    struct call_hidden more;        /* behind as many rows as are wanted */
    size_t more_rows;               /* lines that those would have */
};

/* A branch of this amount is hidden for its smallness. */
bool call_is_small(const struct call_outline *o, uint64_t amount);

/* 0 or -ENOMEM. */
int call_outline_text(struct call_outline *o, struct buf *out);
