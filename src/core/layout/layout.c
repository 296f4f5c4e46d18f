#include "core/layout/layout.h"

#include "core/base/scope.h"

#include "graph.h"

#include <errno.h>
#include <stdlib.h>

static void set_results(struct layout *l, const struct graph *g, const int64_t *at)
{
    for (size_t v = 0; v < g->vertices; v++) {
        int64_t end = at[v] + (g->size[v] + 1) / 2;
        l->extent = end > l->extent ? end : l->extent;
        if (v >= l->nodes)
            l->bend[v - l->nodes] = at[v];
        else {
            l->node[v].at = at[v];
            l->node[v].number = g->place[v];
        }
    }
}

int layout_make(struct layout *l)
{
    SCOPED(graph_release) struct graph g;
    SCOPED_FREE int64_t *at = NULL;
    l->bend = NULL;
    l->bends = 0;
    l->extent = 0;
    int r = graph_make(l, &g);
    if (r == 0)
        r = order_make(&g);
    if (r == 0)
        r = graph_crossings(&g, &l->crossings);
    if (r == 0) {
        l->bend = malloc((l->bends + 1) * sizeof *l->bend);
        at = malloc((g.vertices + 1) * sizeof *at);
        r = l->bend && at ? place_make(&g, at) : -ENOMEM;
    }
    if (r == 0)
        set_results(l, &g, at);
    return r;
}

void layout_release(struct layout *l)
{
    free(l->bend);
    l->bend = NULL;
    l->bends = 0;
}
