#include "core/stats/rows.h"

#include "core/base/grow.h"
#include "core/base/line.h"
#include "core/stats/counter.h"
#include "digits.h"

#include <stdlib.h>

void stats_rows_release(struct stats_rows *r)
{
    free(r->row);
    *r = (struct stats_rows){.row = NULL};
}

/* --- lines --- */

static bool read_row(struct line l, struct stats_row *out)
{
    const char *blank = memchr(l.at, ' ', line_len(l));
    size_t len = blank ? (size_t)(blank - l.at) : 0;
    if (!len || len >= STATS_ROW_NAME || memchr(l.at, '\0', len))
        return false;
    *out = (struct stats_row){.columns = 0};
    memcpy(out->name, l.at, len);
    for (const char *at = blank;
         out->columns < STATS_ROW_COLUMNS && l.end - at > 1 && *at == ' ' && is_digit(at[1]);) {
        at++;
        out->now[out->columns++] = read_digits(&at, l.end);
    }
    return out->columns > 0;
}

/* --- rows --- */

/* A file lists its rows in the same order each time: the search begins at that place. */
static struct stats_row *find_row(const struct stats_rows *r, const char *name, size_t hint)
{
    for (size_t i = 0; i < r->count; i++) {
        struct stats_row *row = &r->row[(hint + i) % r->count];
        if (strcmp(row->name, name) == 0)
            return row;
    }
    return NULL;
}

const struct stats_row *stats_rows_find(const struct stats_rows *r, const char *name)
{
    return find_row(r, name, 0);
}

static void step_row(struct stats_rows *r, struct stats_row *row, const struct stats_row *now)
{
    row->fell = 0;
    row->known = row->columns == now->columns;
    row->columns = now->columns;
    for (size_t i = 0; i < now->columns; i++) {
        uint64_t since = 0;
        if (row->known && !stats_counter_since(row->now[i], now->now[i], &since))
            row->fell |= 1u << i;
        row->since[i] = since;
        row->total[i] += since;
        r->total[i] += since;
        row->now[i] = now->now[i];
    }
    row->generation = r->generation;
}

/* False: out of memory. */
static bool take_row(struct stats_rows *r, const struct stats_row *now, size_t hint)
{
    struct stats_row *row = find_row(r, now->name, hint);
    if (row) {
        if (row->generation != r->generation)
            step_row(r, row, now);
        return true;
    }
    if (r->count == STATS_ROWS_MAX)
        return true;
    if (!GROW_ADD(r->row, r->cap, r->count, *now))
        return false;
    r->row[r->count - 1].generation = r->generation;
    return true;
}

static void forget_rows(struct stats_rows *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->count; i++)
        if (r->row[i].generation == r->generation)
            r->row[kept++] = r->row[i];
    r->count = kept;
}

const char *stats_rows_add(struct stats_rows *r, const char *text, size_t len)
{
    struct lines rest = lines_of(text, len);
    struct line line;
    struct stats_row now;
    size_t rows = 0;
    while (rows == 0 && line_next(&rest, &line))
        rows += read_row(line, &now);
    if (!rows)
        return "no row of a name and numbers";
    rest = lines_of(text, len);
    r->generation++;
    for (rows = 0; line_next(&rest, &line);)
        if (read_row(line, &now) && !take_row(r, &now, rows++))
            return "out of memory";
    forget_rows(r);
    return NULL;
}
