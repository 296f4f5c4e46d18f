/*
 * coverage_report: covered functions and lines for people, as JSON, and as lcov's trace files
 * (geninfo(1)), which genhtml and others read.
 */
#pragma once

#include "core/coverage/covered.h"
#include "core/text/report_fit.h"

struct buf;
struct demangler;
struct json;

struct coverage_view {
    const struct covered *covered;
    struct demangler *names;
    const char *method; /* the last line of the report */
};

/* Sums, then a table: the functions by calls. 0 or -ENOMEM. */
int coverage_report(const struct coverage_view *v, const struct report_part *part, struct buf *out);

/* {..."totals":{},"functions":[],"lines":[]} */
void coverage_json(const struct coverage_view *v, struct json *j);

/* TN SF FN FNDA FNF FNH DA LF LH: a section for each source file. Functions without one are left
 * out. */
void coverage_lcov(const struct coverage_view *v, struct buf *out);

/* The text of the source file, from a little before a function's first line to a little behind its
 * last, each line with its count. */
void coverage_source(const struct coverage_view *v, const struct covered_function *f,
                     const char *source, size_t len, struct buf *out);

/* The function of that name, as its file has it or demangled; the one with most calls. NULL. */
const struct covered_function *coverage_function_named(const struct coverage_view *v,
                                                       const char *name);
