/*
 * coverage_counts: how often each instruction of a module was executed, by its link-time address.
 * Memory is 8 KB for each KB of code with an instruction that was executed.
 */
#pragma once

#include "core/containers/imap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COVERAGE_PAGE = 1024 }; /* addresses */

struct coverage_page {
    uint64_t start;
    uint64_t count[COVERAGE_PAGE];
};

struct coverage_counts { /* starts as zeroes */
    struct coverage_page **page;
    size_t pages, cap;
    struct imap index; /* by start / COVERAGE_PAGE + 1: 1 + the page's */
};

void coverage_counts_release(struct coverage_counts *c);
/* The address's count, made as 0, to be changed; NULL when memory ends. */
uint64_t *coverage_count_at(struct coverage_counts *c, uint64_t vaddr);
uint64_t coverage_count(const struct coverage_counts *c, uint64_t vaddr);
/* In order of address from here on: to be called before coverage_next, after the last change. */
void coverage_sort(struct coverage_counts *c);
/* The first address from *vaddr on that has a count; false: none has. */
bool coverage_next(const struct coverage_counts *c, uint64_t *vaddr, uint64_t *count);
