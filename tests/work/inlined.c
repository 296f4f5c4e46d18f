/* inlined MS: uses the processor for MS milliseconds in innermost, which was inlined into middle,
 * which was inlined into outer, which main calls; one line each does the work. */
#include <stdlib.h>
#include <time.h>

static volatile unsigned sink;

__attribute__((always_inline)) static inline void innermost(unsigned seed)
{
    for (int i = 0; i < 100000; i++)
        sink = sink * 1103515245u + seed;
}

__attribute__((always_inline)) static inline unsigned middle(unsigned seed)
{
    innermost(seed);
    return sink + 1;
}

__attribute__((noinline, noclone)) unsigned outer(unsigned seed)
{
    return middle(seed) + 2;
}

int main(int argc, char **argv)
{
    clock_t end = clock() + (argc > 1 ? atol(argv[1]) : 100) * (CLOCKS_PER_SEC / 1000);
    unsigned sum = 0;
    while (clock() < end)
        sum += outer(sum);
    return sum == 0;
}
