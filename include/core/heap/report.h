/*
 * heap_report: a heap profile as a table of who allocated: bytes at the peak, at the end and in
 * all, and calls.
 */
#pragma once

#include "core/heap/heap.h"
#include "core/stacks/stacks.h"
#include "core/text/report_fit.h"

#include <stdbool.h>
#include <stddef.h>

struct buf;

struct heap_view {
    const struct stacks *stacks; /* of a heap profile (core/sample/to_stacks.h) */
    const struct heap_totals *totals;
    bool lines;        /* a row for each source line, not for each function */
    size_t width;      /* of the terminal; 0: any */
    const char *notes; /* lines behind the table; NULL: none */
};

/* The table, sorted by the last value of the stacks, then the sums. 0 or -ENOMEM. */
int heap_report(const struct heap_view *v, const struct report_part *part, struct buf *out);

/* The sums in lines. */
void heap_totals_text(const struct heap_totals *t, const char *method, struct buf *out);
