/*
 * heap_profile: what a program allocates: each call of malloc's family, by breakpoints in whatever
 * file of code has these functions, charged to the chain of callers. It is a sampling (its samples
 * are nodes that allocated, and sampled.heap has the sums), so that it is recorded, read and
 * written as one.
 *
 * Of a process its own blocks count; a fork's child counts what it allocates itself. A call in
 * malloc's family from within such a call is part of that.
 */
#pragma once

#include "engine/sampling/sampling.h"

/* Runs the command of want to its end. Of want: command, search, record, force. 0, or -errno and
 * f: it could not be executed or traced, or has no such functions. Either way the caller calls
 * sampling_release. */
int heap_profile_run(const struct sampling_want *want, struct sampling *s, struct child_end *end,
                     struct fail *f);

/* Reads a recording of one, as sampling_read does. -EINVAL: it is none. */
int heap_profile_read(const struct sampling_want *want, const char *path, struct sampling *s,
                      struct fail *f);
