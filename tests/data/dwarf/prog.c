/* Inlined functions in each other, in two files, with a loop and a call. */
#include "prog.h"

int sink(int);

static inline __attribute__((always_inline)) int inner(int x)
{
    for (int i = 0; i < x; i++)
        x = sink(x + twice(i));
    return x;
}

static inline __attribute__((always_inline)) int outer(int x)
{
    return inner(x + 1) + thrice(inner(x + 2));
}

__attribute__((noinline)) int first(int x)
{
    return outer(x) * 2;
}

__attribute__((noinline, cold)) int second(int x)
{
    if (x > 3)
        return twice(outer(x)) - 1;
    return x;
}
