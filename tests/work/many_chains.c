/* many_chains RARE_MS HOT_MS: CPU time in so many call chains that hardly one is met twice, then in
 * a single one below `hot'. Prints the CPU time of both, in ms. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { DEPTH = 24 };

static uint64_t state = 88172645463325252u;
static volatile unsigned spun;

static uint64_t random_bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static double cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + (double)t.tv_nsec / 1e6;
}

__attribute__((noinline)) static void spin(void)
{
    for (int i = 0; i < 20000; i++)
        spun++;
}

__attribute__((noinline)) static void right(uint64_t way, int depth);

/* Something follows each call: it is none that ends the function. */
__attribute__((noinline)) static void left(uint64_t way, int depth)
{
    if (depth == 0)
        spin();
    else if (way & 1)
        left(way >> 1, depth - 1);
    else
        right(way >> 1, depth - 1);
    spun++;
}

__attribute__((noinline)) static void right(uint64_t way, int depth)
{
    if (depth == 0)
        spin();
    else if (way & 1)
        left(way >> 1, depth - 1);
    else
        right(way >> 1, depth - 1);
    spun += 2;
}

__attribute__((noinline)) static void rare(double ms)
{
    for (double end = cpu_ms() + ms; cpu_ms() < end;)
        left(random_bits(), DEPTH);
    spun++;
}

__attribute__((noinline)) static void hot(double ms)
{
    for (double end = cpu_ms() + ms; cpu_ms() < end;)
        left(0, DEPTH);
    spun++;
}

int main(int argc, char **argv)
{
    double start = cpu_ms(), middle;
    rare(argc > 1 ? atof(argv[1]) : 0);
    middle = cpu_ms();
    hot(argc > 2 ? atof(argv[2]) : 0);
    printf("%.0f %.0f\n", middle - start, cpu_ms() - middle);
    return 0;
}
