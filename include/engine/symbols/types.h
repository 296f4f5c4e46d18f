/*
 * symbols_types: names and types of a target's functions and structs.
 */
#ifndef PSUITE_ENGINE_SYMBOLS_TYPES_H
#define PSUITE_ENGINE_SYMBOLS_TYPES_H

#include "core/types/answer.h"
#include "engine/symbols/target.h"

struct types_request {
    const struct target_want *want;
    const char *btf; /* the kernel's types; NULL: those of the running kernel */
    const struct types_query *query;
    size_t queries;
};

/* What is found of each query: nothing is no error. 0, or -errno and f. types_answer_release either
 * way. */
int symbols_types(const struct types_request *r, struct types_answer *out, struct fail *f);

#endif
