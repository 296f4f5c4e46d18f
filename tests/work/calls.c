/* calls N: N cheap system calls; prints how many ns of CPU time one took. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 1000000;
    double before = now_ns();
    for (long i = 0; i < n; i++)
        syscall(SYS_getppid);
    printf("%.1f\n", (now_ns() - before) / (double)n);
    return 0;
}
