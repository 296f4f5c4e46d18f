#include "core/sample/stack_need.h"

enum { LEAST = 1024, MOST = 1 << 20, LAST = 256, MANY = 3 };

static void choose(struct stack_need *n, bool longer)
{
    n->longer = longer;
    n->chains = n->missed = 0;
}

static void add_to_short(struct stack_need *n, bool more)
{
    n->chains++;
    n->missed += more;
    if (!n->stays && n->missed >= MANY) {
        n->wanted = !n->wanted ? LEAST : n->wanted < MOST ? 2 * n->wanted : MOST;
        choose(n, true);
    } else if (n->chains >= LAST) {
        n->chains = n->missed = 0;
    }
}

void stack_need_add(struct stack_need *n, uint64_t used, bool cut)
{
    bool more = cut || used > n->short_bytes;
    if (!n->short_bytes)
        return;
    if (!n->longer) {
        add_to_short(n, more);
        return;
    }
    n->chains = more ? 0 : n->chains + 1;
    if (n->chains >= n->wanted)
        choose(n, false);
}

void stack_need_lost(struct stack_need *n)
{
    if (!n->longer)
        return;
    n->stays = true;
    choose(n, false);
}
