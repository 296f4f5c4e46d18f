/* Timers: a sleep may end late, never early. */
#include "work.h"

#include <stdio.h>

enum { SLEEPS = 300, EARLY = 0, MEDIAN, LATEST, NUMBERS };

void measure_timer(struct selftest *t)
{
    struct work w;
    struct fail f;
    struct selftest_check *c = selftest_add(t->report, "", 0, "sleeps ended early");
    selftest_expect(c, 0, 0, 0);
    if (selftest_is_late(t))
        return;
    int r = work_start(t, &w, "timer", &f);
    if (r == 0) {
        r = work_do(t, &w, SLEEPS, NULL, NULL, &f);
        work_end(&w);
    }
    if (r < 0 || w.numbers != NUMBERS) {
        if (r < 0)
            selftest_fail_pending(t, &f);
        return;
    }
    snprintf(c->how, sizeof c->how, "sleeps of 1 ms ended %.1f us late (median), %.1f us at most",
             (double)w.number[MEDIAN] / 1e3, (double)w.number[LATEST] / 1e3);
    selftest_judge(c, (double)w.number[EARLY]);
}
