/* The book's funcs (chapter 2.6): main calls foo 100 times and bar once, foo calls bar. */
#include "known.h"

static volatile int sink;

ALONE void bar(void)
{
    for (int i = 0; i < 1000; i++)
        sink++;
}

ALONE void foo(void)
{
    bar();
    for (int i = 0; i < 2000; i++)
        sink++;
}

int main(void)
{
    for (int i = 0; i < 100; i++)
        foo();
    bar();
    known_calls("main", 1);
    known_calls("foo", 100);
    known_calls("bar", 101);
    known("missed", 0);
    return 0;
}
