/* Asks for recording itself, whatever the environment says. */
#include "psprof.h"

#include "known.h"

ALONE void leaf(void *arg)
{
    ++*(volatile int *)arg;
}

int main(void)
{
    int calls = 0;
    psprof_prof(leaf, &calls, 0, Proftime);
    known_calls("leaf", 1);
    return calls != 1;
}
