#pragma once

/* The same work wherever it is inlined, about a millisecond a unit on a PC; the barrier keeps each
 * step. */
static inline unsigned share_work(unsigned x, int units)
{
    for (int i = 0; i < units * 1000000; i++) {
        x = x * 1664525u + 1013904223u;
        __asm__ volatile("" : "+r"(x));
    }
    return x;
}

unsigned in_main(unsigned x, int units);
unsigned share_one(unsigned x, int units);
unsigned share_two(unsigned x, int units);
