/* A tree with a node a call, 131071 of them: more than there is room for, be it by profsize or on
   the disk. Calls that have no node are told; together with those that have they are all. */
#include "halves.h"

enum { DEPTH = 16 };

int main(void)
{
    left(DEPTH);
    known_calls("main", 1);
    known("all", (2ul << DEPTH));
    known("missed", 0);
    return 0;
}
