/*
 * name_fit: a name shortened until it fits a line, for people who look at a terminal. What tells
 * functions apart is kept longest:
 *
 *     ns::map<std::string, std::vector<int>>::find(std::string const&) const     whole
 *     ns::map<std::string, std::vector<int>>::find(..) const                     arguments go first
 *     ns::map<std::string, std::vector<..>>::find(..) const                      then what stands
 *     ns::map<..>::find(..) const                                                in <>, inside out
 *     ns::map<..>..) const                                                       last the middle
 *
 * `operator<' and its like, `->', `(anonymous namespace)' and Go's `(*T)' are no such brackets.
 * What follows the first NAME_FIT_BRACKETS is plain text. Time is linear in the name.
 */
#pragma once

#include <stddef.h>

struct buf;

enum { NAME_FIT_BRACKETS = 512, NAME_FIT_MIN = 12 };

/* Columns that len bytes of UTF-8 take in a terminal; a control character one, as for `?'. */
size_t text_columns(const char *text, size_t len);

/* Appends name, in at most room columns; 0: whole. Of room under NAME_FIT_MIN so many are taken
 * all the same. Control characters are left to the caller. */
void name_fit(struct buf *out, const char *name, size_t width);

/* The same, but the first place where name has `match', in letters of either case, is shown: if
 * shortening would hide it, both ends are cut instead: `..ault(regs..'. An empty match, and one
 * that name does not have, change nothing. */
void name_fit_match(struct buf *out, const char *name, const char *match, size_t width);
