#include "core/stacks/around.h"

#include "core/stacks/call_tree.h"
#include "find.h"

#include "core/base/fail.h"
#include "core/base/sort.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
    if (x->amount != y->amount)
        return x->amount > y->amount ? -1 : 1;
    if (!x->name || !y->name)
        return !y->name - !x->name;
    int order = strcmp(x->name, y->name);
    return order ? order : strcmp(x->module, y->module);
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
    uint32_t *via = malloc((t->nodes + 1) * sizeof *via);
    struct sums sums = {calloc(t->rows.rows + 1, sizeof *sums.caller),
                        calloc(t->rows.rows + 1, sizeof *sums.callee)};
    if (via && sums.caller && sums.callee) {
        count_nodes(t, via, asked, &sums, out);
        out->caller = make_neighbours(&t->rows, sums.caller, &out->callers);
        out->callee = make_neighbours(&t->rows, sums.callee, &out->callees);
    }
    free(via);
    free(sums.caller);
    free(sums.callee);
    return out->caller && out->callee ? 0 : -ENOMEM;
}

int stacks_around_make(const struct stacks *s, const char *asked, struct stacks_around *out,
                       struct fail *fail)
{
    struct call_tree tree;
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
    call_tree_release(&tree);
    return r;
}

void stacks_around_release(struct stacks_around *a)
{
    free(a->caller);
    free(a->callee);
    *a = (struct stacks_around){0};
}
