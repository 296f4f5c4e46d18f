/*
 * summary: the statistics of a series of measurements.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct summary {
    size_t n;
    double min, median, mean, p95, max;
    double sd;       /* of the sample (n - 1); 0 for a single value */
    size_t outliers; /* values that summary_outlying tells */
    double spread;   /* the scale of a modified z-score: see summary_outlying */
};

/* Sorts the values, then fills out; all zero when n is 0. */
void summary_of(double *values, size_t n, struct summary *out);

/*
 * Whether a value of the series is an outlier: its modified z-score (Iglewicz and Hoaglin), that is
 * its distance from the median over the spread, is more than 3.5. The spread is the median absolute
 * deviation / 0.6745; where more than half of the values are equal, so that this is 0, the mean
 * absolute deviation * 1.2533.
 */
bool summary_outlying(const struct summary *s, double value);

/* The value below which a share (0..1) of the sorted values lies, linear between neighbours; 0 when
 * n is 0. */
double summary_quantile(const double *sorted, size_t n, double share);
