/* top_rows: what the parts of core/report/top.h share. */
#pragma once

#include "core/report/top.h"

/* Sums up the last update's counts by the rows that are to be shown, and settles them. */
void top_sum(struct top *t);

/* Which rows are shown, in which order. */
void top_settle(struct top *t);

/* All rows of the kind that is shown. */
static inline const struct intern *top_rows(const struct top *t)
{
    bool tasks = !t->view.into && (t->view.by == TOP_THREAD || t->view.by == TOP_PROCESS);
    return tasks ? &t->table.tasks : &t->table.places;
}

static inline const struct top_row *top_shown(const struct top *t, size_t i)
{
    return (const struct top_row *)top_rows(t)->record + t->table.shown[i];
}

/* Lines of the screen that are rows. */
static inline int top_row_lines(int height)
{
    return height > 4 ? height - 4 : 0;
}
