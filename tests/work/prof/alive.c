/* alive THREADS CALLS: so many threads, each of which makes so many calls and then waits for all
   the others. Says the program's CPU time: cpu_s N. With hooks or without, of
   tests/soak/prof_threads.sh alone. */
#include "known.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { STACK_BYTES = 65536 };
static pthread_barrier_t all_here;
static unsigned long calls;
static _Thread_local volatile int sink;

ALONE void leaf(void)
{
    sink++;
}

ALONE void *body(void *arg)
{
    for (unsigned long i = 0; i < calls; i++)
        leaf();
    pthread_barrier_wait(&all_here);
    return arg;
}

static QUIET void start(pthread_t *t, unsigned long n)
{
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    for (unsigned long i = 0; i < n; i++)
        if (pthread_create(&t[i], &attr, body, NULL) != 0)
            exit(1);
}

static QUIET double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
    unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 100;
    pthread_t *t = calloc(n, sizeof *t);
    calls = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    pthread_barrier_init(&all_here, NULL, (unsigned)n + 1);
    start(t, n);
    pthread_barrier_wait(&all_here);
    for (unsigned long i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    printf("cpu_s %f\n", seconds(used.ru_utime) + seconds(used.ru_stime));
    return 0;
}
