#include "stack_need.h"

enum {
    ENOUGH_CHAINS = 16,
    MANY_CHAINS = 1000,
    BEYOND_SHARE = 50, /* one in so many ends with its slice */
    LEAST_LOST_PCT = 5,
    MANY_CUT_PCT = 50,
    USED_SHARE = 4
};

void stack_need_add(struct sampled_stack_need *n, size_t slice_bytes, uint64_t used_bytes,
                    bool beyond)
{
    n->chains++;
    n->beyond += beyond && slice_bytes >= n->bytes;
    if (used_bytes > n->used_bytes)
        n->used_bytes = used_bytes;
}

static void begin_anew(struct sampled_stack_need *n, uint64_t lost)
{
    n->chains = n->beyond = n->used_bytes = 0;
    n->lost = lost;
}

static int step_of(struct sampled_stack_need *n, uint64_t lost)
{
    uint64_t most_pct = n->cut_pct > LEAST_LOST_PCT ? n->cut_pct : LEAST_LOST_PCT;
    if (lost * 100 > most_pct * (n->chains + lost)) {
        n->too_long = n->bytes > n->least_bytes ? n->bytes : 0;
        return -1;
    }
    if (n->beyond * BEYOND_SHARE > n->chains && (!n->too_long || 2 * n->bytes < n->too_long)) {
        n->cut_pct = 100 * n->beyond / n->chains;
        return n->cut_pct > MANY_CUT_PCT ? SAMPLED_STACK_LONGEST : 1;
    }
    return n->chains >= MANY_CHAINS && n->used_bytes < n->bytes / USED_SHARE ? -1 : 0;
}

int sampled_stack_step(struct sampled *s, uint32_t bytes, uint64_t lost)
{
    struct sampled_stack_need *n = &s->unwound.need;
    if (!n->least_bytes) {
        n->least_bytes = bytes;
        n->lost = lost;
    }
    n->bytes = bytes;
    if (bytes > n->most_bytes)
        n->most_bytes = bytes;
    if (n->chains < ENOUGH_CHAINS)
        return 0;
    int step = step_of(n, lost - n->lost);
    if (step || n->chains >= MANY_CHAINS)
        begin_anew(n, lost);
    return step;
}
