/*
 * churn: threads without end, four at a time, each working some 3 ms: nearly all of them start after any profiler
 * that attaches has looked.
 */
#include "shares.h"

#include <pthread.h>

unsigned in_main(unsigned x, int units)
{
    return share_work(x, units);
}

static void *one(void *arg)
{
    *(unsigned *)arg = in_main(1, 3);
    return arg;
}

int main(void)
{
    unsigned result[4];
    pthread_t thread[4];
    for (;;) {
        for (int i = 0; i < 4; i++)
            if (pthread_create(&thread[i], NULL, one, &result[i]))
                return 1;
        for (int i = 0; i < 4; i++)
            pthread_join(thread[i], NULL);
    }
}
