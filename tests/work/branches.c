/*
 * branches: every kind of statement that leads somewhere, each a few times, and atomic operations:
 * its lines' counts are held against gcov's. It prints a sum.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { TURNS = 5 };

static atomic_int shared;
static _Atomic uint64_t wide;

static int factorial(int n)
{
    if (n < 2)
        return 1;
    return n * factorial(n - 1);
}

/* A table of jumps. */
static int choose(int n)
{
    switch (n) {
    case 0:
        return 7;
    case 1:
        return 3;
    case 2:
    case 3:
        n += 2;
        break;
    case 4:
        return n * n;
    case 5:
        return 1;
    default:
        n = -n;
        break;
    }
    return n;
}

static int twice(int n)
{
    return 2 * n;
}

static int negative(int n)
{
    return -n;
}

/* Calls through pointers. */
static int apply(int (*const function[])(int), int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += function[i % 2](i);
    return sum;
}

static uint64_t divide(uint64_t a, uint64_t b)
{
    return b ? a / b : 0;
}

static double mean(const double *of, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += of[i];
    return sum / n;
}

static int count_atomically(int n)
{
    int expected = n;
    atomic_fetch_add(&shared, n);
    atomic_fetch_or(&wide, 1u << n);
    if (atomic_compare_exchange_strong(&shared, &expected, -1))
        return 1;
    if (atomic_exchange(&shared, n) == n)
        return 2;
    return 3;
}

static int find(const char *text, char wanted)
{
    const char *at = text;
    while (*at && *at != wanted)
        at++;
    if (!*at)
        goto missing;
    return (int)(at - text);
missing:
    return -1;
}

static int never(int n)
{
    return n + 1;
}

int main(int argc, char **argv)
{
    static int (*const both[])(int) = {twice, negative};
    static const double numbers[] = {1.5, 2.5, 3.5};
    char text[16];
    long sum = 0;
    for (int i = 0; i < TURNS; i++) {
        sum += choose(i) + factorial(i);
        sum += count_atomically(i);
    }
    sum += apply(both, TURNS) + choose(argc + 99);
    sum += (long)divide(1000000007u, 97) + (long)divide(1, 0);
    sum += (long)(10 * mean(numbers, 3));
    snprintf(text, sizeof text, "%ld", sum);
    do {
        sum += find(text, '9') + find("abcdef", 'e');
    } while (sum % 3);
    if (argc > 100)
        sum += never((int)strlen(argv[0]));
    printf("%s %ld\n", text, sum);
    return 0;
}
