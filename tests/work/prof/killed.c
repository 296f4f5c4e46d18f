/* Runs until it is killed: THREADS threads that call each other's functions, counted in the file
   that the argument names, which outlives the program: what is begun is counted before the call,
   what is done inside it. */
#include "known.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { THREADS = 3 };
struct counter {
    volatile uint64_t begun, done;
};
static struct counter *counters;
static volatile int sink;

ALONE void step(struct counter *c)
{
    c->done++;
}

ALONE void counted(struct counter *c)
{
    c->begun++;
    step(c);
}

ALONE void deep(struct counter *c, int n)
{
    counted(c);
    if (n)
        deep(c, n - 1);
    sink = n;
}

ALONE void wide(struct counter *c, unsigned n)
{
    if (n % 3)
        counted(c);
    else
        deep(c, (int)(n % 64));
}

ALONE void *run(void *arg)
{
    for (unsigned n = 1;; n++)
        wide(arg, n);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t t;
    int fd = argc > 1 ? open(argv[1], O_RDWR) : -1;
    counters =
        mmap(NULL, (THREADS + 1) * sizeof *counters, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd < 0 || counters == MAP_FAILED)
        return 1;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t, NULL, run, &counters[i]);
    run(&counters[THREADS]);
    return 0;
}
