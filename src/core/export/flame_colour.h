/*
 * flame_colour: the colour of a frame, as a class of src/core/export/flame/flame.css.
 *
 * Alone: user code by its module (u0 to u9, by a hash of its name, unless a heavier module of the
 * graph has that colour already and another is free), k the kernel, j code
 * of a JIT compiler, w waiting, x unknown. Compared: how the frame's share of the total changed: m1
 * to m4 more, l1 to l4 less, `same' where it did not, or by no more than chance: two standard
 * deviations of the sampling.
 */
#pragma once

#include "flame_tree.h"

#include <stdbool.h>

/* The number of its colour for each module of the tree; the caller frees. NULL: no memory. */
uint8_t *flame_hues(const struct flame_tree *t);

const char *flame_colour(const struct stacks_function *f, const uint8_t *hues);

/* sampled: its amounts are chance's. */
const char *flame_change(const struct flame_tree *t, uint32_t node, bool sampled);
