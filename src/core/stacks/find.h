/*
 * call_find: finds the row of a call tree by a function's name, or a part of it.
 */
#pragma once

#include "core/stacks/functions.h"

struct fail;

/* By what core/stacks/around.h says. 0, -ENOMEM, -ENOENT or -EINVAL (several fit). */
int call_find(const struct stacks *s, const struct call_rows *rows, const char *asked,
              uint32_t *row, struct fail *fail);
