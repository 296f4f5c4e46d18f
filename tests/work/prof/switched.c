/* Recording stopped and started again by the program. */
#include "known.h"
#include "psprof.h"

static volatile int sink;

ALONE void leaf(void)
{
    sink++;
}

ALONE void part(int n)
{
    for (int i = 0; i < n; i++)
        leaf();
}

ALONE void stops(void)
{
    psprof_stop();
    part(1000);
    psprof_start();
    part(10);
}

int main(void)
{
    part(5);
    stops();
    psprof_mark("half");
    psprof_stop();
    part(100);
    psprof_start();
    part(7);
    psprof_mark("end");
    known_calls("main", 1);
    known_calls("stops", 1);
    known_calls("part", 3);
    known_calls("leaf", 22);
    known("missed", 0);
    known("marks", 2);
    return 0;
}
