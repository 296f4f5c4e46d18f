#include "core/time/paired.h"

#include "core/base/scope.h"
#include "core/base/sort.h"
#include "summary.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- ranks --- */

/* The shifted values that are not 0, by size; twice the ranks of their sizes, so that those of
 * equal ones, which share their mean, are whole. */
struct ranks {
    double *value;
    size_t *twice;
    size_t n;
    double ties; /* the sum of t^3 - t over groups of t equal sizes */
};

static int compare_sizes(const void *a, const void *b)
{
    double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
    return (x > y) - (x < y);
}

static void rank_all(struct ranks *r)
{
    for (size_t from = 0, to; from < r->n; from = to) {
        for (to = from + 1; to < r->n && fabs(r->value[to]) <= fabs(r->value[from]);)
            to++;
        for (size_t i = from; i < to; i++)
            r->twice[i] = from + 1 + to;
        double t = (double)(to - from);
        r->ties += t * t * t - t;
    }
}

static void ranks_make(const double *log_ratio, size_t n, double shift, struct ranks *r)
{
    r->n = 0;
    r->ties = 0;
    for (size_t i = 0; i < n; i++)
        if (log_ratio[i] < shift || log_ratio[i] > shift)
            r->value[r->n++] = log_ratio[i] - shift;
    sort_array(r->value, r->n, sizeof *r->value, compare_sizes);
    rank_all(r);
}

static size_t sum_above(const struct ranks *r)
{
    size_t sum = 0;
    for (size_t i = 0; i < r->n; i++)
        if (r->value[i] > 0)
            sum += r->twice[i];
    return sum;
}

/* --- their probability --- */

/* How the sums are distributed if each sign is thrown with a coin: way[s], the probability of s. */
static double *distribution(const struct ranks *r)
{
    size_t most = r->n * (r->n + 1);
    double *way = calloc(most + 1, sizeof *way);
    if (!way)
        return NULL;
    way[0] = 1;
    for (size_t i = 0; i < r->n; i++)
        for (size_t s = most + 1; s-- > 0;)
            way[s] = (way[s] + (s >= r->twice[i] ? way[s - r->twice[i]] : 0)) / 2;
    return way;
}

static int exact(const struct ranks *r, size_t sum, struct paired_p *out)
{
    SCOPED_FREE double *way = distribution(r);
    if (!way)
        return -ENOMEM;
    *out = (struct paired_p){0, 0};
    for (size_t s = 0; s <= r->n * (r->n + 1); s++) {
        out->above += s >= sum ? way[s] : 0;
        out->below += s <= sum ? way[s] : 0;
    }
    return 0;
}

static double tail(double z)
{
    return 0.5 * erfc(z / sqrt(2));
}

static void approximate(const struct ranks *r, size_t twice_sum, struct paired_p *out)
{
    double n = (double)r->n, sum = (double)twice_sum / 2, mean = n * (n + 1) / 4;
    double sd = sqrt(n * (n + 1) * (2 * n + 1) / 24 - r->ties / 48);
    out->above = tail((sum - mean - 0.5) / sd);
    out->below = tail((mean - sum - 0.5) / sd);
}

static int ranks_room(struct ranks *r, size_t n)
{
    r->value = malloc((n + 1) * sizeof *r->value);
    r->twice = malloc((n + 1) * sizeof *r->twice);
    return r->value && r->twice ? 0 : -ENOMEM;
}

static void ranks_release(struct ranks *r)
{
    free(r->value);
    free(r->twice);
}

static int test_in(struct ranks *r, const double *log_ratio, size_t n, double shift,
                   struct paired_p *out)
{
    ranks_make(log_ratio, n, shift, r);
    if (r->n <= PAIRED_EXACT)
        return exact(r, sum_above(r), out);
    approximate(r, sum_above(r), out);
    return 0;
}

int paired_test(const double *log_ratio, size_t n, double shift, struct paired_p *out)
{
    SCOPED(ranks_release) struct ranks r = {0};
    int status = ranks_room(&r, n);
    if (status == 0)
        status = test_in(&r, log_ratio, n, shift, out);
    return status;
}

/* --- the shifts that are not rejected --- */

enum limit { LOW, HIGH, BALANCE_FROM, BALANCE_TO };
#define LIMIT_WIDTH 1e-6  /* of the logarithm: how exactly a limit is found */
#define BALANCED    1e-12 /* two probabilities that differ by no more are equal */

/* Whether the shift is below that limit. */
static bool is_below(enum limit limit, const struct paired_p *p)
{
    switch (limit) {
    case LOW:
        return p->above < PAIRED_LEVEL / 2;
    case HIGH:
        return p->below >= PAIRED_LEVEL / 2;
    case BALANCE_FROM:
        return p->above < p->below - BALANCED;
    case BALANCE_TO:
        return p->above <= p->below + BALANCED;
    }
    return false;
}

static int find_limit(struct ranks *r, const double *log_ratio, size_t n, enum limit limit,
                      double *out)
{
    double low = INFINITY, high = -INFINITY;
    struct paired_p p;
    for (size_t i = 0; i < n; i++) {
        low = fmin(low, log_ratio[i]);
        high = fmax(high, log_ratio[i]);
    }
    while (high - low > LIMIT_WIDTH) {
        double shift = low + (high - low) / 2;
        int status = test_in(r, log_ratio, n, shift, &p);
        if (status < 0)
            return status;
        if (is_below(limit, &p))
            low = shift;
        else
            high = shift;
    }
    *out = exp(low + (high - low) / 2);
    return 0;
}

/* In the room of the ranks, as a summary sorts its values. */
static double spread_of(struct ranks *r, const double *log_ratio, size_t n)
{
    struct summary s;
    memcpy(r->value, log_ratio, n * sizeof *log_ratio);
    summary_of(r->value, n, &s);
    return s.spread;
}

int paired_estimate(const double *log_ratio, size_t n, struct paired_estimate *out)
{
    SCOPED(ranks_release) struct ranks r = {0};
    struct paired_p none;
    double from, to;
    int status = ranks_room(&r, n);
    if (status == 0)
        status = test_in(&r, log_ratio, n, 0, &none);
    if (status == 0)
        status = find_limit(&r, log_ratio, n, LOW, &out->low);
    if (status == 0)
        status = find_limit(&r, log_ratio, n, HIGH, &out->high);
    if (status == 0)
        status = find_limit(&r, log_ratio, n, BALANCE_FROM, &from);
    if (status == 0)
        status = find_limit(&r, log_ratio, n, BALANCE_TO, &to);
    if (status == 0) {
        out->ratio = sqrt(from * to);
        out->spread = spread_of(&r, log_ratio, n);
        out->p = fmin(1, 2 * fmin(none.above, none.below));
    }
    return status;
}

double paired_needed(double spread, double ratio)
{
    const double level_and_power = 1.96 + 0.84, efficiency = 3 / 3.14159265;
    double distance = log(ratio) / spread;
    double n = level_and_power * level_and_power / (distance * distance) / efficiency;
    return n < PAIRED_MIN ? PAIRED_MIN : ceil(n);
}
