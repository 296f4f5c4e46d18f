#include "core/types/types.h"

#include "core/base/grow.h"

#include <string.h>

void types_release(struct types *t)
{
    free(t->type);
    free(t->member);
    free(t->function);
    free(t->owned);
    *t = (struct types){0};
}

bool types_add(struct types *t, const struct type *one)
{
    return GROW_ADD_WITHIN(t->type, t->cap, t->count, TYPES_MOST, *one);
}

bool types_add_member(struct types *t, const struct type_member *one)
{
    return GROW_ADD_WITHIN(t->member, t->member_cap, t->members, TYPES_MOST, *one);
}

bool types_add_function(struct types *t, const struct type_function *one)
{
    return GROW_ADD_WITHIN(t->function, t->function_cap, t->functions, TYPES_MOST, *one);
}

static bool check_type(const struct types *t, const struct type *one)
{
    return one->kind < TYPE_KINDS && one->of < t->count && one->first <= t->members &&
           one->count <= t->members - one->first;
}

static bool check_function(const struct types *t, const struct type_function *f)
{
    return f->name && f->type < t->count && t->type[f->type].kind == TYPE_FUNCTION;
}

bool types_check(const struct types *t)
{
    bool fine = t->count && t->type[0].kind == TYPE_VOID;
    for (size_t i = 0; i < t->count && fine; i++)
        fine = check_type(t, &t->type[i]);
    for (size_t i = 0; i < t->members && fine; i++)
        fine = t->member[i].type < t->count;
    for (size_t i = 0; i < t->functions && fine; i++)
        fine = check_function(t, &t->function[i]);
    return fine;
}

uint32_t types_plain(const struct types *t, uint32_t id)
{
    for (int deep = 0; deep < TYPES_DEEPEST; deep++) {
        const struct type *one = &t->type[id];
        if (one->kind < TYPE_TYPEDEF)
            return id;
        id = one->of;
    }
    return id;
}

uint64_t types_size(const struct types *t, uint32_t id)
{
    uint64_t times = 1, bytes;
    id = types_plain(t, id);
    for (int deep = 0; t->type[id].kind == TYPE_ARRAY && deep < TYPES_DEEPEST; deep++) {
        if (__builtin_mul_overflow(times, t->type[id].bytes, &times))
            return 0;
        id = types_plain(t, t->type[id].of);
    }
    const struct type *one = &t->type[id];
    if (one->kind == TYPE_ARRAY || one->kind == TYPE_FUNCTION || one->kind >= TYPE_TYPEDEF)
        return 0;
    bytes = type_is_pointer(one->kind) ? t->pointer_bytes : one->bytes;
    return __builtin_mul_overflow(times, bytes, &bytes) ? 0 : bytes;
}

/* The kinds that a name is looked for in, as bits, by the word it begins with, which is skipped. */
static unsigned take_word(const char **name)
{
    static const struct {
        const char *word;
        unsigned kinds;
    } words[] = {
        {"struct ", 1U << TYPE_STRUCT | 1U << TYPE_CLASS},
        {"class ", 1U << TYPE_STRUCT | 1U << TYPE_CLASS},
        {"union ", 1U << TYPE_UNION},
        {"enum ", 1U << TYPE_ENUM},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t len = strlen(words[i].word);
        if (strncmp(*name, words[i].word, len) == 0) {
            *name += len;
            return words[i].kinds;
        }
    }
    return 1U << TYPE_STRUCT | 1U << TYPE_CLASS | 1U << TYPE_UNION | 1U << TYPE_ENUM |
           1U << TYPE_TYPEDEF;
}

/* Whether it has members and, if it is a typedef, another name than the struct itself. */
static bool is_definition(const struct types *t, const struct type *named, uint32_t id)
{
    const struct type *one = &t->type[types_plain(t, id)];
    bool twice = one != named && one->name && strcmp(one->name, named->name) == 0;
    return one->kind >= TYPE_STRUCT && one->kind <= TYPE_ENUM && !one->incomplete && !twice;
}

uint32_t types_named(const struct types *t, const char *name, uint32_t after)
{
    unsigned kinds = take_word(&name);
    for (size_t i = (size_t)after + 1; i < t->count; i++) {
        const struct type *one = &t->type[i];
        if (one->name && (kinds >> one->kind & 1) && strcmp(one->name, name) == 0 &&
            is_definition(t, one, (uint32_t)i))
            return (uint32_t)i;
    }
    return 0;
}
