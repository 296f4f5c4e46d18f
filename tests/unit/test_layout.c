#include "unit.h"

#include "core/layout/layout.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST = 20000 };

static struct layout_node node[MOST];
static struct layout_edge edge[MOST];

static struct layout made(size_t nodes, size_t edges)
{
    struct layout l = {
        .node = node, .nodes = nodes, .edge = edge, .edges = edges, .gap = 10, .bend_size = 4};
    CHECK_INT(layout_make(&l), 0);
    return l;
}

static void set_edge(size_t i, uint32_t from, uint32_t to)
{
    edge[i] = (struct layout_edge){.from = from, .to = to};
}

static void set_node(size_t i, uint32_t layer, int32_t size)
{
    node[i] = (struct layout_node){.layer = layer, .size = size};
}

static uint64_t random_seed;

static uint32_t chance(uint32_t below)
{
    random_seed = random_seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_seed >> 33) % below;
}

/* Each edge leads at most one layer down, as calls do. */
static void make_calls(size_t nodes, size_t edges, uint32_t layers)
{
    for (size_t i = 0; i < nodes; i++)
        set_node(i, i < layers ? (uint32_t)i : chance(layers), 10 + (int32_t)chance(40));
    for (size_t i = 0; i < edges; i++) {
        uint32_t from = chance((uint32_t)nodes), to = chance((uint32_t)nodes);
        while (node[to].layer > node[from].layer + 1)
            to = chance((uint32_t)nodes);
        set_edge(i, from, to);
    }
}

/* What stands at a layer: nodes and bends. */
struct taken {
    uint32_t layer;
    int64_t low, high;
};

static int compare_taken(const void *a, const void *b)
{
    const struct taken *x = a, *y = b;
    if (x->layer != y->layer)
        return x->layer < y->layer ? -1 : 1;
    return x->low < y->low ? -1 : x->low > y->low;
}

static bool overlaps(const struct layout *l, int64_t gap)
{
    struct taken *t = malloc((l->nodes + l->bends) * sizeof *t);
    size_t n = 0;
    bool found = false;
    for (size_t i = 0; i < l->nodes; i++, n++)
        t[n] = (struct taken){l->node[i].layer, l->node[i].at - l->node[i].size / 2,
                              l->node[i].at + l->node[i].size / 2};
    for (size_t i = 0; i < l->edges; i++) {
        uint32_t a = node[edge[i].from].layer, b = node[edge[i].to].layer;
        for (size_t k = 0; k < edge[i].bends; k++, n++) {
            int64_t at = l->bend[edge[i].first_bend + k];
            t[n] = (struct taken){(a < b ? a : b) + 1 + (uint32_t)k, at - l->bend_size / 2,
                                  at + l->bend_size / 2};
        }
    }
    qsort(t, n, sizeof *t, compare_taken);
    for (size_t i = 0; i < n; i++)
        found |= t[i].low < 0 || t[i].high > l->extent;
    for (size_t i = 1; i < n; i++)
        found |= t[i].layer == t[i - 1].layer && t[i].low < t[i - 1].high + gap - 1;
    free(t);
    return found;
}

TEST(a_tree_has_no_crossing_and_its_lines_are_straight)
{
    enum { NODES = 1023 };
    for (uint32_t i = 0; i < NODES; i++) {
        set_node(i, (uint32_t)(31 - __builtin_clz(i + 1)), 20);
        if (i)
            set_edge(i - 1, (i - 1) / 2, i);
    }
    struct layout l = made(NODES, NODES - 1);
    CHECK_INT(l.crossings, 0);
    CHECK(!overlaps(&l, 10));
    for (uint32_t i = 0; i < NODES / 2; i++) /* a parent is in the middle of its children */
        CHECK(llabs(node[2 * i + 1].at + node[2 * i + 2].at - 2 * node[i].at) <= 2);
    layout_release(&l);
}

TEST(crossings_that_cannot_be_avoided)
{
    for (uint32_t i = 0; i < 6; i++)
        set_node(i, i / 3, 10);
    for (uint32_t i = 0; i < 9; i++)
        set_edge(i, i / 3, 3 + i % 3);
    struct layout l = made(6, 9);
    CHECK_INT(l.crossings, 9); /* K3,3 in two layers */
    layout_release(&l);
}

TEST(crossings_that_can_be_avoided_are)
{
    enum { PAIRS = 200 };
    for (uint32_t i = 0; i < PAIRS; i++) {
        set_node(i, 0, 10);
        set_node(PAIRS + i, 1, 10);
        set_edge(i, i, PAIRS + i * 77 % PAIRS);
    }
    struct layout l = made(2 * PAIRS, PAIRS);
    CHECK_INT(l.crossings, 0);
    for (uint32_t i = 0; i < PAIRS; i++)
        CHECK_INT(node[edge[i].from].at, node[edge[i].to].at);
    layout_release(&l);
}

/* Layers of WIDE nodes, whose numbers are mixed; edges that can be drawn without any crossing. */
static void make_planar(uint32_t wide, uint32_t layers, size_t *edges)
{
    static uint32_t mixed[MOST];
    uint32_t nodes = wide * layers;
    for (uint32_t i = 0; i < nodes; i++) {
        uint32_t k = chance(i + 1);
        mixed[i] = mixed[k];
        mixed[k] = i;
    }
    *edges = 0;
    for (uint32_t i = 0; i < nodes; i++)
        set_node(mixed[i], i / wide, 10);
    for (uint32_t k = 0; k + 1 < layers; k++)
        for (uint32_t a = 0, b = 0; a < wide && b < wide; *(chance(2) ? &a : &b) += 1)
            set_edge((*edges)++, mixed[k * wide + a], mixed[(k + 1) * wide + b]);
}

