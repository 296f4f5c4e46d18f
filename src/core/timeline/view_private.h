/* timeline_parts: what the files of core/timeline/view.h share. */
#pragma once

#include "core/timeline/view.h"

/* Where things are on a canvas. Columns are of equal time; left_ns is the first one's start. */
struct timeline_layout {
    int x, width;    /* of the time's columns */
    int top, bottom; /* the first line of rows, the one after their last */
    int lines;       /* a row has */
    int rows;        /* that fit */
    int list;        /* lines of the list of events, below them */
    uint64_t left_ns, span_ns;
};
struct timeline_layout timeline_layout(const struct timeline *t, const struct canvas *c);

/* The start of a column; it ends where the next one starts. Columns outside the view are allowed.
 */
uint64_t timeline_time_of(const struct timeline_layout *l, int column);
/* Its column, from 0; below 0 and from width on outside. */
int timeline_column_of(const struct timeline_layout *l, uint64_t time_ns);

uint64_t timeline_span_ns(const struct timeline *t);

/* Which rows are shown, in which order. */
void timeline_settle(struct timeline *t, const struct timeline_layout *l);
struct sched_row *timeline_row(const struct timeline *t, size_t shown); /* NULL: a CPU, or none */
struct sched_cpu *timeline_cpu(const struct timeline *t, size_t shown); /* NULL: a task, or none */
const struct sched_list *timeline_marks(const struct timeline *t, size_t shown);
/* Whether what a row is called has the words in it, in any case. */
bool timeline_named(const struct timeline *t, size_t shown, const char *words);
/* "PID NAME" or "CPU N". */
void timeline_name(const struct timeline *t, size_t shown, struct buf *out);

/* A run; also the open one, behind the last. */
bool timeline_run(const struct timeline *t, size_t shown, size_t i, struct sched_run *out);
/* The first that ends after the time; the count when there is none. */
size_t timeline_run_after(const struct timeline *t, size_t shown, uint64_t time_ns);

/* A row's lines: its text, its marks, its runs. */
void timeline_draw_row(const struct timeline *t, struct canvas *c, const struct caps *caps,
                       const struct timeline_layout *l, size_t shown, int y);
void timeline_draw_marks(const struct timeline *t, struct canvas *c, const struct caps *caps,
                         const struct timeline_layout *l, size_t shown, int y);
void timeline_draw_ruler(const struct timeline *t, struct canvas *c, const struct caps *caps,
                         const struct timeline_layout *l, int y);
/* Whether a column has a major tick, and its time. */
bool timeline_big_tick(const struct timeline *t, const struct timeline_layout *l, int column,
                       uint64_t *time_ns);

/* In words: what is at the cursor; a time from the origin, in seconds with so many decimals. */
void timeline_describe(const struct timeline *t, const struct timeline_layout *l, struct buf *out);
void timeline_print_time(const struct timeline *t, uint64_t time_ns, int decimals, struct buf *out);
bool timeline_has_arrow(unsigned kind);

/* The cursor to the row's next (way 1) or previous (way -1) event. False: there is none. */
bool timeline_step(const struct timeline *t, size_t shown, int direction, uint64_t from_ns,
                   uint64_t *time_ns);
/* The same of all rows, of what was searched for. */
bool timeline_find(const struct timeline *t, int direction, uint64_t from_ns, size_t *shown,
                   uint64_t *time_ns);
