/*
 * coverage_functions: where the functions of a module begin and end, by link-time address.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct module;

struct coverage_range {
    uint64_t start, end;
    const char *name; /* NULL: it has no symbol */
};

struct coverage_functions { /* ascending; ranges do not overlap. Stubs of the PLT are left out */
    struct coverage_range *range;
    size_t count, cap;
};

int coverage_functions_make(const struct module *m, struct coverage_functions *out); /* -ENOMEM */
void coverage_functions_release(struct coverage_functions *t);
