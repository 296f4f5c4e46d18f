#include "find.h"

#include "core/stacks/format.h"

#include "core/base/buf.h"
#include "core/base/fail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef bool fits(const struct stacks_function *f, const struct call_row *row, const char *asked);

static bool matches_shown_name(const struct stacks_function *f, const struct call_row *row,
                               const char *asked)
{
    struct buf shown = BUF_INIT;
    bool same = strcmp(row->name, asked) == 0;
    (void)f;
    if (!same && strncmp(row->name, asked, strlen(row->name)) == 0) {
        call_name(&shown, row->name, row->module, 0);
        same = strcmp(buf_str(&shown), asked) == 0;
    }
    buf_release(&shown);
    return same;
}

static bool matches_raw_name(const struct stacks_function *f, const struct call_row *row,
                             const char *asked)
{
    (void)row;
    return f && strcmp(f->raw, asked) == 0;
}

static bool matches_part(const struct stacks_function *f, const struct call_row *row,
                         const char *asked)
{
    return f && (strstr(row->name, asked) || strstr(f->raw, asked));
}

/* Rows that match one form of the query. */
struct found {
    size_t rows;
    uint32_t first;
    struct buf names; /* of a few */
};

static void note_row(const struct call_rows *rows, uint32_t row, struct found *found)
{
    enum { NAMED = 4 };
    if (found->rows == 0)
        found->first = row;
    if (found->rows < NAMED) {
        buf_adds(&found->names, found->rows ? ", " : "");
        call_name(&found->names, rows->row[row].name, rows->row[row].module, 0);
    } else if (found->rows == NAMED) {
        buf_adds(&found->names, ", ...");
    }
    found->rows++;
}

/* Functions of one row may have several raw names: each is asked, a row is noted once. */
static bool search_rows(const struct stacks *s, const struct call_rows *rows, fits *does,
                        const char *asked, struct found *found)
{
    bool *hit = calloc(rows->rows, sizeof *hit);
    if (!hit)
        return false;
    for (uint32_t i = 0; i < s->functions; i++)
        if (!hit[rows->of_function[i]])
            hit[rows->of_function[i]] =
                does(&s->function[i], &rows->row[rows->of_function[i]], asked);
    hit[rows->unknown] = does(NULL, &rows->row[rows->unknown], asked);
    for (uint32_t i = 0; i <= rows->unknown; i++)
        if (hit[i])
            note_row(rows, i, found);
    free(hit);
    return true;
}

static int check_found(const struct found *found, const char *asked, struct fail *fail)
{
    if (found->rows == 1)
        return 0;
    if (found->rows == 0) {
        fail_set(fail, 0, "%s: no samples in a function of this name", asked);
        return -ENOENT;
    }
    fail_set(fail, 0, "%s: %zu functions match this name", asked, found->rows);
    fail_hint(fail, "name one of them: %s", buf_str(&found->names));
    return -EINVAL;
}

int call_find(const struct stacks *s, const struct call_rows *rows, const char *asked,
              uint32_t *row, struct fail *fail)
{
    static fits *const matchers[] = {matches_shown_name, matches_raw_name, matches_part};
    struct found found = {.names = BUF_INIT};
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof matchers / sizeof *matchers && !found.rows; i++)
        ok = search_rows(s, rows, matchers[i], asked, &found);
    *row = found.first;
    int r = ok ? check_found(&found, asked, fail) : fail_set(fail, ENOMEM, "%s", asked);
    buf_release(&found.names);
    return r;
}
