/* A tree with a node a call, 131071 of them: more than there is room for, be it by profsize or on
   the disk. Calls that have no node are told; together with those that have they are all. */
#include "known.h"

enum { DEPTH = 16 };
static volatile int sink;

ALONE void left(int depth);
ALONE void right(int depth)
{
    sink = depth;
    if (depth) {
        left(depth - 1);
        right(depth - 1);
    }
}

ALONE void left(int depth)
{
    sink = -depth;
    if (depth) {
        left(depth - 1);
        right(depth - 1);
    }
}

int main(void)
{
    left(DEPTH);
    known_calls("main", 1);
    known("all", (2ul << DEPTH));
    known("missed", 0);
    return 0;
}
