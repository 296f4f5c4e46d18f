/* What is shown, and the way back. */
#include "private.h"

#include "core/base/grow.h"

#include <string.h>

/* --- the cursor --- */

static const struct browse_row *marked_row(const struct browse *b)
{
    return b->list.cursor < b->rows.count ? &b->rows.row[b->list.cursor] : NULL;
}

uint32_t browse_marked(const struct browse *b)
{
    const struct browse_row *row = marked_row(b);
    if (b->place.view == BROWSE_TEXT_OF)
        return b->place.function;
    if (!row)
        return STACKS_NONE;
    if (browse_is_tree(b->place.view))
        return b->branches.at[row->id].row;
    return b->place.view == BROWSE_FUNCTIONS ? row->id : STACKS_NONE;
}

static void mark_row(struct browse *b, uint32_t id)
{
    size_t i = 0;
    while (i < b->rows.count && b->rows.row[i].id != id)
        i++;
    list_go(&b->list, i < b->rows.count ? i : 0, b->lines);
}

/* Where a branch is, by rows from the tree's first branch down. */
static void note_path(struct browse_place *p, const struct browse_branches *t, uint32_t branch)
{
    size_t depth = 0;
    for (uint32_t i = branch; t->at[i].parent != STACKS_NONE; i = t->at[i].parent)
        depth++;
    p->depth = depth < BROWSE_PATH ? depth : 0;
    for (uint32_t i = branch; p->depth && depth; i = t->at[i].parent)
        p->path[--depth] = t->at[i].row;
}

static uint32_t follow_path(struct browse_branches *t, const struct browse_place *p)
{
    uint32_t at = 0;
    for (size_t i = 0; i < p->depth; i++) {
        browse_children(t, at);
        t->at[at].unfolded = !t->at[at].leaf;
        uint32_t child = browse_child(t, at, p->path[i]);
        if (child == STACKS_NONE)
            break;
        at = child;
    }
    return at;
}

static void note_mark(struct browse *b)
{
    const struct browse_row *row = marked_row(b);
    b->place.depth = 0;
    if (b->place.view == BROWSE_TEXT_OF) {
        b->place.marked = (uint32_t)b->list.cursor;
        return;
    }
    b->place.marked = row ? row->id : STACKS_NONE;
    if (row && browse_is_tree(b->place.view))
        note_path(&b->place, &b->branches, row->id);
}

/* --- rows --- */

static void list_rows(struct browse *b)
{
    struct browse_pick pick = {b->place.view, b->sort, b->place.module, &b->scope, b->pattern};
    if (browse_is_tree(b->place.view))
        browse_lines(&b->branches, &b->rows);
    else if (b->place.view == BROWSE_TEXT_OF)
        b->rows.count = 0; /* its lines come with browse_show_text */
    else
        browse_list(&b->rows, &b->graph, &pick);
    b->text_due = b->place.view == BROWSE_TEXT_OF;
    b->list.count = b->rows.count;
}

static void use_scope(struct browse *b)
{
    b->scope.by_process = b->place.by_process;
    b->scope.pid = b->place.pid;
    b->scope.thread = b->place.thread;
    browse_graph_count(&b->graph, &b->source, &b->scope);
}

static bool same_scope(const struct browse *b)
{
    const struct browse_place *p = &b->place;
    return b->scope.by_process == p->by_process && b->scope.thread == p->thread &&
           (!p->by_process || b->scope.pid == p->pid);
}

void browse_open(struct browse *b)
{
    uint32_t at = b->place.marked;
    if (!same_scope(b))
        use_scope(b);
    b->list.first = 0;
    if (browse_is_tree(b->place.view)) {
        browse_branches_make(&b->branches, &b->graph, b->place.view, b->place.function);
        at = b->branches.count ? follow_path(&b->branches, &b->place) : 0;
    }
    list_rows(b);
    mark_row(b, at);
}

void browse_renew(struct browse *b)
{
    note_mark(b);
    uint32_t at = b->place.marked;
    use_scope(b);
    if (browse_is_tree(b->place.view))
        browse_branches_again(&b->branches, &at);
    b->place.marked = STACKS_NONE;
    list_rows(b);
    mark_row(b, at);
}

void browse_relist(struct browse *b)
{
    note_mark(b);
    list_rows(b);
    mark_row(b, b->place.marked);
}

/* --- the way --- */

void browse_go(struct browse *b, const struct browse_place *to)
{
    note_mark(b);
    if (b->pasts == BROWSE_PAST)
        memmove(b->past, b->past + 1, --b->pasts * sizeof *b->past);
    (void)GROW_ADD(b->past, b->past_cap, b->pasts, b->place);
    b->place = *to;
    browse_open(b);
}

bool browse_back(struct browse *b)
{
    if (!b->pasts)
        return false;
    b->place = b->past[--b->pasts];
    browse_open(b);
    return true;
}
