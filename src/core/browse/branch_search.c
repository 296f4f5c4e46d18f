/* Search in a tree, folded branches too. */
#include "private.h"

#include <stdlib.h>
#include <string.h>

struct search {
    struct browse_branches *tree;
    bool *row;  /* of each row: its name has the text */
    bool *node; /* of each node: it or one further on has it: a callee, or a caller */
};

static bool has_text(const struct call_row *row, const char *text)
{
    return strcasestr(row->name, text) || strcasestr(row->module, text);
}

static void mark_nodes(struct search *s)
{
    const struct call_tree *t = &s->tree->graph->tree;
    for (size_t i = 0; i < t->nodes; i++)
        s->node[i] = s->row[t->node[i].row];
    if (s->tree->view == BROWSE_CALLERS) {
        for (size_t i = 0; i < t->nodes; i++)
            if (t->node[i].parent != STACKS_NONE)
                s->node[i] |= s->node[t->node[i].parent];
        return;
    }
    for (size_t i = t->nodes; i--;)
        if (t->node[i].parent != STACKS_NONE)
            s->node[t->node[i].parent] |= s->node[i];
}

static bool init_search(struct search *s, struct browse_branches *tree, const char *text)
{
    const struct call_tree *t = &tree->graph->tree;
    *s = (struct search){tree, calloc(t->rows.rows + 1, sizeof *s->row),
                         calloc(t->nodes + 1, sizeof *s->node)};
    if (!s->row || !s->node)
        return false;
    for (size_t i = 0; i < t->rows.rows; i++)
        s->row[i] = has_text(&t->rows.row[i], text);
    mark_nodes(s);
    return true;
}

static void release_search(struct search *s)
{
    free(s->row);
    free(s->node);
}

/* Something below a branch, or itself, may have the text. */
static bool leads_on(const struct search *s, uint32_t branch)
{
    const struct browse_branch *of = &s->tree->at[branch];
    bool all = s->tree->view == BROWSE_TREE && branch == 0;
    for (size_t i = of->member; !all && i < of->member + of->members; i++)
        all = s->node[s->tree->member[i].at];
    return all && !of->leaf;
}

/* The next branch in order, of those that lead to one with the text; STACKS_NONE: the end. */
static uint32_t next_branch(struct search *s, uint32_t i)
{
    struct browse_branches *b = s->tree;
    if (leads_on(s, i))
        browse_children(b, i);
    if (leads_on(s, i) && b->at[i].children)
        return b->at[i].first;
    return browse_next_outside(b, i);
}

static bool is_match(const struct search *s, uint32_t i)
{
    bool shown = i || s->tree->view != BROWSE_TREE;
    return shown && s->row[s->tree->at[i].row];
}

/* The branch, or what is around it and is gone through by next_branch. */
static uint32_t visited(const struct search *s, uint32_t branch)
{
    uint32_t found = branch;
    for (uint32_t i = branch; s->tree->at[i].parent != STACKS_NONE; i = s->tree->at[i].parent)
        if (!leads_on(s, s->tree->at[i].parent))
            found = s->tree->at[i].parent;
    return found;
}

/* The first match behind `from'; else the first of all. */
static uint32_t search_on(struct search *s, uint32_t from)
{
    uint32_t i = next_branch(s, from);
    while (i != STACKS_NONE && !is_match(s, i))
        i = next_branch(s, i);
    if (i != STACKS_NONE)
        return i;
    for (i = 0; i != STACKS_NONE && i != from && !is_match(s, i);)
        i = next_branch(s, i);
    return i != STACKS_NONE && is_match(s, i) ? i : STACKS_NONE;
}

/* The last match before `from'; else the last of all. */
static uint32_t search_back(struct search *s, uint32_t from)
{
    uint32_t before = STACKS_NONE, last = STACKS_NONE;
    bool passed = false;
    for (uint32_t i = 0; i != STACKS_NONE; i = next_branch(s, i)) {
        passed |= i == from;
        if (!is_match(s, i))
            continue;
        last = i;
        before = passed ? before : i;
    }
    return before != STACKS_NONE ? before : last;
}

uint32_t browse_search(struct browse_branches *b, const char *text, uint32_t from, bool backward)
{
    struct search s;
    uint32_t found = STACKS_NONE;
    if (b->count && init_search(&s, b, text)) {
        from = visited(&s, from < b->count ? from : 0);
        found = backward ? search_back(&s, from) : search_on(&s, from);
    }
    if (b->count)
        release_search(&s);
    for (uint32_t i = found; i != STACKS_NONE && b->at[i].parent != STACKS_NONE;
         i = b->at[i].parent)
        b->at[b->at[i].parent].unfolded = true;
    return found;
}
