/* Spends its user time in three modules, 1:2:3 by construction: itself, libshare_one.so and libshare_two.so.
 * shares [ROUNDS] prints the shares it has by its own clock, in per cent. */
#include "shares.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

__attribute__((noinline)) static unsigned in_main(unsigned x, int units)
{
    return share_work(x, units);
}

static double cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 50;
    unsigned x = 1;
    double ms[3] = {0}, start = cpu_ms();
    for (int i = 0; i < rounds; i++) {
        double a = cpu_ms();
        x = in_main(x, 1);
        double b = cpu_ms();
        x = share_one(x, 2);
        double c = cpu_ms();
        x = share_two(x, 3);
        double d = cpu_ms();
        ms[0] += b - a, ms[1] += c - b, ms[2] += d - c;
    }
    double all = cpu_ms() - start;
    printf("%.1f shares %.1f libshare_one.so %.1f libshare_two.so of %.0f ms\n", 100 * ms[0] / all, 100 * ms[1] / all,
           100 * ms[2] / all, all);
    return x == 0;
}
