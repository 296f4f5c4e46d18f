/* A tree with a node a call, 131072 of them (or 2 to the power of one more than the argument): more
   than there is room for, be it by profsize or on the disk. Calls that have no node are told;
   together with those that have they are all. */
#include "halves.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    int depth = argc > 1 ? atoi(argv[1]) : 16;
    left(depth);
    known_calls("main", 1);
    known("all", 2ul << depth);
    known("missed", 0);
    return 0;
}
