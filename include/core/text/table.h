/*
 * table: rows of text in aligned columns, for people.
 *
 *     struct table t;
 *     table_init(&t, "<name >calls >time_ms.3");
 *     table_cells(&t, name, calls, (double)time_ns / 1e6); ...
 *     table_print(&t, &out, 80);
 *
 * The words of table_init are the header: `<' left, `>' right aligned, `.3' the decimals of
 * doubles. Cells fill a row from left to right, then the next one; what could act on a terminal is
 * '?' in them (core/text/shown.h). Once out of memory, cells are dropped, and table_print fails.
 *
 * A header word's '_' prints as a blank. Columns are two blanks apart, widths count UTF-8
 * characters, trailing blanks are dropped. With a limit, a left-aligned last column wider than what
 * is left of the line is folded at blanks; table_fit leaves columns out.
 */
#pragma once

#include "core/text/values.h"

#include <stddef.h>

struct buf;
struct table {
    struct table_column *column;
    size_t columns;
    char **cell; /* row by row, header first */
    size_t cells, cap;
    int err;
};

/* 0 or -ENOMEM; print or release either way. columns is not kept. */
int table_init(struct table *t, const char *columns);
void table_release(struct table *t);
void table_cell(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Several cells, at most 16, each by its type; NULL is `-'. */
#define table_cells(t, ...) table_add_cells(t, TEXT_VALUES(__VA_ARGS__))
void table_add_cells(struct table *t, const struct text_value *values);
/* Leaves out columns until lines fit limit columns, if need be all of spare: header words without
 * their `<' or `>', in this order. Their names are appended to left_out, as `p99, max'. 0 or
 * -ENOMEM. */
int table_fit(struct table *t, size_t limit, const char *spare, struct buf *left_out);
/* limit: the line's width in characters, 0 = none. Releases the table. Returns 0 or -ENOMEM, which
 * out has then, too. */
int table_print(struct table *t, struct buf *out, size_t limit);
