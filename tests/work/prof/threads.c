/* Threads: N at a time, in turns; the last ones are cancelled in the middle. */
#include "known.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static _Thread_local volatile int sink;

ALONE void leaf(void)
{
    sink++;
}

ALONE void *body(void *arg)
{
    for (int i = 0; i < 1000; i++)
        leaf();
    return arg;
}

ALONE void *waits(void *arg)
{
    leaf();
    for (;;)
        pause();
    return arg;
}

int main(int argc, char **argv)
{
    int turns = argc > 1 ? atoi(argv[1]) : 10;
    enum { AT_A_TIME = 8, CANCELLED = 4 };
    pthread_t t[AT_A_TIME];
    for (int i = 0; i < turns; i++) {
        for (int k = 0; k < AT_A_TIME; k++)
            pthread_create(&t[k], NULL, body, NULL);
        for (int k = 0; k < AT_A_TIME; k++)
            pthread_join(t[k], NULL);
    }
    for (int k = 0; k < CANCELLED; k++)
        pthread_create(&t[k], NULL, waits, NULL);
    usleep(100000);
    for (int k = 0; k < CANCELLED; k++) {
        pthread_cancel(t[k]);
        pthread_join(t[k], NULL);
    }
    known_calls("body", (unsigned long)turns * AT_A_TIME);
    known_calls("leaf", (unsigned long)turns * AT_A_TIME * 1000 + CANCELLED);
    known_calls("waits", CANCELLED);
    known("threads", (unsigned long)turns * AT_A_TIME + CANCELLED + 1);
    known("missed", CANCELLED);
    return 0;
}
