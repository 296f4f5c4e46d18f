/* sampling_top: shows a sampling as a live table on the terminal, updated once a second. */
#pragma once

#include "engine/sampling/sampling.h"

/* As sampling_run, of a process or of everything (want.by becomes by thread), until a key ends it,
 * too. -ENOTTY, with a hint: no terminal. What was counted is all there afterwards, for a report.
 */
int sampling_top(const struct sampling_want *want, bool no_demangle, struct sampling *s,
                 struct fail *f);
