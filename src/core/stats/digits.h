/* stats_digits: numbers in texts that need not end in a NUL. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Digits up to end; *at moves behind them. The largest number is one too large for 64 bits. */
static inline uint64_t read_digits(const char **at, const char *end)
{
    uint64_t v = 0;
    for (; *at < end && is_digit(**at); (*at)++)
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, **at - '0', &v))
            v = UINT64_MAX;
    return v;
}
