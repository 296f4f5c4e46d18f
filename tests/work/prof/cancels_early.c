/* Threads that are cancelled before their first call: it and all it takes are done, and the thread
   ends where it says that it may. */
#include "known.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS = 20, LIMIT_S = 120 };
static pthread_barrier_t cancelled;
static _Thread_local volatile int sink;
static unsigned long done;

ALONE void leaf(void)
{
    sink++;
}

static QUIET void *body(void *arg)
{
    pthread_barrier_wait(&cancelled);
    leaf();
    __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
    for (;;)
        pause();
    return arg;
}

static QUIET void one(void)
{
    pthread_t t;
    if (pthread_create(&t, NULL, body, NULL) != 0)
        exit(1);
    pthread_cancel(t);
    pthread_barrier_wait(&cancelled);
    pthread_join(t, NULL);
}

int main(void)
{
    alarm(LIMIT_S);
    pthread_barrier_init(&cancelled, NULL, 2);
    for (int i = 0; i < THREADS; i++)
        one();
    if (done != THREADS)
        printf("cancelled_inside %lu\n", THREADS - done);
    known_calls("main", 1);
    known_calls("leaf", THREADS);
    known("threads", THREADS + 1);
    known("missed", 0);
    return done != THREADS;
}
