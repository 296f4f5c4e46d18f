/* symbols_types: names and types of a target's functions and structs. */
#pragma once

#include "core/types/answer.h"
#include "engine/symbols/target.h"

struct types_request {
    const struct target_want *want;
    const char *btf; /* the kernel's types; NULL: those of the running kernel */
    const struct types_query *query;
    size_t queries;
};

/* Of a process each module that was asked has an answer of its own. */
struct types_answers {
    struct types_answer *answer;
    size_t count, cap;
    struct fail note; /* a warning: not all was read; what is empty: none */
};

/* What is found of each query: nothing is no error. The kernel's types come from BTF, others from
 * DWARF, which a confined process reads (plat/confined.h). 0, or -errno and f.
 * types_answers_release either way. */
int symbols_types(const struct types_request *r, struct types_answers *out, struct fail *f);
void types_answers_release(struct types_answers *a);

/* Appends the prototype of the function at a link-time address of a module whose symbols are ready;
 * of a copy with other parameters, and where nothing is known, nothing. Takes a second or two. */
void symbols_prototype(const struct module *m, uint64_t vaddr, struct buf *out);
