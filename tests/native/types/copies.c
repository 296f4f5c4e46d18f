/* Functions of which gcc -O2 makes copies that leave parameters out: scaled is called with one factor, and nobody reads unused;
 * of *p summed reads one member. */
#include <stdio.h>
#include <stdlib.h>

struct pair {
    int first, second;
};

static __attribute__((noinline)) int scaled(int a, int factor, int unused, const char *name)
{
    puts(name);
    return a * factor + 7;
}

static __attribute__((noinline)) int summed(const struct pair *p, int plus)
{
    return p->first * 3 + plus * plus;
}

static __attribute__((noinline)) int plain(int a, int b)
{
    return printf("%d %d\n", a, b);
}

int main(int argc, char **argv)
{
    struct pair p = {argc, atoi(argv[0])};
    int n = scaled(argc, 3, 5, argv[0]) + scaled(argc + 9, 3, argc, argv[1]);
    n += summed(&p, argc) + summed(&(struct pair){argc, 2}, argc * 2);
    return n + plain(argc, 1) + plain(3, argc);
}
