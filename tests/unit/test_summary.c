#include "unit.h"

#include "core/time/summary.h"

#include <math.h>

static int close_to(double a, double b)
{
    return fabs(a - b) < 1e-9 * (1 + fabs(b));
}

TEST(summary_of_known_values)
{
    double v[] = {9, 2, 5, 4, 12, 7, 8, 11, 9, 3, 7, 4, 12, 5, 4, 10, 9, 6, 9, 4};
    struct summary s;
    summary_of(v, 20, &s);
    CHECK_INT(s.n, 20);
    CHECK(s.min == 2 && s.max == 12);
    CHECK(close_to(s.mean, 7));
    CHECK(close_to(s.median, 7));
    CHECK(close_to(s.sd, sqrt(178.0 / 19)));
    CHECK(close_to(s.p95, 12));
    CHECK_INT(s.outliers, 0);
}

TEST(summary_of_few_values)
{
    double one[] = {5}, two[] = {4, 2};
    struct summary s;
    summary_of(one, 0, &s);
    CHECK(s.n == 0 && s.median == 0);
    summary_of(one, 1, &s);
    CHECK(s.median == 5 && s.sd == 0 && s.p95 == 5 && s.outliers == 0);
    summary_of(two, 2, &s);
    CHECK(s.median == 3 && close_to(s.sd, sqrt(2)) && close_to(s.p95, 3.9));
}

TEST(summary_tells_outliers_by_modified_z_score)
{
    /* The median is 5, the median absolute deviation 2: 3.5 of 2 / 0.6745 is 10.378. */
    double v[] = {15.3, 5, 3, 4, 7, 1, 8}, w[] = {15.4, 5, 3, 4, 7, 1, 8};
    struct summary s;
    summary_of(v, 7, &s);
    CHECK(close_to(s.spread, 2 / 0.6745));
    CHECK_INT(s.outliers, 0);
    summary_of(w, 7, &s);
    CHECK_INT(s.outliers, 1);
    CHECK(summary_outlying(&s, 15.4) && !summary_outlying(&s, 8));
}

TEST(summary_spread_of_mostly_equal_values)
{
    double same[] = {4, 4, 4, 4}, but_one[] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 14};
    struct summary s;
    summary_of(same, 4, &s);
    CHECK(s.spread == 0 && s.outliers == 0);
    summary_of(but_one, 10, &s);
    CHECK(close_to(s.spread, 1.2533));
    CHECK_INT(s.outliers, 1);
}

TEST(summary_median_deviation_of_even_count)
{
    double v[] = {1, 2, 4, 9}; /* median 3, deviations 1 1 2 6 */
    struct summary s;
    summary_of(v, 4, &s);
    CHECK(close_to(s.spread * 0.6745, 1.5));
}
