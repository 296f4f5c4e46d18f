/*
 * Spends its user time in three modules, 1:2:3 by construction (itself, libshare_one.so,
 * libshare_two.so), on two threads: `early' runs the first two, `late' the third.
 * shares [ROUNDS [PAGES]] prints the shares it has by its threads' own clocks, in per cent. With
 * PAGES, each thread's user time follows, as the kernel counts it; before each round a thread
 * touches that many new pages: kernel mode outside of system calls.
 */
#include "shares.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

static int rounds = 50;
static size_t new_pages;
static double main_ms, one_ms, two_ms;
static double early_user_ms, late_user_ms;
static unsigned result;

__attribute__((noinline, noclone)) unsigned in_main(unsigned x, int units)
{
    return share_work(x, units);
}

static double cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double user_ms(void)
{
    struct rusage r;
    getrusage(RUSAGE_THREAD, &r);
    return (double)r.ru_utime.tv_sec * 1e3 + (double)r.ru_utime.tv_usec / 1e3;
}

static void touch_new_pages(void)
{
    size_t bytes = new_pages * 4096;
    if (!bytes)
        return;
    char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        abort();
    for (size_t i = 0; i < bytes; i += 4096)
        p[i] = 1;
    munmap(p, bytes);
}

static void *early(void *arg)
{
    unsigned x = 1;
    pthread_setname_np(pthread_self(), "early");
    for (int i = 0; i < rounds; i++) {
        touch_new_pages();
        double a = cpu_ms();
        x = in_main(x, 1);
        double b = cpu_ms();
        x = share_one(x, 2);
        double c = cpu_ms();
        main_ms += b - a;
        one_ms += c - b;
    }
    early_user_ms = user_ms();
    __atomic_fetch_add(&result, x, __ATOMIC_RELAXED);
    return arg;
}

static void *late(void *arg)
{
    unsigned x = 1;
    pthread_setname_np(pthread_self(), "late");
    for (int i = 0; i < rounds; i++) {
        touch_new_pages();
        double a = cpu_ms();
        x = share_two(x, 3);
        two_ms += cpu_ms() - a;
    }
    late_user_ms = user_ms();
    __atomic_fetch_add(&result, x, __ATOMIC_RELAXED);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_t a, b;
    if (argc > 1)
        rounds = atoi(argv[1]);
    if (argc > 2)
        new_pages = (size_t)atoi(argv[2]);
    if (pthread_create(&a, NULL, early, NULL) || pthread_create(&b, NULL, late, NULL))
        return 1;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    double all = main_ms + one_ms + two_ms;
    printf("%.2f shares %.2f libshare_one.so %.2f libshare_two.so of %.0f ms\n",
           100 * main_ms / all, 100 * one_ms / all, 100 * two_ms / all, all);
    if (argc > 2)
        printf("user ms: early %.0f late %.0f\n", early_user_ms, late_user_ms);
    return result == 0;
}
