/* Plan 9's call graph, and its dump of the nodes. */
#include "core/prof/report.h"

#include "core/base/buf.h"
#include "core/base/time_ns.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* Indenting a million levels fully would be a terabyte: after so many bytes of it, a line deeper
 * than LEVELS has its level as a number. */
enum { MAX_INDENT = 32 << 20, MAX_LEVELS = 100 };

struct graph {
    const struct prof_names *names;
    const struct prof_graph_options *options;
    uint32_t *on; /* how often a place is among the callers */
    size_t indented;
    struct buf *out;
};

static uint64_t node_ms(const struct prof_tree *t, const struct prof_node *n)
{
    if (t->about.version == 1)
        return n->time_ns > 0 ? (uint64_t)n->time_ns / NS_PER_MS : 0;
    return n->total_ns / NS_PER_MS + (n->total_ns % NS_PER_MS >= NS_PER_MS / 2);
}

static size_t fit_level(struct graph *g, size_t level)
{
    if (level <= MAX_LEVELS || g->indented < MAX_INDENT) {
        g->indented += level;
        return level;
    }
    return MAX_LEVELS;
}

static void print_indent(struct graph *g, size_t level)
{
    size_t fits = fit_level(g, level), column = 2 * fits;
    for (; column >= g->options->tabstop; column -= g->options->tabstop)
        buf_adds(g->out, ".\t");
    if (column)
        buf_printf(g->out, ".%*s", (int)column - 1, "");
    if (fits < level)
        buf_printf(g->out, "(%zu) ", level);
}

static void add_line(struct graph *g, const struct prof_node *n, size_t level)
{
    const struct prof_tree *t = g->names->tree;
    print_indent(g, level);
    prof_label(g->names, g->names->of_place[n->place], g->out);
    buf_printf(g->out, ":%" PRIu64, node_ms(t, n));
    if (n->count != 1)
        buf_printf(g->out, "/%" PRIu64, n->count);
    buf_addc(g->out, '\n');
}

static bool enter_call(void *arg, uint32_t node, size_t level)
{
    struct graph *g = arg;
    const struct prof_node *n = &g->names->tree->node[node];
    bool repeated = g->on[n->place]++ && !g->options->recursion;
    add_line(g, n, level);
    if (repeated && n->down != PROF_NONE) {
        print_indent(g, level + 1);
        buf_adds(g->out, "...\n");
    }
    return !repeated;
}

static void leave_call(void *arg, uint32_t node)
{
    struct graph *g = arg;
    g->on[g->names->tree->node[node].place]--;
}

int prof_graph_text(const struct prof_names *n, uint32_t thread,
                    const struct prof_graph_options *options, struct buf *out)
{
    SCOPED_FREE uint32_t *on = calloc(n->tree->places.count + 1, sizeof *on);
    struct graph g = {.names = n, .options = options, .on = on, .out = out};
    struct prof_walk w = {.enter = enter_call, .leave = leave_call, .arg = &g, .oldest = true};
    return on ? prof_tree_walk(n->tree, thread, &w) : -ENOMEM;
}

/* --- nodes --- */

/* An open call's time is the record's own in version 1, as Plan 9 prints it. */
static int64_t recorded_ms(const struct prof_tree *t, const struct prof_node *n)
{
    if (t->about.version != 1)
        return (int64_t)node_ms(t, n);
    return n->time_ns / NS_PER_MS - (n->open ? t->about.root_ms : 0);
}

static void add_tabs(struct graph *g, size_t level)
{
    size_t fits = fit_level(g, level);
    for (size_t i = 0; i < fits; i++)
        buf_addc(g->out, '\t');
    if (fits < level)
        buf_printf(g->out, "(%zu) ", level);
}

static bool enter_node(void *arg, uint32_t node, size_t level)
{
    struct graph *g = arg;
    const struct prof_tree *t = g->names->tree;
    const struct prof_node *n = &t->node[node];
    uint32_t function = g->names->of_place[n->place];
    add_tabs(g, level);
    buf_printf(g->out, "%" PRIu32 ": %" PRId64 "/%" PRIu64 "\t", n->index, recorded_ms(t, n),
               n->count);
    if (prof_function_at(g->names, function)->known)
        prof_label(g->names, function, g->out);
    else
        buf_printf(g->out, "0x%" PRIx64, prof_linked(t, prof_place_at(t, n->place)));
    buf_addc(g->out, '\n');
    return true;
}

void prof_nodes_text(const struct prof_names *n, uint32_t thread, struct buf *out)
{
    struct graph g = {.names = n, .out = out};
    struct prof_walk w = {.enter = enter_node, .arg = &g};
    prof_tree_walk(n->tree, thread, &w);
}
