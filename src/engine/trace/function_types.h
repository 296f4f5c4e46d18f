/* function_types: which arguments the traced functions have. */
#ifndef PSUITE_ENGINE_TRACE_FUNCTION_TYPES_H
#define PSUITE_ENGINE_TRACE_FUNCTION_TYPES_H

#include "engine/trace/function_run.h"

/* Fills t->signatures, and what is to be recorded of each function. -ENOMEM. */
int function_types(struct function_run *t);

#endif
