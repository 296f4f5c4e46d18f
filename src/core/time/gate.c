#include "core/time/gate.h"

#include "core/base/buf.h"
#include "core/time/paired.h"
#include "measures.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { LOOKS = GATE_ROUNDS / GATE_LOOK };

static enum gate_verdict judge(const struct paired_p *p, size_t rounds)
{
    if (p->above <= GATE_WRONG_SLOWER / LOOKS)
        return GATE_SLOWER;
    if (p->below <= GATE_WRONG_PASS / LOOKS)
        return GATE_NOT_SLOWER;
    return rounds < GATE_ROUNDS ? GATE_OPEN : GATE_UNDECIDED;
}

static enum time_measure measure_of(const struct time_report *r)
{
    return r->gate_cpu ? TIME_CPU : TIME_REAL;
}

int time_gate(const struct time_report *r, enum gate_verdict *out)
{
    struct paired_p p;
    double *logs;
    size_t n = time_log_ratios(&r->command[0], &r->command[1], measure_of(r), &logs);
    int status = logs ? paired_test(logs, n, log(r->gate_ratio), &p) : -ENOMEM;
    if (status == 0)
        *out = n < GATE_LOOK ? GATE_OPEN : judge(&p, n);
    free(logs);
    return status;
}

void time_gate_words(const struct time_report *r, struct buf *out)
{
    static const char *const words[] = {
        [GATE_OPEN] = "too few rounds",
        [GATE_NOT_SLOWER] = "not slower",
        [GATE_SLOWER] = "slower",
        [GATE_UNDECIDED] = "undecided",
    };
    struct time_ratio k = time_compare(&r->command[0], &r->command[1], measure_of(r));
    buf_printf(out, "gate %g%%%s: %s", 100 * (r->gate_ratio - 1), r->gate_cpu ? " CPU" : "",
               words[r->gate]);
    if (k.rounds >= PAIRED_MIN)
        buf_printf(out, ": %.3f times as long (95%%: %.3f to %.3f, %zu rounds)", k.estimate.ratio,
                   k.estimate.low, k.estimate.high, k.rounds);
    buf_addc(out, '\n');
}
