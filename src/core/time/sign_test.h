/*
 * sign_test: whether one of two commands takes longer, from pairs of runs in the same round. If
 * none did, each would be the longer one in about half of the pairs. The test asks nothing of the
 * distribution of the times, so outliers and drift do not mislead it.
 */
#ifndef PSUITE_CORE_TIME_SIGN_TEST_H
#define PSUITE_CORE_TIME_SIGN_TEST_H

#include <stddef.h>

/* SIGN_TEST_MIN: with fewer pairs even a unanimous result has p >= 0.05. */
enum { SIGN_TEST_MIN = 6 };
#define SIGN_TEST_LEVEL 0.05

/* The probability of a result at least so uneven if there is no difference: two-sided, exact; 1
 * without pairs. Pairs of equal times are in neither count. */
double sign_test_p(size_t longer, size_t shorter);

#endif
