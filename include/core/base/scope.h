/*
 * scope: what a function makes for itself alone ends where its variable's scope ends, at every
 * return, in the reverse order of the declarations.
 *
 *     SCOPED(stacks_release) struct stacks stacks;    stacks_release(&stacks) is called
 *     SCOPED_FREE char *copy = strdup(name);          free(copy) is called
 *
 * By the variable attribute `cleanup' of gcc and clang. The value of a return is computed before.
 * Such a variable is initialized before the first return, and is not handed on: what outlives the
 * function is released by its new owner, and declared without this.
 */
#pragma once

#include <stdlib.h>

#define SCOPED(release) __attribute__((cleanup(release)))
#define SCOPED_FREE     SCOPED(scope_free)

static inline void scope_free(void *variable)
{
    free(*(void **)variable);
}
