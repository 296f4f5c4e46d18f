/* From the records of a file to nodes: whatever their links say, each is read once, without
 * recursion. */
#include "build.h"

#include "core/base/grow.h"
#include "core/base/scope.h"
#include "core/containers/imap.h"

#include <errno.h>

static bool is_taken(const struct prof_source *s, uint32_t i)
{
    return s->taken[i / 8] >> i % 8 & 1;
}

bool prof_claim_records(struct prof_tree *t, struct prof_source *s, uint32_t index, uint32_t count)
{
    if (index >= s->limit || count > s->limit - index) {
        prof_note(t, "index out of range %lu [max %zu]", (unsigned long)index, s->limit);
        return false;
    }
    for (uint32_t i = index; i < index + count; i++)
        if (is_taken(s, i)) {
            prof_note(t, "index %lu used twice", (unsigned long)i);
            return false;
        }
    for (uint32_t i = index; i < index + count; i++)
        s->taken[i / 8] |= (uint8_t)(1 << i % 8);
    return true;
}

/* Where the next record is to be linked. */
struct link {
    uint32_t index; /* the record; PROF_NONE: the end */
    uint32_t parent, newer;
};

/* Appends it; *made PROF_NONE when its index is not to be had. right holds the index of the record
 * there until it is gone to. */
static int append_node(struct prof_tree *t, struct prof_source *s, const struct link *at,
                       struct prof_record *r, uint32_t *made)
{
    *made = PROF_NONE;
    if (!prof_claim_records(t, s, at->index, 1))
        return 0;
    s->record(s->arg, at->index, r);
    uint32_t place = prof_place(t, r->pc, r->module);
    if (place == PROF_NONE || t->nodes >= PROF_NONE - 1 ||
        !grow(&t->node, &t->node_cap, t->nodes, sizeof *t->node))
        return -ENOMEM;
    *made = (uint32_t)t->nodes++;
    t->node[*made] = (struct prof_node){.count = r->count,
                                        .timed = r->timed,
                                        .samples = r->samples,
                                        .time_ns = r->time_ns,
                                        .sparse = r->sparse,
                                        .open = r->open,
                                        .parent = at->parent,
                                        .down = PROF_NONE,
                                        .right = r->right,
                                        .place = place,
                                        .index = at->index};
    return 0;
}

static void link_node(struct prof_tree *t, const struct link *at, uint32_t made, uint32_t *first)
{
    if (at->newer != PROF_NONE)
        t->node[at->newer].right = made;
    else if (at->parent != PROF_NONE)
        t->node[at->parent].down = made;
    else
        *first = made;
}

/* Behind node n, of which all that it called was read: the sibling, else that of a caller. */
static struct link next_link(struct prof_tree *t, uint32_t n)
{
    while (n != PROF_NONE && t->node[n].right == PROF_NONE)
        n = t->node[n].parent;
    if (n == PROF_NONE)
        return (struct link){PROF_NONE, PROF_NONE, PROF_NONE};
    struct link next = {t->node[n].right, t->node[n].parent, n};
    t->node[n].right = PROF_NONE;
    return next;
}

int prof_graft(struct prof_tree *t, struct prof_source *s, uint32_t index, size_t thread)
{
    struct prof_thread *of = &t->thread[thread];
    struct link at = {index, PROF_NONE, PROF_NONE};
    of->begin = of->end = (uint32_t)t->nodes;
    while (at.index != PROF_NONE) {
        struct prof_record r = {0};
        uint32_t made;
        if (append_node(t, s, &at, &r, &made) < 0)
            return -ENOMEM;
        if (made == PROF_NONE) {
            at = next_link(t, at.parent);
            continue;
        }
        link_node(t, &at, made, &of->first);
        of->end = (uint32_t)t->nodes;
        at = r.down != PROF_NONE ? (struct link){r.down, made, PROF_NONE} : next_link(t, made);
    }
    return 0;
}

/* --- siblings of one place --- */

