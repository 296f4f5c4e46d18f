#include "core/stacks/around.h"

#include "core/base/buf.h"
#include "core/base/fail.h"
#include "core/base/sort.h"
#include "core/stacks/call_tree.h"
#include "core/stacks/format.h"
#include "core/stacks/functions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- the function that is asked for --- */

typedef bool fits(const struct stacks_function *f, const struct call_row *row, const char *asked);

static bool matches_shown_name(const struct stacks_function *f, const struct call_row *row,
                               const char *asked)
{
    SCOPED_BUF shown = BUF_INIT;
    bool same = strcmp(row->name, asked) == 0;
    if (!same && strncmp(row->name, asked, strlen(row->name)) == 0) {
        call_name(&shown, row->name, row->module, 0);
        same = strcmp(buf_str(&shown), asked) == 0;
    }
    return same;
}

static bool matches_raw_name(const struct stacks_function *f, const struct call_row *row,
                             const char *asked)
{
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
    SCOPED_FREE bool *hit = calloc(rows->rows, sizeof *hit);
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

/* By what core/stacks/around.h says. 0, -ENOMEM, -ENOENT or -EINVAL (several fit). */
static int call_find(const struct stacks *s, const struct call_rows *rows, const char *asked,
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

/* --- callers and callees --- */

/* By row, and one more for "no caller". */
struct sums {
    uint64_t *caller, *callee;
};

/* Which callee of the function's innermost frame above a node leads to it: its row; IN_IT: the
 * node is the function's own; OUTSIDE: the function is not on the chain. */
enum { OUTSIDE = STACKS_NONE, IN_IT = STACKS_NONE - 1 };

static uint32_t via_of(const struct call_tree *t, const uint32_t *via, uint32_t i, uint32_t asked)
{
    const struct call_node *n = &t->node[i];
    if (n->row == asked)
        return IN_IT;
    if (n->parent == STACKS_NONE)
        return OUTSIDE;
    return via[n->parent] == IN_IT ? n->row : via[n->parent];
}

static void count_nodes(const struct call_tree *t, uint32_t *via, uint32_t asked, struct sums *sums,
                        struct stacks_around *out)
{
    for (uint32_t i = 0; i < t->nodes; i++) {
        const struct call_node *n = &t->node[i];
        bool inside = n->parent != STACKS_NONE && via[n->parent] != OUTSIDE;
        via[i] = via_of(t, via, i, asked);
        if (via[i] == IN_IT)
            out->self += n->self;
        else if (via[i] != OUTSIDE)
            sums->callee[via[i]] += n->self;
        if (via[i] == IN_IT && !inside) {
            out->cumulative += n->total;
            sums->caller[n->parent == STACKS_NONE ? t->rows.rows : t->node[n->parent].row] +=
                n->total;
        }
    }
}

static int most_first(const void *a, const void *b)
{
    const struct stacks_neighbour *x = a, *y = b;
    if (x->amount != y->amount || !x->name || !y->name)
        return ORDER(y->amount, x->amount) ?: !y->name - !x->name;
    return strcmp(x->name, y->name) ?: strcmp(x->module, y->module);
}

static struct stacks_neighbour *make_neighbours(const struct call_rows *rows, const uint64_t *sum,
                                                size_t *length)
{
    struct stacks_neighbour *all = malloc((rows->rows + 1) * sizeof *all);
    *length = 0;
    if (!all)
        return NULL;
    for (size_t i = 0; i <= rows->rows; i++)
        if (sum[i])
            all[(*length)++] =
                i < rows->rows
                    ? (struct stacks_neighbour){rows->row[i].name, rows->row[i].module, sum[i]}
                    : (struct stacks_neighbour){NULL, "", sum[i]};
    sort_array(all, *length, sizeof *all, most_first);
    return all;
}

static int fill_neighbours(const struct call_tree *t, uint32_t asked, struct stacks_around *out)
{
    SCOPED_FREE uint32_t *via = malloc((t->nodes + 1) * sizeof *via);
    struct sums sums = {calloc(t->rows.rows + 1, sizeof *sums.caller),
                        calloc(t->rows.rows + 1, sizeof *sums.callee)};
    if (via && sums.caller && sums.callee) {
        count_nodes(t, via, asked, &sums, out);
        out->caller = make_neighbours(&t->rows, sums.caller, &out->callers);
        out->callee = make_neighbours(&t->rows, sums.callee, &out->callees);
    }
    free(sums.caller);
    free(sums.callee);
    return out->caller && out->callee ? 0 : -ENOMEM;
}

int stacks_around_make(const struct stacks *s, const char *asked, struct stacks_around *out,
                       struct fail *fail)
{
    SCOPED(call_tree_release) struct call_tree tree;
    uint32_t row;
    *out = (struct stacks_around){.value = s->values - 1};
    int r = call_tree_make(s, out->value, 0, &tree);
    if (r < 0)
        fail_set(fail, ENOMEM, "%s", asked);
    else
        r = call_find(s, &tree.rows, asked, &row, fail);
    if (r == 0) {
        out->name = tree.rows.row[row].name;
        out->module = tree.rows.row[row].module;
        out->total = tree.total;
        r = fill_neighbours(&tree, row, out);
        if (r < 0)
            fail_set(fail, ENOMEM, "%s", asked);
    }
    return r;
}

void stacks_around_release(struct stacks_around *a)
{
    free(a->caller);
    free(a->callee);
    *a = (struct stacks_around){0};
}
