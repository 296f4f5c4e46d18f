/*
 * flame_tree: the stacks of a flame graph, and those they are compared with, in one tree.
 *
 * Frames are distinguished by function alone: its name, its module's name and its kind, but not the
 * module's folder, build or source, which differ between two builds of one program. Threads are put
 * together. Samples without any frame are a node of their own, "(unknown)".
 */
#pragma once

#include "core/stacks/stacks.h"

/* The values of the tree: the first of the stacks (how many) and the last (what they weigh), equal
 * where there is but one; then the same of those before, 0 when there are none. */
enum flame_value { FLAME_COUNT, FLAME_WEIGHT, FLAME_COUNT_BEFORE, FLAME_WEIGHT_BEFORE };
enum { FLAME_VALUES = 4 };

/* The place in the source where most of a node was. */
struct flame_place {
    const char *file; /* the stacks'; "" unknown */
    uint32_t line;    /* 0 unknown */
    uint64_t weight;
};

struct flame_tree {
    struct stacks stacks; /* the tree: its nodes and names; its samples hold the values above */
    struct stacks_sums sums[FLAME_VALUES];
    uint64_t total[FLAME_VALUES];
    struct flame_place *place; /* a node */
};

/* before NULL: nothing to compare with. 0 or -ENOMEM; release t either way, before s. */
int flame_tree_init(struct flame_tree *t, const struct stacks *s, const struct stacks *before);
void flame_tree_release(struct flame_tree *t);

/* Functions that only the stacks before had, and what was theirs alone of them. */
struct flame_vanished {
    size_t functions;
    uint64_t weight; /* of total[FLAME_WEIGHT_BEFORE] */
};
int flame_tree_vanished(const struct flame_tree *t, struct flame_vanished *out); /* 0 or -ENOMEM */
