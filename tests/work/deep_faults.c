/* deep_faults N: N page faults, 50 at a time with a millisecond between, below 12 KB of stack that
 * is in use: a sample of each has more than two pages to copy. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 50, STACK_BYTES = 12 << 10 };

static int touch(volatile char *at)
{
    for (int i = 0; i < PAGES; i++)
        at[i * PAGE] = 1;
    usleep(1000);
    return madvise((void *)at, PAGES * PAGE, MADV_DONTNEED);
}

__attribute__((noinline)) static int touch_below(volatile char *at, long rounds)
{
    char used[STACK_BYTES];
    memset(used, 1, sizeof used);
    int err = 0;
    while (rounds-- > 0 && !err)
        err = touch(at);
    return err + used[rounds & 1] - 1;
}

int main(int argc, char **argv)
{
    long faults = argc > 1 ? atol(argv[1]) : PAGES;
    char *at = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return 1;
    madvise(at, PAGES * PAGE, MADV_NOHUGEPAGE); /* fails where there are none */
    return touch_below(at, faults / PAGES) != 0;
}
