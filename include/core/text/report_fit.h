/*
 * report_fit: a report that fits the terminal it is written to. Its tables keep the top rows, and
 * have the rest in one row with its sum, `(163 more rows: --rows all)'; the lines around tables are
 * all kept. Lines that are still wider than the terminal are folded at blanks.
 *
 * A report is rendered several times, with different limits, until it fits. Each of its tables has
 * one more line for each row it may show, so that a report of one table takes three renderings.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct buf;

/* What a report may take. width and height are the terminal's, 0: any, as in a pipe or a file.
 * rows: of each table, as the user asked for; 0: as many as fit the height. all: so did the user.
 */
struct report_size {
    size_t width, height, rows;
    bool all;
};

/* How much of a report is shown. */
struct report_part {
    size_t rows;   /* of each table; 0: all */
    size_t tables; /* of a report with one per thread, process or task; 0: all */
    bool fitted;   /* by report_fit: what is left out says how to see it */
};

enum { REPORT_FIT_ROWS = 3 }; /* of each of several tables, before tables are left out */

/* Appends a report of no more than this. 0 or -errno, which ends the fitting. */
typedef int report_render(void *arg, const struct report_part *part, struct buf *out);

/* Appends the report in as many lines as size has, if it can be cut to that. Without a height, all
 * of it. Returns what render returned. */
int report_fit(const struct report_size *size, report_render *render, void *arg, struct buf *out);

/* How many of count rows a table shows that may show max, 0: all. A last one that would be left out
 * alone is shown, as the row that would stand for it is no shorter. */
size_t report_shown(size_t count, size_t max, bool fitted);

/* `(N more)', or when fitted `(N more rows: --rows all)'. */
void report_rest(struct buf *out, size_t count, bool fitted);

/* In place from `from' on: lines of more than width columns are folded at blanks, and go on behind
 * an indent. A word that is wider stays whole. Tabs stop at every eighth column. */
void report_fold(struct buf *text, size_t from, size_t width);

/* In place from `from' on: of lines of more than width columns, 0: any, the end becomes `..'. */
void report_clip(struct buf *text, size_t from, size_t width);

/* Lines of the text on a terminal of this width, 0: any. */
size_t report_lines(const char *text, size_t len, size_t width);
