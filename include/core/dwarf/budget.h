/*
 * dwarf_budget: limits the memory that debug information may take. A stream of deflate can be a
 * thousand times as long as it looks, one of zstd 32,768 times, and any program that is sampled may
 * have one.
 *
 * One file: DWARF_INFLATE_RATIO times its length, at least DWARF_INFLATE_MIN and at most
 * DWARF_INFLATE_MAX. What compilers and distributions write inflates to two to four times the
 * file's length. All files that share a budget (core/base/budget.h): what is left of it; closing a
 * file gives back what it took. Sections that do not fit are left out, in the order of enum
 * dwarf_section, and counted. Tables that are made of the sections are taken from the budget, too.
 */
#pragma once

#include "core/base/budget.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DWARF_INFLATE_RATIO = 16, DWARF_INFLATE_MIN = 64 << 20, DWARF_INFLATE_MAX = 1 << 30 };

/* Compressed sections that were not unpacked. */
struct dwarf_left_out {
    size_t sections; /* over the limit, or memory ended */
    uint64_t bytes;  /* that these claim to have; at most UINT64_MAX */
    size_t damaged;  /* have not what their header claims */
    size_t unknown;  /* are of a type (ELFCOMPRESS_) that this build cannot unpack, */
    uint32_t type;   /* the first of them of this one */
};

/* Counts a section of that type and claim: err is -EBADMSG (damaged), -ENOTSUP (unknown), or
 * anything else (over the limit). */
void dwarf_leave_out(struct dwarf_left_out *l, int err, uint32_t type, uint64_t bytes);
void dwarf_left_out_add(struct dwarf_left_out *l, const struct dwarf_left_out *more);
bool dwarf_left_out_any(const struct dwarf_left_out *l);

/* `3 compressed debug sections of 4.2 GB are left out: over the limit ..' as a failure, of several
 * reasons the first of: -ENOTSUP, -EBADMSG, -EFBIG. To be called when there is any. */
struct fail;
int dwarf_left_out_text(const struct dwarf_left_out *l, struct fail *f);

/* The limit of a file of len bytes. */
size_t dwarf_inflate_limit(size_t len);
