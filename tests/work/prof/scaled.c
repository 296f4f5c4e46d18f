/* Calls for proftype=adaptive: outer works as long as the inner it calls, one call in 64 longer,
   the first ones much longer. Says the processor time of all: cpu_ns outer NS; and how long it was ready to run without a
   processor meanwhile, where the kernel tells: waited_ns NS. */
#include "known.h"

#include <time.h>

enum { CALLS = 60000, FIRST = 200, UNIT = 1500 };

static volatile int sink;

static QUIET long long cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static QUIET long long waited_ns(void)
{
    long long ran, waited = 0;
    FILE *f = fopen("/proc/self/schedstat", "r");
    if (!f)
        return 0;
    if (fscanf(f, "%lld %lld", &ran, &waited) != 2)
        waited = 0;
    fclose(f);
    return waited;
}

static QUIET __attribute__((noinline)) void spin(int units)
{
    for (int i = 0; i < units * UNIT; i++)
        sink++;
}

ALONE void inner(int units)
{
    spin(units);
}

ALONE void outer(int units)
{
    inner(units);
    spin(units);
}

static QUIET void run(void)
{
    for (int i = 0; i < CALLS; i++)
        outer(i < FIRST ? 10 : i % 64 == 0 ? 4 : 1);
}

int main(void)
{
    long long waited = waited_ns(), from = cpu_ns();
    run();
    printf("cpu_ns outer %lld\n", cpu_ns() - from);
    printf("waited_ns %lld\n", waited_ns() - waited);
    known_calls("main", 1);
    known_calls("outer", CALLS);
    known_calls("inner", CALLS);
    known("missed", 0);
    known("threads", 1);
    return 0;
}
