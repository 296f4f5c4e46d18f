#include "verdict.h"

#include "core/base/buf.h"
#include "core/time/plan.h"

#include <math.h>

#define SHOWN_DIFFERENCE 1.01 /* which would be worth to know */

/* As many decimals as make two digits of the uncertainty, 2 to 4. */
static int decimals_for(double half)
{
    return half >= 0.05 ? 2 : half >= 0.005 ? 3 : 4;
}

static void difference(const struct paired_estimate *e, struct buf *out)
{
    bool faster = e->ratio < 1;
    double times = faster ? 1 / e->ratio : e->ratio;
    double half = (faster ? 1 / e->low - 1 / e->high : e->high - e->low) / 2;
    int decimals = decimals_for(half);
    buf_printf(out, faster ? "%.*f ± %.*f times faster" : "%.*f ± %.*f times as long", decimals,
               times, decimals, half);
}

/* Two digits of it: no more are known. */
static double rounded(double n)
{
    double unit = 1;
    while (n / unit >= 100)
        unit *= 10;
    return ceil(n / unit) * unit;
}

static void no_difference(const struct time_ratio *k, struct buf *out)
{
    double spread = k->estimate.spread;
    double n = spread > 0 ? paired_needed(spread, SHOWN_DIFFERENCE) : 0;
    buf_adds(out, "no difference shown");
    if (n <= (double)k->rounds)
        buf_adds(out, ", as 1% would be");
    else if (n > TIME_MAX_RUNS)
        buf_printf(out, "; over %d runs would show 1%%", TIME_MAX_RUNS);
    else
        buf_printf(out, "; about %.0f runs would show 1%%", rounded(n));
}

/* Whether it has a p. */
static bool write_verdict(const struct time_command *first, const struct time_command *c,
                          struct buf *out)
{
    struct time_ratio real = time_compare(first, c, TIME_REAL);
    if (real.rounds < PAIRED_MIN) {
        buf_printf(out, "too few rounds to show a difference: %d are needed\n", PAIRED_MIN);
        return false;
    }
    if (real.estimate.p < PAIRED_LEVEL)
        difference(&real.estimate, out);
    else
        no_difference(&real, out);
    if (real.estimate.p < 0.001)
        buf_adds(out, " (p < 0.001");
    else
        buf_printf(out, " (p = %.3f", real.estimate.p);
    buf_printf(out, ", %zu rounds)\n", real.rounds);
    return true;
}

void verdicts_write(const struct time_report *r, struct buf *out)
{
    bool has_p = false;
    for (size_t i = 1; i < r->commands; i++)
        if (r->command[0].runs && r->command[i].runs) {
            buf_printf(out, "command %zu: ", i + 1);
            has_p |= write_verdict(&r->command[0], &r->command[i], out);
        }
    if (has_p)
        buf_adds(out, "±: half of the 95% interval; p: the probability of it without a "
                      "difference;\nboth by the signed ranks of the rounds\n");
}
