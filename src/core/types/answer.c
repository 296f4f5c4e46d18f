#include "core/types/answer.h"

#include "core/base/grow.h"

#include <errno.h>
#include <string.h>

void types_answer_release(struct types_answer *a)
{
    types_release(&a->types);
    free(a->found);
    *a = (struct types_answer){0};
}

bool types_answer_add(struct types_answer *a, uint32_t query, uint32_t id)
{
    return GROW_ADD_WITHIN(a->found, a->cap, a->count, TYPES_MOST, (struct types_found){query, id});
}

static int add_functions(struct types_answer *a, const char *name, uint32_t query)
{
    int found = 0;
    for (size_t i = 0; i < a->types.functions && found < TYPES_MOST_FOUND; i++) {
        if (strcmp(a->types.function[i].name, name) != 0)
            continue;
        if (!types_answer_add(a, query, (uint32_t)i))
            return -ENOMEM;
        found++;
    }
    return found;
}

static int add_types(struct types_answer *a, const char *name, uint32_t query)
{
    int found = 0;
    for (uint32_t id = 0; found < TYPES_MOST_FOUND; found++) {
        id = types_named(&a->types, name, id);
        if (!id)
            break;
        if (!types_answer_add(a, query, id))
            return -ENOMEM;
    }
    return found;
}

int types_answer_name(struct types_answer *a, const struct types_query *q, uint32_t query)
{
    if (q->by_address)
        return 0;
    return q->layout ? add_types(a, q->name, query) : add_functions(a, q->name, query);
}
