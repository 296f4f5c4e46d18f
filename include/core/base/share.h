/* share: a part of a whole in percent. */
#pragma once

#include <stdint.h>

/* 0 of nothing. */
static inline double share_pct(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}
