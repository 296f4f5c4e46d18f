/* function_types: which arguments the traced functions have. */
#pragma once

#include "engine/trace/function_run.h"

/* Fills t->signatures, and what is to be recorded of each function. -ENOMEM. */
int function_types(struct function_run *t);
