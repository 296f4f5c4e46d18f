/*
 * callees: the functions of the running kernel that are below some, by the calls in its code, as
 * /proc/kcore has it. Calls by pointers are not seen in code.
 */
#pragma once

#include "engine/trace/functions.h"

struct callees {
    struct traced_function *function; /* first those that were given, then by call depth */
    size_t count, cap;
    uint64_t left_out; /* callees of these, beyond max */
};

/* At most max functions. Their symbols are those of k. -ENOENT, -EACCES, -EPERM: the kernel's code
 * cannot be read. Release either way. */
int callees_find(const struct kernel_text *k, const uint64_t *start, size_t starts, size_t max,
                 struct callees *out, struct fail *f);
void callees_release(struct callees *c);
