/* function_calls: tracepoints of system calls, in the place of probes of functions. */
#ifndef PSUITE_ENGINE_TRACE_FUNCTION_CALLS_H
#define PSUITE_ENGINE_TRACE_FUNCTION_CALLS_H

#include "engine/trace/functions.h"

/* Learns those that this kernel has. -ESRCH: it has none of them. */
int function_calls_learn(struct functions *t, struct fail *f);
int function_calls_enable(struct functions *t, struct fail *f);

#endif
