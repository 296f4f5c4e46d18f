#include "core/sample/stack_need.h"

enum {
    MIN_IN_A_ROW = 1024,
    MAX_IN_A_ROW = 1 << 20,
    FEW_CHAINS = 64, /* decide nothing */
    MANY_CHAINS = 256,
    MANY_DEEP = 3, /* of so many */
};

static void begin_count(struct stack_need *n)
{
    n->chains = n->deep = n->lost = 0;
}

static void choose(struct stack_need *n, bool is_short)
{
    n->is_short = is_short;
    n->in_a_row = 0;
    begin_count(n);
}

static void want_longer_row(struct stack_need *n)
{
    uint32_t wanted = n->wanted ? n->wanted : MIN_IN_A_ROW;
    n->wanted = wanted < MAX_IN_A_ROW ? 2 * wanted : MAX_IN_A_ROW;
}

static uint32_t per_1000(uint64_t part, uint64_t whole)
{
    return whole ? (uint32_t)(part * 1000 / whole) : 0;
}

/* Of the samples, those whose chains the chosen copies were enough for. */
static uint32_t count_whole(const struct stack_need *n)
{
    return per_1000(n->chains - (n->is_short ? n->deep : 0), (uint64_t)n->chains + n->lost);
}

/* The same of short copies: what they gave the last time; before that, if they lost nothing. */
static uint32_t expect_whole(const struct stack_need *n)
{
    uint32_t most = n->chains ? per_1000(n->chains - n->deep, n->chains) : 1000;
    return n->tried && n->whole_short < most ? n->whole_short : most;
}

static void leave_long(struct stack_need *n)
{
    uint32_t whole = count_whole(n);
    bool enough = n->lost && (uint64_t)n->chains + n->lost >= FEW_CHAINS;
    if (enough && whole < expect_whole(n)) {
        n->lost_per_1000 = 1000 - whole;
        choose(n, true);
    } else if (n->in_a_row >= (n->wanted ? n->wanted : MIN_IN_A_ROW)) {
        choose(n, true);
    }
}

/* What was lost by the long copies is compared with the last chains, when there are enough. */
static void leave_short(struct stack_need *n)
{
    bool enough = n->chains >= (n->lost_per_1000 ? MANY_CHAINS : 1);
    if (enough && n->deep >= MANY_DEEP && count_whole(n) < 1000 - n->lost_per_1000) {
        n->whole_short = count_whole(n);
        n->tried = true;
        want_longer_row(n);
        choose(n, false);
    }
}

static void halve_count(struct stack_need *n)
{
    n->chains /= 2;
    n->deep /= 2;
    n->lost /= 2;
}

static void decide(struct stack_need *n)
{
    if (n->is_short)
        leave_short(n);
    else
        leave_long(n);
    if (n->chains < MANY_CHAINS)
        return;
    if (n->is_short)
        begin_count(n);
    else
        halve_count(n);
}

/* Where the kernel copied less than the short size, there was no more. */
void stack_need_add(struct stack_need *n, uint64_t used, size_t copied, bool cut)
{
    bool deep = copied >= n->short_bytes && (cut || used > n->short_bytes);
    if (!n->short_bytes)
        return;
    n->chains++;
    n->deep += deep;
    n->in_a_row = deep ? 0 : n->in_a_row + 1;
    decide(n);
}

void stack_need_lost(struct stack_need *n, uint64_t samples)
{
    if (!n->short_bytes || !samples)
        return;
    n->lost = samples < UINT32_MAX - n->lost ? n->lost + (uint32_t)samples : UINT32_MAX;
    decide(n);
}
