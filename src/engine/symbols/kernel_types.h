/* kernel_types: types of the running kernel and its modules, or those of a copy, by BTF. */
#ifndef PSUITE_ENGINE_SYMBOLS_KERNEL_TYPES_H
#define PSUITE_ENGINE_SYMBOLS_KERNEL_TYPES_H

#include "engine/symbols/types.h"

/* Modules are asked for what the kernel itself does not have. types_answers_release either way. */
int kernel_types(const struct types_request *r, struct types_answers *out, struct fail *f);

#endif
