#include "core/stats/counter.h"

bool stats_counter_since(uint64_t before, uint64_t now, uint64_t *since)
{
    if (now < before && before >> 32 == 0 && before >= UINT32_MAX / 4 * 3 && now < UINT32_MAX / 4)
        *since = (UINT32_MAX - before) + now + 1;
    else if (now < before && !(before >= UINT64_MAX / 4 * 3 && now < UINT64_MAX / 4))
        return false;
    else
        *since = now - before;
    return true;
}

void stats_counter_step(struct stats_counter *c, uint64_t before, uint64_t now)
{
    uint64_t since;
    if (!stats_counter_since(before, now, &since)) {
        c->fell = true;
        return;
    }
    c->since += since;
    c->total += since;
}
