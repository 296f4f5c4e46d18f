/* kernel_types: the running kernel's types, or those of a copy, by BTF. */
#ifndef PSUITE_ENGINE_SYMBOLS_KERNEL_TYPES_H
#define PSUITE_ENGINE_SYMBOLS_KERNEL_TYPES_H

#include "engine/symbols/types.h"

int kernel_types(const struct types_request *r, struct types_answer *out, struct fail *f);

#endif
