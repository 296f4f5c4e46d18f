/* kernel_types: types of the running kernel and its modules, or those of a copy, by BTF. */
#pragma once

#include "engine/symbols/types.h"

/* Modules are asked for what the kernel itself does not have. types_answers_release either way. */
int kernel_types(const struct types_request *r, struct types_answers *out, struct fail *f);
