/* module_types: types of one module by its debug information, read in a confined process. */
#pragma once

#include "core/symbol/module.h"
#include "core/types/answer.h"

enum { MODULE_TYPES_SECONDS = 20 };

/* Of a module whose symbols are ready; path: how messages name it; seconds: of CPU time, at most.
 * Functions that gcc's symbols call .isra are marked as altered, too. 0, or -errno and f;
 * types_answer_release either way. */
int module_types(const struct module *m, const char *path, const struct types_query *query,
                 size_t queries, unsigned seconds, struct types_answer *out, struct fail *f);

/* Fills f, whose what stays as it is when nothing is missing, with what is not read because it is
 * in other files, and what to do. */
void module_types_elsewhere(const struct module *m, const char *path, const struct types_answer *a,
                            struct fail *f);
