/*
 * jit_code: functions that a just-in-time compiler made, out of the files that it writes for
 * profilers (core/symbol/perfmap.h, core/symbol/jitdump.h), as a table of symbols.
 */
#pragma once

#include "core/elf/symtab.h"

struct jit_function {
    uint64_t start, end; /* run-time addresses; end is one past the last byte */
    const char *name;    /* in the bytes that were read */
    size_t sequence;     /* in the order in which they were reported */
};

struct jit_code {
    struct jit_function *function;
    size_t count, cap;
    int err; /* -ENOMEM once out of memory: what was added before is kept */
};

enum { JIT_MAX_FUNCTIONS = 4000000 };

/* Adds one, told after all there are. False, and nothing is added, when it is empty, reaches over
 * the end of the address space, has no name or is one too many. */
bool jit_code_add(struct jit_code *c, uint64_t start, uint64_t size, const char *name);
void jit_code_release(struct jit_code *c);

/* The table; names are copied into it. Memory of code that was thrown away is used again, while its
 * function is told still: of functions that overlap, the last counts. c is sorted by it, and good
 * for nothing more than jit_code_release. NULL when out of memory. */
struct symtab *jit_code_symbols(struct jit_code *c);
