/* Ten thousand threads (or as many as the argument tells) that come and go, 16 at a time: some
   return, some leave by pthread_exit from inside two calls, some are detached. */
#include "known.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

enum { AT_A_TIME = 16, LEAVES = 7 };
static sem_t gone;
static _Thread_local volatile int sink;

ALONE void leaf(void)
{
    sink++;
}

ALONE void *returns(void *arg)
{
    for (int i = 0; i < LEAVES; i++)
        leaf();
    return arg;
}

ALONE void inner(void *arg)
{
    leaf();
    pthread_exit(arg);
}

ALONE void *exits(void *arg)
{
    inner(arg);
    sink++;
    return arg;
}

ALONE void *detached(void *arg)
{
    leaf();
    pthread_detach(pthread_self());
    sem_post(&gone);
    return arg;
}

static QUIET void turn(void)
{
    static void *(*const body[])(void *) = {returns, exits, detached, returns};
    pthread_t t[AT_A_TIME];
    for (int k = 0; k < AT_A_TIME; k++)
        if (pthread_create(&t[k], NULL, body[k % 4], NULL) != 0)
            exit(1);
    for (int k = 0; k < AT_A_TIME; k++)
        if (k % 4 == 2)
            sem_wait(&gone);
        else
            pthread_join(t[k], NULL);
}

int main(int argc, char **argv)
{
    unsigned long turns = (argc > 1 ? strtoul(argv[1], NULL, 10) : 10000) / AT_A_TIME,
                  each = turns * AT_A_TIME / 4;
    sem_init(&gone, 0, 0);
    for (unsigned long i = 0; i < turns; i++)
        turn();
    known_calls("main", 1);
    known_calls("returns", 2 * each);
    known_calls("exits", each);
    known_calls("inner", each);
    known_calls("detached", each);
    known_calls("leaf", 2 * each * LEAVES + 2 * each);
    known("threads", 4 * each + 1);
    known("missed", 2 * each);
    return 0;
}
