/* Threads that are cancelled while they make a node a call, one after another. They have no point
   of cancellation in their calls: each makes all of them, and ends after them. */
#include "halves.h"

#include <pthread.h>
#include <stdlib.h>

enum { DEPTH = 10 };

static QUIET void *body(void *arg)
{
    pthread_cancel(pthread_self());
    left(DEPTH);
    pthread_testcancel();
    return arg;
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 20, cancelled = 0;
    for (int i = 0; i < threads; i++) {
        pthread_t t;
        void *end;
        pthread_create(&t, NULL, body, NULL);
        pthread_join(t, &end);
        cancelled += end == PTHREAD_CANCELED;
    }
    known("status", 0);
    known_calls("main", 1);
    known("all", (unsigned long)threads * ((2ul << DEPTH) - 1) + 1);
    known("missed", 0);
    return cancelled == threads ? 0 : 1;
}
