/* function_calls: tracepoints of system calls, in the place of probes of functions. */
#pragma once

#include "engine/trace/functions.h"

/* Learns those that this kernel has. -ESRCH: it has none of them. */
int function_calls_learn(struct functions *t, struct fail *f);
int function_calls_enable(struct functions *t, struct fail *f);
