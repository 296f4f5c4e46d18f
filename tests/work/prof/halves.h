/* Two functions that call each other and themselves: a call tree with a node a call, 2^(depth+1) -
 * 1 of them. */
#pragma once

#include "known.h"

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
