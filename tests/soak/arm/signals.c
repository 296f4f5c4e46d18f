/* alloca, variable arrays, a frame pointer, signals onto this and another stack, longjmp out of a
 * handler, qsort. */
#include <alloca.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static volatile int handled;
static sigjmp_buf back;
static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
static __attribute__((noinline)) int work(int n)
{
    char *p = alloca((size_t)(n % 50) + 1);
    int array[n % 20 + 2];
    memset(p, n, (size_t)(n % 50) + 1);
    for (int i = 0; i < n % 20 + 2; i++)
        array[i] = (n * 7919 + i * 104729) % 1000;
    qsort(array, (size_t)(n % 20 + 2), sizeof *array, compare);
    return p[0] + array[0] + (n ? work(n - 1) : 0);
}
static void handler(int s)
{
    handled += work(8) != 0;
    if (s == SIGUSR2 && handled % 3 == 0)
        siglongjmp(back, 1);
}
static void inform(int s, siginfo_t *i, void *c)
{
    (void)c;
    handled += s == i->si_signo && work(5) != 0;
}
int main(void)
{
    static char other[65536];
    stack_t st = {.ss_sp = other, .ss_size = sizeof other};
    sigaltstack(&st, NULL);
    struct sigaction a = {.sa_handler = handler},
                     b = {.sa_sigaction = inform, .sa_flags = SA_SIGINFO},
                     c = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    sigaction(SIGUSR1, &a, NULL);
    sigaction(SIGUSR2, &a, NULL);
    sigaction(SIGALRM, &b, NULL);
    sigaction(SIGTERM, &c, NULL);
    for (volatile int i = 0; i < 40; i++) {
        if (sigsetjmp(back, 1) == 0) {
            work(12);
            raise(SIGUSR1);
            raise(SIGALRM);
            raise(SIGTERM);
            raise(SIGUSR2);
        }
    }
    printf("%d\n", handled);
    return 0;
}
