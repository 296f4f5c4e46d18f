/*
 * Nodes: found among their siblings, or made. The newest found is kept in the parent (private_[1]),
 * where the hot path looks; private_[0] is what it compares: the function, 0 where a node is not to
 * be found like that (made inside an interrupted hook, or of a module that was unloaded).
 */
#include "runtime.h"

enum { MANY_SIBLINGS = 8 };

static uint8_t in_one_byte(unsigned in_hook)
{
    return in_hook < UINT8_MAX ? (uint8_t)in_hook : UINT8_MAX;
}

void rt_node_init(struct psprof_node *n, uintptr_t fn, unsigned in_hook)
{
    n->pc = fn;
    n->inside = in_one_byte(in_hook);
    n->private_[0] = in_hook ? 0 : fn;
    n->private_[1] = (uintptr_t)rt_slot(0); /* all zero: no node's child */
}

static uint32_t next_of_block(struct rt_thread *t)
{
    for (;;) {
        uint32_t i = t->node_next;
        RT_ORDERED();
        if (i >= t->node_end)
            return 0;
        if (__atomic_compare_exchange_n(&t->node_next, &i, i + 1, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
            return i;
    }
}

static uint32_t new_block(struct rt_thread *t)
{
    struct rt_sigstate held;
    rt_signals_block(&held);
    uint32_t i = next_of_block(t); /* a handler may have brought one */
    uint32_t n = i ? 0 : rt_store_block();
    uint32_t first = n ? rt_store_claim(n, true) : 0;
    if (first) {
        t->node_end = first + n;
        t->node_next = first + 1;
        i = first;
        rt_clock_remeasure(psprof_header);
    }
    rt_signals_restore(&held);
    return i;
}

static void publish_node(struct psprof_node *parent, struct psprof_node *n)
{
    uint32_t down = __atomic_load_n(&parent->down, __ATOMIC_RELAXED);
    do
        n->right = down;
    while (!__atomic_compare_exchange_n(&parent->down, &down, rt_index(n), false, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED));
}

static uintptr_t hash_pair(uintptr_t a, uintptr_t b)
{
    uint64_t h = ((uint64_t)a ^ (uint64_t)b >> 3) * 0x9e3779b97f4a7c15u;
    return (uintptr_t)(h >> 32);
}

/* Counts a call without a node; the first of its kind as a node, as far as a filter tells. */
static struct psprof_node *refuse_node(struct rt_thread *t, const struct psprof_node *parent,
                                       uintptr_t fn)
{
    t->slot->refused++;
    uintptr_t h = hash_pair((uintptr_t)parent, fn) % (RT_FILTER_BYTES * 8);
    unsigned char bit = (unsigned char)(1u << h % 8);
    if (!(t->refused_filter[h / 8] & bit))
        t->slot->refused_nodes++;
    t->refused_filter[h / 8] |= bit;
    t->refused_node.pc = fn;
    t->refused_node.time = 0;
    return &t->refused_node;
}

static struct psprof_node *make_node(struct rt_thread *t, struct psprof_node *parent, uintptr_t fn,
                                     unsigned in_hook)
{
    uint32_t i = next_of_block(t);
    if (!i)
        i = new_block(t);
    if (!i)
        return refuse_node(t, parent, fn);
    struct psprof_node *n = rt_slot(i);
    rt_node_init(n, fn, in_hook);
    n->module = rt_module_of(fn);
    publish_node(parent, n);
    return n;
}

struct psprof_node *rt_node_new(struct rt_thread *t, struct psprof_node *parent, uintptr_t fn)
{
    return parent == &t->refused_node ? refuse_node(t, parent, fn) : make_node(t, parent, fn, 0);
}

static bool is_match(const struct psprof_node *n, uintptr_t fn, unsigned in_hook)
{
    return n->pc == fn && n->inside == in_one_byte(in_hook) && n->time >= 0;
}

static struct psprof_node *among_siblings(const struct psprof_node *parent, uintptr_t fn,
                                          unsigned in_hook, unsigned *passed)
{
    for (uint32_t i = parent->down; i;) {
        struct psprof_node *n = rt_slot(i);
        if (is_match(n, fn, in_hook))
            return n;
        i = n->right;
        ++*passed;
    }
    return NULL;
}

static struct psprof_node *find_child(struct rt_thread *t, struct psprof_node *parent, uintptr_t fn,
                                      unsigned in_hook)
{
    uintptr_t slot = hash_pair((uintptr_t)parent, fn) % RT_CACHE;
    struct psprof_node *n = t->cache[slot].child;
    if (!in_hook && n && t->cache[slot].parent == parent && is_match(n, fn, 0))
        return n;
    unsigned passed = 0;
    n = among_siblings(parent, fn, in_hook, &passed);
    if (n && passed >= MANY_SIBLINGS && !in_hook) {
        t->cache[slot].child = NULL; /* a handler must not find half of it */
        RT_ORDERED();
        t->cache[slot].parent = parent;
        RT_ORDERED();
        t->cache[slot].child = n;
    }
    return n;
}

struct psprof_node *rt_child_known(struct rt_thread *t, struct psprof_node *parent, uintptr_t fn)
{
    struct psprof_node *n = parent == &t->refused_node ? NULL : find_child(t, parent, fn, 0);
    if (n)
        parent->private_[1] = (uintptr_t)n;
    return n;
}

RT_COLD struct psprof_node *rt_child(struct rt_thread *t, struct psprof_node *parent, uintptr_t fn,
                                     unsigned in_hook)
{
    if (parent == &t->refused_node)
        return refuse_node(t, parent, fn);
    struct psprof_node *n = (struct psprof_node *)(uintptr_t)parent->private_[1];
    if (!in_hook && is_match(n, fn, 0))
        return n;
    n = find_child(t, parent, fn, in_hook);
    if (!n)
        n = make_node(t, parent, fn, in_hook);
    if (!in_hook && n != &t->refused_node)
        parent->private_[1] = (uintptr_t)n;
    return n;
}
