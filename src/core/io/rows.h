/*
 * io_rows: the files of a report, in its order, or by directory.
 */
#pragma once

#include "core/io/report.h"
#include "parts.h"

/* Whether a report has files of this path. */
bool io_path_wanted(const struct io_report_options *w, const char *path);
/* Whether it has a row for a file: one that did I/O, and is wanted. */
bool io_file_has_row(const struct io_counts *counts, const struct io_report_options *w,
                     size_t file);

/* The numbers of the files that have a row, sorted: how many, or -ENOMEM. The caller frees them
 * either way. */
int io_rows(const struct io_counts *counts, const struct io_report_options *w, enum io_sort sort,
            uint32_t **out);

/* Adds what is counted of a file, not its place. */
void io_file_add(struct io_file *to, const struct io_file *from);

/* "(stdin)" for /fd/0 and so on; NULL when it is none of the three. */
const char *io_stream_name(const char *path);
/* The path, or the stream's name in its place. */
const char *io_shown_path(const char *path);
/* Appends a path as a report shows it. */
void io_path_text(const char *path, struct buf *out);

/*
 * A directory's row precedes those below it. Those that lead to a single entry only are one
 * with it, as far as they have no I/O themselves.
 */
struct io_branch {
    const char *path; /* from the root, of counts or of the tree */
    size_t shown;     /* its name is path + shown */
    unsigned depth;
    bool directory;
    struct io_file sum;
};
struct io_tree {
    struct io_counts *nodes; /* every directory and file */
    struct io_branch *branch;
    size_t count;
};
/* 0 or -ENOMEM; release either way. */
int io_tree_of(const struct io_counts *counts, const struct io_report_options *w,
               struct io_tree *out);
void io_tree_release(struct io_tree *t);
