/*
 * call_tree: the stacks' call chains as one tree of rows (functions.h), whatever line, address and
 * file distinguished their frames, with sums: what the views of stacks walk over.
 *
 * A parent's index is below its child's.
 * Samples without a frame have a node of their own. Nodes under which nothing was counted are
 * left out. Memory: 56 bytes a node, 12 a node of the stacks while it is made. Time is linear.
 */
#pragma once

#include "core/containers/intern.h"
#include "core/stacks/functions.h"

struct call_node {
    uint32_t row;
    uint32_t parent;      /* STACKS_NONE: a root */
    uint32_t first, next; /* callee, sibling; STACKS_NONE: none. Set by call_tree_link */
    uint64_t self, total;
    uint32_t depth; /* frames in a row that it stands for: more than 1 of folded recursion */
};

struct call_tree {
    struct call_node *node;
    size_t nodes;
    uint32_t root; /* the first one; STACKS_NONE: nothing was counted */
    uint64_t total;
    struct call_rows rows; /* with by_thread one more a thread, behind the others */
    struct intern table;
    struct intern texts;
};

enum call_tree_kind {
    CALL_BY_THREAD = 1, /* the threads' names are the roots */
    CALL_FOLDED = 2,    /* a function that calls itself is one node */
};

/* value: which one is summed. kind: or'ed. 0 or -ENOMEM; release either way. */
int call_tree_make(const struct stacks *s, size_t value, unsigned kind, struct call_tree *out);
void call_tree_release(struct call_tree *t);

/* --- building one by hand --- */

void call_tree_init(struct call_tree *t);

/* The node of a row below a parent, made when new; STACKS_NONE when memory ends. */
uint32_t call_tree_add(struct call_tree *t, uint32_t parent, uint32_t row);

/* Links the nodes for which keep is true (NULL: all), most total first when sorted; the walk needs
 * it. A kept node's parent must be kept. 0; only sorting can give -ENOMEM. */
int call_tree_link(struct call_tree *t, const bool *keep, bool sorted);

/* Enters every linked node before its callees and leaves it after them; enter tells whether the
 * callees are wanted. No recursion: stacks may be as deep as they like. */
void call_tree_walk(const struct call_tree *t, bool (*enter)(void *arg, uint32_t node),
                    void (*leave)(void *arg, uint32_t node), void *arg);
