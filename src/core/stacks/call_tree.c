#include "core/stacks/call_tree.h"

#include "core/base/grow.h"
#include "core/base/scope.h"
#include "core/stacks/parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void call_tree_init(struct call_tree *t)
{
    *t = (struct call_tree){
        .root = STACKS_NONE,
        .table = {.each = sizeof(struct call_node), .key = offsetof(struct call_node, first)}};
}

void call_tree_release(struct call_tree *t)
{
    intern_release(&t->table);
    intern_release(&t->texts);
    call_rows_release(&t->rows);
    *t = (struct call_tree){0};
}

uint32_t call_tree_add(struct call_tree *t, uint32_t parent, uint32_t row)
{
    struct call_node n = {row, parent, STACKS_NONE, STACKS_NONE, 0, 0, 1};
    uint32_t i = intern(&t->table, &n);
    t->node = t->table.record;
    t->nodes = t->table.count;
    return i;
}

/* --- the samples, a thread at a time --- */

struct build {
    const struct stacks *s;
    struct call_tree *tree;
    uint32_t *to;   /* the tree's node of each of the stacks' */
    uint32_t *seen; /* for which group that is so */
    uint32_t *path;
    uint32_t *depth; /* frames in a row of one function, up to this node; NULL: not folded */
    uint32_t group;  /* 1...; of samples with one root */
    uint32_t root;   /* theirs; STACKS_NONE: none */
};

/* A function that its own frame calls stays at that frame's node. */
static uint32_t add_frame(struct build *b, uint32_t at, uint32_t n, uint32_t *depth)
{
    uint32_t row = call_row_of(&b->tree->rows, b->s, n);
    if (b->depth && *depth && b->tree->node[at].row == row) {
        if (++*depth > b->tree->node[at].depth)
            b->tree->node[at].depth = *depth;
    } else {
        at = call_tree_add(b->tree, at, row);
        *depth = 1;
    }
    if (b->depth)
        b->depth[n] = *depth;
    return at;
}

/* The node of the tree for one of the stacks; every node of them is gone through once a group. */
static uint32_t node_of(struct build *b, uint32_t node)
{
    size_t depth = 0;
    if (node == STACKS_NONE)
        return call_tree_add(b->tree, b->root, b->tree->rows.unknown);
    uint32_t n = node;
    for (; n != STACKS_NONE && b->seen[n] != b->group; n = b->s->node[n].parent)
        b->path[depth++] = n;
    uint32_t at = n == STACKS_NONE ? b->root : b->to[n];
    uint32_t same = n == STACKS_NONE || !b->depth ? 0 : b->depth[n];
    while (depth) {
        n = b->path[--depth];
        at = add_frame(b, at, n, &same);
        if (at == INTERN_NONE)
            return at;
        b->to[n] = at;
        b->seen[n] = b->group;
    }
    return b->to[node];
}

static bool add_sample(struct build *b, size_t i, uint64_t amount)
{
    uint32_t node = amount ? node_of(b, b->s->sample[i].node) : STACKS_NONE;
    if (amount && node == INTERN_NONE)
        return false;
    if (amount)
        b->tree->node[node].self += amount;
    return true;
}

/* A row that goes by the thread's name. */
static uint32_t thread_row(struct call_tree *t, const struct stacks *s, uint32_t thread)
{
    char name[256] = "thread (any)";
    if (thread != STACKS_NONE && s->thread[thread].tid == UINT32_MAX) /* of no number any more */
        snprintf(name, sizeof name, "%s %s", s->origin.group ? s->origin.group : "thread",
                 s->thread[thread].name);
    else if (thread != STACKS_NONE)
        snprintf(name, sizeof name, "thread %" PRIu32 " %s", s->thread[thread].tid,
                 s->thread[thread].name);
    const char *own = intern_copy(&t->texts, name);
    if (!own ||
        !GROW_ADD(t->rows.row, t->rows.cap, t->rows.rows, (struct call_row){own, "", STACKS_NONE}))
        return INTERN_NONE;
    return (uint32_t)t->rows.rows - 1;
}

static bool start_group(struct build *b, uint32_t thread)
{
    uint32_t row = thread_row(b->tree, b->s, thread);
    b->group++;
    b->root = row == INTERN_NONE ? INTERN_NONE : call_tree_add(b->tree, STACKS_NONE, row);
    return b->root != INTERN_NONE;
}

static bool add_threads(struct build *b, size_t value)
{
    SCOPED(stacks_by_thread_release) struct stacks_by_thread by;
    bool ok = stacks_by_thread(b->s, &by) == 0;
    for (size_t t = 0; ok && t <= b->s->threads; t++) {
        if (by.start[t] < by.start[t + 1])
            ok = start_group(b, t < b->s->threads ? (uint32_t)t : STACKS_NONE);
        for (size_t k = by.start[t]; ok && k < by.start[t + 1]; k++)
            ok = add_sample(b, by.sample[k], b->s->amount[by.sample[k] * b->s->values + value]);
    }
    return ok;
}

static bool add_all(struct build *b, size_t value)
{
    bool ok = true;
    for (size_t i = 0; ok && i < b->s->samples; i++)
        ok = add_sample(b, i, b->s->amount[i * b->s->values + value]);
    return ok;
}

static void sum_up(struct call_tree *t)
{
    for (size_t i = 0; i < t->nodes; i++)
        t->node[i].total = t->node[i].self;
    for (size_t i = t->nodes; i--;)
        if (t->node[i].parent != STACKS_NONE)
            t->node[t->node[i].parent].total += t->node[i].total;
        else
            t->total += t->node[i].total;
}

int call_tree_make(const struct stacks *s, size_t value, unsigned kind, struct call_tree *out)
{
    struct build b = {.s = s, .tree = out, .group = 1, .root = STACKS_NONE};
    call_tree_init(out);
    b.to = malloc((s->nodes + 1) * sizeof *b.to);
    b.seen = calloc(s->nodes + 1, sizeof *b.seen);
    b.path = malloc((s->nodes + 1) * sizeof *b.path);
    b.depth = kind & CALL_FOLDED ? malloc((s->nodes + 1) * sizeof *b.depth) : NULL;
    bool ok = b.to && b.seen && b.path && (b.depth || !(kind & CALL_FOLDED)) &&
              call_rows_make(s, &out->rows) == 0 &&
              (kind & CALL_BY_THREAD ? add_threads(&b, value) : add_all(&b, value));
    free(b.to);
    free(b.seen);
    free(b.path);
    free(b.depth);
    if (!ok)
        return -ENOMEM;
    sum_up(out);
    return 0;
}
