/*
 * prof_mcount: the calls that a program linked by Plan 9's `5l -p -1' counts, as its array __mcount
 * lies in its memory: words of four bytes in the program's byte order. Word 0 is the size of the
 * array in words, 1 + 2n; it is followed by n pairs of a function's address and its calls. Nothing
 * is timed, and callers are not recorded. Layout by the book of Plan 9's profilers, section 4.2.
 */
#pragma once

#include "core/prof/tree.h"

enum { PROF_MCOUNT_MAX = 1 << 20 }; /* functions */

/* Whether a file is such an array, complete or not. Word 0, an odd number, is the file's length,
 * which no complete prof.out of Plan 9 (v1.h) has; or it is so small that in a prof.out it would
 * link the root to itself, which no writer does. */
bool prof_is_mcount(const uint8_t *bytes, size_t len);

/* One thread, no modules, about.type PSPROF_COUNT; a node for each function that was called, all of
 * them outermost, in the array's order. Bytes missing or left over are noted. *t is initialised
 * here. -EINVAL and f (the reason alone): not such an array, or more than PROF_MCOUNT_MAX
 * functions; or -ENOMEM. Release either way. */
int prof_mcount_read(const uint8_t *bytes, size_t len, struct prof_tree *t, struct fail *f);
