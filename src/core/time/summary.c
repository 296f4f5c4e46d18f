#include "summary.h"

#include "core/base/sort.h"

#include <math.h>

static int compare_values(const void *a, const void *b)
{
    return ORDER(*(const double *)a, *(const double *)b);
}

double summary_quantile(const double *sorted, size_t n, double share)
{
    if (n == 0)
        return 0;
    double at = share * (double)(n - 1);
    size_t low = (size_t)at;
    if (low + 1 >= n)
        return sorted[n - 1];
    return sorted[low] + (at - (double)low) * (sorted[low + 1] - sorted[low]);
}

static double mean_of(const double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum / (double)n;
}

static double deviation_of(const double *values, size_t n, double mean)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
}

/* The median of |value - median| without a second array: of the deviations on both sides of the
 * median, each side already in order, the two sequences are merged until half of them are passed.
 */
static double median_deviation(const double *sorted, size_t n, double median)
{
    size_t up = 0, passed = 0;
    while (up < n && sorted[up] < median)
        up++;
    size_t down = up;
    double last = 0, before = 0;
    while (passed <= n / 2) {
        double below = down > 0 ? median - sorted[down - 1] : INFINITY;
        double above = up < n ? sorted[up] - median : INFINITY;
        before = last;
        last = below < above ? below : above;
        if (below < above)
            down--;
        else
            up++;
        passed++;
    }
    return n % 2 ? last : (last + before) / 2;
}

static double mean_deviation(const double *values, size_t n, double median)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += fabs(values[i] - median);
    return sum / (double)n;
}

bool summary_outlying(const struct summary *s, double value)
{
    return fabs(value - s->median) > 3.5 * s->spread;
}

void summary_of(double *values, size_t n, struct summary *out)
{
    *out = (struct summary){.n = n};
    if (n == 0)
        return;
    sort_array(values, n, sizeof *values, compare_values);
    out->min = values[0];
    out->max = values[n - 1];
    out->median = summary_quantile(values, n, 0.5);
    out->p95 = summary_quantile(values, n, 0.95);
    out->mean = mean_of(values, n);
    out->sd = deviation_of(values, n, out->mean);
    out->spread = median_deviation(values, n, out->median) / 0.6745;
    if (out->spread == 0)
        out->spread = mean_deviation(values, n, out->median) * 1.2533;
    for (size_t i = 0; i < n; i++)
        out->outliers += (size_t)summary_outlying(out, values[i]);
}