/* last: a mark a place; of the caller whose callees were looked at last. */
static bool chain_repeats(const struct prof_tree *t, uint32_t n, uint64_t mark, uint64_t *last)
{
    for (; n != PROF_NONE; n = t->node[n].right) {
        if (last[t->node[n].place] == mark)
            return true;
        last[t->node[n].place] = mark;
    }
    return false;
}

static int has_repeats(const struct prof_tree *t)
{
    SCOPED_FREE uint64_t *last = calloc(t->places.count + 1, sizeof *last);
    uint64_t mark = 0;
    bool found = false;
    if (!last)
        return -ENOMEM;
    for (size_t i = 0; i < t->threads && !found; i++)
        found = chain_repeats(t, t->thread[i].first, ++mark, last);
    for (size_t i = 0; i < t->nodes && !found; i++)
        found = chain_repeats(t, t->node[i].down, ++mark, last);
    return found;
}

struct merge {
    struct prof_tree *tree;
    uint32_t *to;       /* where a node went */
    struct imap by_key; /* (caller, place) -> node + 1 */
    size_t kept;
};

static void add_up(struct prof_node *to, const struct prof_node *more)
{
    to->count += more->count;
    if (__builtin_add_overflow(to->timed, more->timed, &to->timed))
        to->timed = UINT32_MAX;
    if (to->sparse < more->sparse)
        to->sparse = more->sparse;
    to->samples += more->samples;
    if (__builtin_add_overflow(to->time_ns, more->time_ns, &to->time_ns))
        to->time_ns = INT64_MAX;
    to->open |= more->open;
}

static uint64_t key_of(const struct merge *m, const struct prof_node *n, size_t thread)
{
    uint32_t caller = n->parent == PROF_NONE ? PROF_NONE - 1 - (uint32_t)thread : m->to[n->parent];
    return (uint64_t)caller << 32 | n->place;
}

static bool move_node(struct merge *m, uint32_t i, size_t thread)
{
    struct prof_node n = m->tree->node[i];
    uint64_t *at = imap_at(&m->by_key, key_of(m, &n, thread));
    if (!at)
        return false;
    if (*at) {
        m->to[i] = (uint32_t)*at - 1;
        add_up(&m->tree->node[m->to[i]], &n);
        return true;
    }
    *at = m->kept + 1;
    m->to[i] = (uint32_t)m->kept;
    n.parent = n.parent == PROF_NONE ? PROF_NONE : m->to[n.parent];
    n.down = n.right = PROF_NONE;
    m->tree->node[m->kept++] = n;
    return true;
}

/* The array has siblings newest first, so each goes to the front, the last one first. */
static void relink_thread(struct prof_tree *t, struct prof_thread *of)
{
    of->first = PROF_NONE;
    for (uint32_t i = of->end; i-- > of->begin;) {
        struct prof_node *n = &t->node[i];
        uint32_t *head = n->parent == PROF_NONE ? &of->first : &t->node[n->parent].down;
        n->right = *head;
        *head = i;
    }
}

static bool move_thread(struct merge *m, size_t thread)
{
    struct prof_thread *of = &m->tree->thread[thread];
    uint32_t begin = (uint32_t)m->kept;
    for (uint32_t i = of->begin; i < of->end; i++)
        if (!move_node(m, i, thread))
            return false;
    of->begin = begin;
    of->end = (uint32_t)m->kept;
    relink_thread(m->tree, of);
    return true;
}

int prof_merge(struct prof_tree *t)
{
    struct merge m = {.tree = t};
    int r = has_repeats(t);
    if (r <= 0)
        return r;
    m.to = malloc((t->nodes + 1) * sizeof *m.to);
    bool ok = m.to;
    for (size_t i = 0; ok && i < t->threads; i++)
        ok = move_thread(&m, i);
    t->nodes = m.kept;
    imap_release(&m.by_key);
    free(m.to);
    return ok ? 0 : -ENOMEM;
}
