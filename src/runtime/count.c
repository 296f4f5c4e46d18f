/*
 * Arcs that are not in the thread's table of them (count.h): found by their hash in all of the
 * thread's, chained through private_[1], or made. Nothing here waits: a handler may come in
 * anywhere and do the same; then an arc may have two nodes, which a reader adds up.
 */
#include "count.h"

#include <errno.h>
#include <sys/mman.h>

enum { FIRST_ARCS = 512, MAX_ARCS = 65536, GROWTH = 4, SITE = 1 };

static struct psprof_node no_node;
struct rt_arcs psprof_no_arcs = {.to = {&no_node}};

static struct psprof_node **chain_head(struct rt_thread *t, uintptr_t pc, uintptr_t key)
{
    uint64_t h = ((uint64_t)pc ^ (uint64_t)key << 7) * 0x9e3779b97f4a7c15u;
    return &t->arcs_of[(h >> 32) % RT_CHAINS];
}

/* pc called from key; of a call site itself key is PLACE. */
static struct psprof_node *find_arc(struct rt_thread *t, uintptr_t pc, uintptr_t key)
{
    struct psprof_node *n = *chain_head(t, pc, key), *end = rt_slot(0);
    while (n && n != end && ((uintptr_t)n->pc != pc || (uintptr_t)n->private_[0] != key))
        n = (struct psprof_node *)(uintptr_t)n->private_[1];
    return n == end ? NULL : n;
}

static struct psprof_node *make_arc(struct rt_thread *t, struct psprof_node *under, uintptr_t pc,
                                    uintptr_t key)
{
    struct psprof_node **head = chain_head(t, pc, key), *first = NULL;
    struct psprof_node *n = rt_node_new(t, under, pc);
    if (n == &t->refused_node)
        return n;
    n->private_[0] = key;
    __atomic_load(head, &first, __ATOMIC_RELAXED);
    do
        n->private_[1] = (uintptr_t)(first ? first : rt_slot(0));
    while (
        !__atomic_compare_exchange_n(head, &first, n, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return n;
}

static struct psprof_node *found_or_made(struct rt_thread *t, uintptr_t fn, uintptr_t site)
{
    struct psprof_node *n = find_arc(t, fn, site);
    if (n)
        return n;
    uintptr_t pc = cpu_code(site) - 1;
    struct psprof_node *caller = find_arc(t, pc, SITE);
    if (!caller)
        caller = make_arc(t, t->root, pc, SITE);
    return make_arc(t, caller, fn, site);
}

/* The old table stays: a hook that was interrupted may be using it. All old ones together are
   smaller than the new one. */
static struct rt_arcs *make_bigger_table(const struct rt_arcs *old)
{
    size_t n = (old->mask / sizeof(void *) + 1) * GROWTH;
    if (old == &psprof_no_arcs)
        n = FIRST_ARCS;
    struct rt_arcs *a = mmap(NULL, sizeof *a + n * sizeof a->to[0], PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (a == MAP_FAILED)
        return NULL;
    for (size_t i = 0; i < n; i++)
        a->to[i] = &no_node;
    a->mask = (n - 1) * sizeof a->to[0];
    return a;
}

/* Capacity for as many as ever collided at once. */
static struct rt_arcs *choose_table(struct rt_tls *t)
{
    struct rt_thread *thread = t->thread;
    struct rt_arcs *a = thread->arcs ? thread->arcs : &psprof_no_arcs;
    size_t have = a->mask / sizeof(void *) + 1;
    if (thread->arcs && (thread->arc_clashes < have / 2 || have >= MAX_ARCS))
        return t->arcs = a;
    struct rt_arcs *new = make_bigger_table(a);
    if (!new)
        return t->arcs = a;
    thread->arc_clashes = 0;
    return t->arcs = thread->arcs = new;
}

static void insert_arc(struct rt_tls *t, struct psprof_node *n, uintptr_t fn, uintptr_t site)
{
    struct rt_arcs *a = choose_table(t);
    struct psprof_node **at = rt_arc(a, fn, site);
    t->thread->arc_clashes += *at != &no_node;
    if (a != &psprof_no_arcs)
        *at = n;
}

RT_COLD void rt_count_slow(uintptr_t fn, uintptr_t site)
{
    int kept = errno;
    struct rt_tls *t = &psprof_tls;
    if (rt_live(t, (uintptr_t)__builtin_frame_address(0), true)) {
        struct psprof_node *n = found_or_made(t->thread, fn, site);
        cpu_add_one(&n->count);
        if (n != &t->thread->refused_node)
            insert_arc(t, n, fn, site);
    }
    errno = kept;
}
