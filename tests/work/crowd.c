/* crowd THREADS: so many threads that sleep, and main, which uses the processor; to be ended by a
 * signal. Says "ready" when all are there. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *sleeper(void *arg)
{
    for (;;)
        pause();
    return arg;
}

int main(int argc, char **argv)
{
    pthread_attr_t small;
    pthread_t t;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    for (int i = argc > 1 ? atoi(argv[1]) : 100; i > 0; i--)
        if (pthread_create(&t, &small, sleeper, NULL) != 0)
            return 1;
    puts("ready");
    fflush(stdout);
    for (volatile unsigned sink = 0;; sink++)
        ;
}
