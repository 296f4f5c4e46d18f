/*
 * sampling_browse: a recording that was read, in a browser on the terminal (core/browse/browse.h).
 */
#pragma once

#include "core/sample/to_stacks.h"
#include "engine/sampling/report.h"

/* Until a key ends it: 0; or asks for the next of several events: 1. s was read by thread, with a
 * timeline. -ENOTTY, with a hint: standard output is no terminal; -ENOMEM; errors of
 * sampling_stacks. */
int sampling_browse(struct sampling *s, const struct sampling_view *view, const char *name,
                    struct fail *f);
