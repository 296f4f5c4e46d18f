/* chains MS: uses the processor for MS milliseconds in leaf, which branch calls, which trunk calls,
 * which main calls; all with frame pointers. */
#include <stdlib.h>
#include <time.h>

#define NO_INLINE __attribute__((noinline, noclone))

NO_INLINE unsigned leaf(unsigned seed)
{
    volatile unsigned sink = seed;
    for (int i = 0; i < 100000; i++)
        sink = sink * 1103515245u + 12345u;
    return sink;
}

NO_INLINE unsigned branch(unsigned seed)
{
    return leaf(seed) + 1;
}

NO_INLINE unsigned trunk(unsigned seed)
{
    return branch(seed) + 2;
}

int main(int argc, char **argv)
{
    clock_t end = clock() + (argc > 1 ? atol(argv[1]) : 100) * (CLOCKS_PER_SEC / 1000);
    unsigned sum = 0;
    while (clock() < end)
        sum += trunk(sum);
    return sum == 0;
}
