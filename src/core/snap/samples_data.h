/* snap_samples_data: samples as the bytes that page/samples.js reads. */
#pragma once

#include "core/snap/contents.h"

/*
 * LEB128 numbers, texts behind their length; times in ns, each from the one before it, the first
 * from the beginning of what is shown:
 *     1 (version)   period: ns, or events, between two samples
 *     modules:   n, a name each
 *     functions: n, each: name, module + 1 (0: none), kind (enum stacks_kind)
 *     chains:    n, each: its caller's number + 1 (0: none), which is below its own; function
 *     threads:   n, each: pid, tid, name
 *     samples:   n, by time, each: time, thread + 1 (0: not known), CPU, chain + 1 (0: none)
 * Chains are by function: 10 bytes each at most, a sample some six. -ENOMEM.
 */
int snap_samples_data(const struct snap_contents *c, struct buf *out);