TEST(few_crossings_are_left_where_none_is_needed)
{
    uint64_t left = 0, edges_of_all = 0;
    random_seed = 1;
    for (int round = 0; round < 50; round++) { /* the limit is of these */
        size_t edges;
        make_planar(8, 8, &edges);
        struct layout l = made(64, edges);
        left += l.crossings;
        edges_of_all += edges;
        layout_release(&l);
    }
    CHECK(left * 9 < edges_of_all); /* one of ten; one of seven without exchanges of equals */
}

TEST(a_long_edge_is_straight_and_passes_beside_the_nodes)
{
    for (uint32_t i = 0; i < 6; i++) {
        set_node(i, i, 10);
        if (i)
            set_edge(i - 1, i - 1, i);
    }
    set_edge(5, 5, 0); /* back to the first */
    struct layout l = made(6, 6);
    CHECK_INT(l.bends, 4);
    CHECK_INT(edge[5].bends, 4);
    CHECK(!overlaps(&l, 10));
    for (size_t i = 1; i < 4; i++)
        CHECK_INT(l.bend[i], l.bend[0]);
    layout_release(&l);
}

TEST(edges_in_a_layer_and_to_itself_do_nothing)
{
    set_node(0, 3, 10);
    set_node(1, 3, 10);
    set_edge(0, 0, 1);
    set_edge(1, 1, 1);
    struct layout l = made(2, 2);
    CHECK_INT(l.bends, 0);
    CHECK(!overlaps(&l, 10));
    layout_release(&l);
    l = made(0, 0);
    CHECK_INT(l.extent, 0);
    layout_release(&l);
}

TEST(what_is_out_of_bounds_is_refused)
{
    struct layout l = {.node = node, .nodes = 1, .edge = edge, .edges = 1, .bend_size = 1};
    set_node(0, 0, 10);
    set_edge(0, 0, 1);
    CHECK_INT(layout_make(&l), -EINVAL);
    layout_release(&l);
    set_edge(0, 0, 0);
    set_node(0, LAYOUT_MAX_LAYER + 1, 10);
    CHECK_INT(layout_make(&l), -EINVAL);
    set_node(0, 0, 0);
    CHECK_INT(layout_make(&l), -EINVAL);
}

TEST(more_layers_than_bends_fit)
{
    enum { LONG = 100 };
    for (uint32_t i = 0; i < LONG; i++) {
        set_node(i, i % 2 ? LAYOUT_MAX_LAYER : i, 10);
        set_edge(i, i, (i + 1) % LONG);
    }
    struct layout l = made(LONG, LONG);
    CHECK(l.bends <= 4 * 2 * LONG + 4096);
    layout_release(&l);
}

static uint64_t hash_places(size_t nodes)
{
    uint64_t h = 0;
    for (size_t i = 0; i < nodes; i++)
        h = h * 1099511628211u + (uint64_t)node[i].at * 31 + node[i].number;
    return h;
}

TEST(random_graphs_do_not_overlap_and_are_the_same_again)
{
    for (int round = 0, rounds = unit_rounds(200); round < rounds; round++) {
        size_t nodes = 20 + chance(200), edges = chance(600);
        uint32_t layers = 1 + chance(12);
        make_calls(nodes, edges, layers);
        struct layout l = made(nodes, edges);
        CHECK(!overlaps(&l, 10));
        uint64_t first = hash_places(nodes), crossings = l.crossings;
        layout_release(&l);
        l = made(nodes, edges);
        CHECK(hash_places(nodes) == first && l.crossings == crossings);
        layout_release(&l);
    }
}

/* Segments of an edge, for counting without a tree. */
static int64_t end_at(const struct layout *l, const struct layout_edge *e, uint32_t layer)
{
    uint32_t top = node[e->from].layer < node[e->to].layer ? e->from : e->to;
    uint32_t bottom = top == e->from ? e->to : e->from;
    return layer == node[top].layer      ? node[top].at
           : layer == node[bottom].layer ? node[bottom].at
                                         : l->bend[e->first_bend + layer - node[top].layer - 1];
}

static bool passes(const struct layout_edge *e, uint32_t layer)
{
    uint32_t a = node[e->from].layer, b = node[e->to].layer;
    return (a < b ? a : b) <= layer && layer < (a < b ? b : a);
}

static uint64_t count_crossings(const struct layout *l, uint32_t layers)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k + 1 < layers; k++)
        for (size_t i = 0; i < l->edges; i++)
            for (size_t j = 0; passes(&edge[i], k) && j < i; j++) {
                if (!passes(&edge[j], k))
                    continue;
                int64_t up = end_at(l, &edge[i], k) - end_at(l, &edge[j], k);
                int64_t down = end_at(l, &edge[i], k + 1) - end_at(l, &edge[j], k + 1);
                sum += (up < 0 && down > 0) || (up > 0 && down < 0);
            }
    return sum;
}

TEST(crossings_are_those_of_the_drawing)
{
    for (int round = 0, rounds = unit_rounds(50); round < rounds; round++) {
        make_calls(60, 150, 6);
        struct layout l = made(60, 150);
        CHECK_INT(l.crossings, count_crossings(&l, 6));
        layout_release(&l);
    }
}

TEST(five_thousand_nodes)
{
    make_calls(5000, 20000, 12);
    struct layout l = made(5000, 20000);
    CHECK(!overlaps(&l, 10));
    layout_release(&l);
}
