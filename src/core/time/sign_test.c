#include "sign_test.h"

#include <math.h>

/* The logarithm of the probability of k heads in n throws of a coin. */
static double log_probability(size_t n, size_t k)
{
    return lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1) -
           (double)n * log(2);
}

double sign_test_p(size_t longer, size_t shorter)
{
    size_t n = longer + shorter, least = longer < shorter ? longer : shorter;
    double tail = 0;
    for (size_t k = 0; k <= least; k++)
        tail += exp(log_probability(n, k));
    return 2 * tail < 1 ? 2 * tail : 1;
}
