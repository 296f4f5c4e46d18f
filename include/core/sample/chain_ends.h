/*
 * chain_ends: how complete the unwound call chains are: the share that reached the outermost frame
 * of its thread, and where and why the others ended, one row per module and reason.
 */
#pragma once

#include "core/sample/sampled.h"
#include "core/stacks/summary.h"

struct buf;

/* How many samples lack their callers (want.max_nodes), if any; then, where chains were unwound:
 *
 *     call chains: 98.7% of 1000 whole; 3 with a guessed frame; 20 read late
 *       0.9%  stack slice too short, in libpython3.11.so.1.0
 *       0.4%  no call frame information, in [anon]
 */
void chain_ends_text(const struct sampled *s, struct buf *out);
/* For a report of chains: that the samples have none. */
void chain_ends_none_text(const struct sampled *s, struct buf *out);

/* The rows are the caller's to free, the names of modules are those of s. */
void chain_ends_sums(const struct sampled *s, struct stacks_ends *out);
