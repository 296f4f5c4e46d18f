/* The seeds' funcs: foo is called 100 times, bar by foo and by main; an inlined function; calls in
   place of a return. */
#include "known.h"

volatile int sink;

ALONE void bar(void)
{
    sink++;
}

ALONE void foo(void)
{
    bar();
}

static inline __attribute__((always_inline)) int inlined(int n)
{
    return sink += n;
}

ALONE void tail(int n)
{
    sink = n;
    bar();
}

ALONE int even(unsigned n);
ALONE int odd(unsigned n)
{
    return n ? even(n - 1) : 0;
}
ALONE int even(unsigned n)
{
    return n ? odd(n - 1) : 1;
}

int main(void)
{
    for (int i = 0; i < 100; i++)
        foo();
    bar();
    for (int i = 0; i < 50; i++)
        inlined(i) ? tail(i) : tail(-i);
    even(20);
    known_calls("main", 1);
    known_calls("foo", 100);
    known_calls("bar", 151);
    known_calls("inlined", 50);
    known_calls("tail", 50);
    known_calls("even", 11);
    known_calls("odd", 10);
    known("missed", 0);
    known("threads", 1);
    return 0;
}
