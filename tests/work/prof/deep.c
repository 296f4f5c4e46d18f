/* A million frames of recursion (or as many as the argument says), on a stack that was made for
   them; then all again. */
#include "known.h"

#include <pthread.h>
#include <stdlib.h>

static int depth = 1000000;
static volatile int sink;

ALONE int down(int n)
{
    int below = n > 1 ? down(n - 1) : 0;
    return below + (sink = 1);
}

ALONE void *run(void *arg)
{
    down(depth);
    down(depth);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;
    if (argc > 1)
        depth = atoi(argv[1]);
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setstacksize(&a, 256u << 20);
    if (pthread_create(&t, &a, run, NULL) != 0)
        return 1;
    pthread_join(t, NULL);
    known_calls("down", 2ul * (unsigned long)depth);
    known_calls("run", 1);
    known("missed", 0);
    known("threads", 2);
    return 0;
}
