/* burn MS: uses the processor for MS milliseconds of its own user time. `burn MS children' has a
 * child do so. */
#include <stdlib.h>
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

int main(int argc, char **argv)
{
    long ms = argc > 1 ? atol(argv[1]) : 100;
    if (argc < 3)
        return burn(ms);
    if (fork() == 0)
        _exit(burn(ms));
    wait(NULL);
    return 0;
}
