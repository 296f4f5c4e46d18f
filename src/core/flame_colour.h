/*
 * flame_colour: what the colour of a frame says, as a class of src/core/flame/flame.css.
 *
 * Alone: user code by its module (u0 to u9, the same module always the same), k the kernel, j code
 * of a JIT compiler, w waiting, x unknown. Compared: how the frame's share of the whole changed: m1
 * to m4 more, l1 to l4 less, `same' where it did not, or by no more than chance: two standard
 * deviations of the sampling.
 */
#ifndef PSUITE_CORE_FLAME_COLOUR_H
#define PSUITE_CORE_FLAME_COLOUR_H

#include "flame_tree.h"

#include <stdbool.h>

const char *flame_colour(const struct stacks *s, const struct stacks_function *f);

/* sampled: its amounts are chance's. */
const char *flame_change(const struct flame_tree *t, uint32_t node, bool sampled);

#endif
