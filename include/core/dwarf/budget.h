/*
 * dwarf_budget: limits the memory that debug information may take. A stream of deflate can be a
 * thousand times as long as it looks, and any program that is sampled has one.
 *
 * One file: DWARF_INFLATE_RATIO times its length, at least DWARF_INFLATE_MIN and at most
 * DWARF_INFLATE_MAX. What compilers and distributions write inflates to two to four times the
 * file's length. All files that share a budget (core/base/budget.h): what is left of it; closing a
 * file gives back what it took. Sections that do not fit are left out, in the order of enum
 * dwarf_section, and counted. Tables that are made of the sections are taken from the budget, too.
 */
#ifndef PSUITE_CORE_DWARF_BUDGET_H
#define PSUITE_CORE_DWARF_BUDGET_H

#include "core/base/budget.h"

#include <stddef.h>
#include <stdint.h>

enum { DWARF_INFLATE_RATIO = 16, DWARF_INFLATE_MIN = 64 << 20, DWARF_INFLATE_MAX = 1 << 30 };

/* What was not inflated. */
struct dwarf_left_out {
    size_t sections;
    uint64_t bytes; /* that they claim to have; at most UINT64_MAX */
};

/* `3 compressed debug sections of 4.2 GB are left out: over the limit ..' as a failure. */
struct fail;
int dwarf_left_out_text(const struct dwarf_left_out *l, struct fail *f);

/* The limit of a file of len bytes. */
size_t dwarf_inflate_limit(size_t len);

#endif
