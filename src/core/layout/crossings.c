/* Crossings between neighbouring layers are inversions: a Fenwick tree counts them. */
#include "graph.h"

#include "core/base/scope.h"
#include "core/base/sort.h"

#include <errno.h>

struct ends {
    uint32_t up, down; /* places */
};

static int compare_ends(const void *a, const void *b)
{
    const struct ends *x = a, *y = b;
    return ORDER(x->up, y->up) ?: ORDER(x->down, y->down);
}

static size_t list_ends(const struct graph *g, size_t layer, struct ends *out)
{
    size_t n = 0;
    for (size_t i = 0; i < graph_count(&g->order, layer); i++) {
        uint32_t v = graph_list(&g->order, layer)[i];
        for (size_t k = 0; k < graph_count(&g->next[DOWN], v); k++)
            out[n++] = (struct ends){(uint32_t)i, g->place[graph_list(&g->next[DOWN], v)[k]]};
    }
    sort_array(out, n, sizeof *out, compare_ends);
    return n;
}

/* Of each end those before it that are further on below. tree: size + 1 zeros. */
static uint64_t count_inversions(const struct ends *end, size_t n, uint32_t *tree, size_t size)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t not_further = 0;
        for (size_t k = end[i].down + 1; k; k &= k - 1)
            not_further += tree[k];
        sum += i - not_further;
        for (size_t k = end[i].down + 1; k <= size; k += k & -k)
            tree[k]++;
    }
    return sum;
}

int graph_crossings(const struct graph *g, uint64_t *out)
{
    SCOPED_FREE struct ends *end = malloc((g->segments + 1) * sizeof *end);
    SCOPED_FREE uint32_t *tree = malloc((g->vertices + 2) * sizeof *tree);
    *out = 0;
    for (size_t k = 0; end && tree && k + 1 < g->layers; k++) {
        size_t size = graph_count(&g->order, k + 1), n = list_ends(g, k, end);
        for (size_t i = 0; i <= size; i++)
            tree[i] = 0;
        *out += count_inversions(end, n, tree, size);
    }
    return end && tree ? 0 : -ENOMEM;
}
