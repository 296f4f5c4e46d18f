#include "unit.h"

#include "core/time/paired.h"

#include <math.h>
#include <stdlib.h>

/* --- oracles: every combination of signs, every average of two values --- */

/* Twice the mean rank of value i among the sizes. */
static int twice_rank(const double *d, int n, int i)
{
    int less = 0, equal = 0;
    for (int k = 0; k < n; k++) {
        less += fabs(d[k]) < fabs(d[i]);
        equal += fabs(d[k]) == fabs(d[i]);
    }
    return 2 * less + equal + 1;
}

static double share_above(const double *d, int n)
{
    int seen = 0, as_far = 0;
    for (int i = 0; i < n; i++)
        seen += d[i] > 0 ? twice_rank(d, n, i) : 0;
    for (int signs = 0; signs < 1 << n; signs++) {
        int sum = 0;
        for (int i = 0; i < n; i++)
            sum += signs >> i & 1 ? twice_rank(d, n, i) : 0;
        as_far += sum >= seen;
    }
    return as_far / (double)(1 << n);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of_averages(const double *d, int n)
{
    double average[200];
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            average[k++] = (d[i] + d[j]) / 2;
    qsort(average, (size_t)k, sizeof *average, by_value);
    return k % 2 ? average[k / 2] : (average[k / 2 - 1] + average[k / 2]) / 2;
}

/* --- */

static uint32_t seed = 1;

static double noise(void) /* -1 to 1 */
{
    seed = seed * 1664525 + 1013904223;
    return (double)(seed >> 8) / (1 << 23) - 1;
}

TEST(paired_p_is_that_of_all_signs)
{
    for (int round = 0; round < 40; round++) {
        double d[10];
        struct paired_p p;
        int n = 4 + round % 7;
        for (int i = 0; i < n; i++) /* some are equal, none is 0 */
            d[i] = (round % 2 ? floor(4 * noise()) : noise()) + 0.25;
        CHECK_INT(paired_test(d, (size_t)n, 0, &p), 0);
        CHECK(fabs(p.above - share_above(d, n)) < 1e-9);
    }
}

TEST(paired_estimate_is_the_median_of_the_averages)
{
    for (int round = 0; round < 20; round++) {
        double d[13];
        struct paired_estimate e;
        int n = 6 + round % 8;
        for (int i = 0; i < n; i++)
            d[i] = 0.1 * noise() + 0.05;
        CHECK_INT(paired_estimate(d, (size_t)n, &e), 0);
        CHECK(fabs(log(e.ratio) - median_of_averages(d, n)) < 1e-4);
        CHECK(e.low <= e.ratio && e.ratio <= e.high);
        CHECK((e.p < PAIRED_LEVEL) == (e.low > 1 || e.high < 1));
    }
}

TEST(paired_of_six_in_agreement)
{
    const double d[] = {0.01, 0.02, 0.03, 0.04, 0.05, 0.06};
    struct paired_estimate e;
    CHECK_INT(paired_estimate(d, 6, &e), 0);
    CHECK(fabs(e.p - 0.03125) < 1e-9);
    CHECK(fabs(e.low - exp(0.01)) < 1e-4 && fabs(e.high - exp(0.06)) < 1e-4);
}

/* The interval of 95% holds the true ratio 95 times of 100, whatever the noise looks like. */
static int held(size_t n, int times)
{
    int inside = 0;
    double *d = malloc(n * sizeof *d);
    for (int k = 0; k < times; k++) {
        struct paired_estimate e;
        for (size_t i = 0; i < n; i++) {
            double x = noise();
            d[i] = 0.02 + 0.05 * x + (fabs(x) > 0.9 ? noise() : 0); /* with heavy tails */
        }
        CHECK_INT(paired_estimate(d, n, &e), 0);
        inside += e.low <= exp(0.02) && exp(0.02) <= e.high;
    }
    free(d);
    return inside;
}

TEST(paired_interval_holds_the_truth)
{
    int exact = held(20, 100), approximate = held(100, 50);
    CHECK(exact >= 89 && exact <= 99);
    CHECK(approximate >= 43);
}

TEST(paired_needed_pairs_show_it)
{
    enum { TRIES = 200 };
    double n = paired_needed(0.03, 1.01);
    int shown = 0;
    double d[400];
    CHECK(n > 60 && n < 90); /* (2.8 / (0.00995 / 0.03))^2 and some */
    for (int k = 0; k < TRIES; k++) {
        struct paired_estimate e;
        for (size_t i = 0; i < (size_t)n; i++) {
            double sum = 0; /* of twelve even ones: a normal one, with a deviation of 2 */
            for (int j = 0; j < 12; j++)
                sum += noise();
            d[i] = log(1.01) + 0.03 * sum / 2;
        }
        CHECK_INT(paired_estimate(d, (size_t)n, &e), 0);
        shown += e.p < PAIRED_LEVEL;
    }
    CHECK(shown >= TRIES * 7 / 10 && shown <= TRIES * 9 / 10);
}

TEST(paired_without_pairs_or_with_equal_ones_shows_nothing)
{
    const double same[8] = {0};
    struct paired_p p;
    struct paired_estimate e;
    CHECK_INT(paired_test(same, 0, 0, &p), 0);
    CHECK(p.above == 1 && p.below == 1);
    CHECK_INT(paired_estimate(same, 8, &e), 0);
    CHECK(e.p == 1 && fabs(e.ratio - 1) < 1e-5);
}
