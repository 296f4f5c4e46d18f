/* Two functions of MS milliseconds of elapsed time each: one in user mode, one in the kernel. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static char bytes[1 << 20];

__attribute__((no_instrument_function)) static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

__attribute__((noinline)) static void in_user(double until)
{
    while (now_ms() < until)
        for (int i = 0; i < 10000; i++)
            __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void in_kernel(double until, int zero)
{
    while (now_ms() < until)
        if (read(zero, bytes, sizeof bytes) != sizeof bytes)
            exit(1);
}

int main(int argc, char **argv)
{
    double ms = argc > 1 ? atof(argv[1]) : 200;
    int zero = open("/dev/zero", O_RDONLY);
    in_user(now_ms() + ms);
    in_kernel(now_ms() + ms, zero);
    return zero < 0;
}
