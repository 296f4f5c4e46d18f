/*
 * covered: counts of instructions as functions and source lines: all of a module, executed or not.
 *
 * A function's calls are the executions of its first instruction. A line's count is that of its
 * instruction that was executed most often; where it is in several functions (a header's, a
 * template's), the sum over them. What was inlined counts at its own line.
 */
#pragma once

#include "core/coverage/counts.h"

#include <stdint.h>

struct elf_module;
struct frames;
struct module;

struct covered_function {
    const struct module *module;
    const char *name; /* as the file has it; NULL: it has no symbol */
    const char *file; /* where it begins; NULL: not known */
    uint32_t line;    /* 0: not known */
    uint64_t start, end, calls;
    uint64_t instructions, executed; /* how many there are, and that were executed at all */
};

struct covered_line {
    const char *file;
    uint32_t line;
    uint64_t count;
};

/* Strings live as long as the modules. */
struct covered {
    struct covered_function *function;
    size_t functions, function_cap;
    struct covered_line *line;
    size_t lines, line_cap;
};

struct covered_from {
    struct module *module;
    const struct coverage_counts *counts;
    void (*frames_at)(void *arg, struct module *m, uint64_t vaddr, struct frames *out);
    void *arg;
};

/* Adds a module, whose symbols are ready. -ENOMEM. */
int covered_add(struct covered *c, const struct covered_from *from);
/* Behind the last: functions by file, line and address, lines by file and line, each once. */
void covered_settle(struct covered *c);
void covered_release(struct covered *c);

struct covered_totals {
    size_t functions, called; /* called: at least one instruction was executed */
    size_t lines, executed_lines;
    uint64_t instructions, executed;
};
void covered_count(const struct covered *c, struct covered_totals *out);
