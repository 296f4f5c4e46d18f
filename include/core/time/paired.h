/*
 * paired: whether one of two commands takes longer, and by how much, from pairs of runs in the same
 * round.
 *
 * Each pair gives the logarithm of the second run's time over the first's. Without a difference
 * these lie evenly on both sides of 0, whatever the distribution of the times: a disturbance hits
 * either run alike, since the commands change places with each round. Wilcoxon's signed-rank test
 * tells how improbable the seen ranks are, exactly for up to PAIRED_EXACT pairs, by the normal
 * approximation (with its correction for ties) for more. The interval holds each shift that the
 * test does not reject; the estimate is the shift with ranks in balance (Hodges and Lehmann).
 */
#pragma once

#include <stddef.h>

/* PAIRED_MIN: with fewer pairs even a unanimous result has p >= 0.05. */
enum { PAIRED_MIN = 6, PAIRED_EXACT = 60 };
#define PAIRED_LEVEL 0.05

/* One-sided probabilities of ranks at least so far above (below) the shift if it were the true one.
 */
struct paired_p {
    double above, below;
};

struct paired_estimate {
    double p;                /* two-sided, of no difference; 1 without pairs */
    double ratio, low, high; /* second over first, with the limits of 95% */
    double spread;           /* of the logarithms: what a standard deviation is, without outliers */
};

/* log_ratio: n of them; pairs that equal the shift say nothing. 0, or -ENOMEM. */
int paired_test(const double *log_ratio, size_t n, double shift, struct paired_p *out);

/* Wants at least PAIRED_MIN pairs. 0, or -ENOMEM. */
int paired_estimate(const double *log_ratio, size_t n, struct paired_estimate *out);

/* How many pairs would show a difference of that ratio four times out of five. */
double paired_needed(double spread, double ratio);
