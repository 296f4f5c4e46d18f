/*
 * chance: numbers of the tests that run random cases, from a seed: xorshift64*.
 */
#pragma once

#include <stdint.h>
#include <stdlib.h>

static uint64_t seed = 1;

static inline uint64_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * UINT64_C(0x2545f4914f6cdd1d) >> 8;
}

static inline uint64_t below(uint64_t n)
{
    return draw() % n;
}

/* CASES of the environment, and SEED, which begins the numbers; else so many. */
static inline uint64_t chance_cases(uint64_t otherwise)
{
    const char *cases = getenv("CASES"), *from = getenv("SEED");
    seed = from ? strtoull(from, NULL, 0) * 2 + 1 : 1;
    return cases ? strtoull(cases, NULL, 0) : otherwise;
}
