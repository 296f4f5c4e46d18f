/* burn MS: uses the processor for MS milliseconds of its own user time, in steps of some two
 * milliseconds. `burn MS children' has a child do so. `burn N loops': N thousand steps that depend
 * on each other, so that one more N takes exactly as much longer. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long user_ms(void)
{
    struct rusage own;
    getrusage(RUSAGE_SELF, &own);
    return own.ru_utime.tv_sec * 1000 + own.ru_utime.tv_usec / 1000;
}

static int burn(long ms)
{
    volatile unsigned sink = 0;
    while (user_ms() < ms)
        for (int i = 0; i < 1000000; i++)
            sink += (unsigned)i;
    return 0;
}

static int loop(unsigned long n)
{
    volatile unsigned long sink;
    unsigned long x = n;
    for (unsigned long i = 0; i < 1000 * n; i++)
        x = x * 6364136223846793005UL + 1;
    sink = x;
    (void)sink;
    return 0;
}

int main(int argc, char **argv)
{
    long ms = argc > 1 ? atol(argv[1]) : 100;
    if (argc < 3)
        return burn(ms);
    if (strcmp(argv[2], "loops") == 0)
        return loop((unsigned long)ms);
    if (fork() == 0)
        _exit(burn(ms));
    wait(NULL);
    return 0;
}
