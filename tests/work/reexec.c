/*
 * reexec: executes itself COUNT times; each time it works for 20 ms of CPU time in a function that
 * a library calls. A profiler that reads the mappings at the exec and then only every 10 ms lacks
 * the libraries, which the dynamic linker maps after the exec, for up to half of that.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { WORK_MS = 20, NUMBERS = 500, STEPS = 200 };

static int compare(const void *a, const void *b)
{
    const int *x = a, *y = b;
    volatile int sum = 0;
    for (int i = 0; i < STEPS; i++)
        sum += i;
    return (*x > *y) - (*x < *y);
}

static long cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int main(int argc, char **argv)
{
    int number[NUMBERS], count = argc > 1 ? atoi(argv[1]) : 0;
    long end = cpu_ms() + WORK_MS; /* an exec keeps the process's clock */
    char left[16];
    do {
        for (int i = 0; i < NUMBERS; i++)
            number[i] = i * 7919 % 503;
        qsort(number, NUMBERS, sizeof *number, compare);
    } while (cpu_ms() < end);
    snprintf(left, sizeof left, "%d", count - 1);
    if (count > 1)
        execl("/proc/self/exe", argv[0], left, (char *)NULL);
    return count > 1;
}
