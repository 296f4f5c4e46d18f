#include "core/time/plan.h"

#include "core/base/duration.h"
#include "core/base/time_ns.h"
#include "core/time/gate.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool time_plan_parse(const char *text, struct time_plan *out)
{
    char *end;
    if (strcmp(text, "auto") == 0) {
        out->seconds = TIME_AUTO_S;
        return true;
    }
    if (!isdigit((unsigned char)text[0]))
        return false;
    double ns, number = strtod(text, &end);
    if (*end && duration_parse(text, NS_PER_S, &ns) && ns <= 1e6 * NS_PER_S) {
        out->seconds = ns / NS_PER_S;
        return true;
    }
    if (*end || number < 1 || number > TIME_MAX_RUNS || number > floor(number))
        return false;
    out->rounds = (unsigned long)number;
    return true;
}

static unsigned long rounds_made(const struct time_report *r)
{
    size_t least = r->command[0].runs;
    for (size_t i = 1; i < r->commands; i++)
        if (r->command[i].runs < least)
            least = r->command[i].runs;
    return least;
}

/* The time of all runs, in seconds a command. */
static double seconds_spent(const struct time_report *r)
{
    double sum_ns = 0;
    for (size_t i = 0; i < r->commands; i++)
        for (size_t k = 0; k < r->command[i].runs; k++)
            sum_ns += r->command[i].run[k].value[TIME_REAL];
    return sum_ns / 1e9 / (double)r->commands;
}

static unsigned long next_by_time(const struct time_plan *p, const struct time_report *r)
{
    unsigned long made = rounds_made(r);
    double spent = seconds_spent(r), left = p->seconds - spent;
    if (made < TIME_AUTO_RUNS)
        return TIME_AUTO_RUNS - made;
    if (left <= 0 || made >= TIME_MAX_RUNS)
        return 0;
    double more = spent > 0 ? ceil(left / spent * (double)made) : TIME_MAX_RUNS;
    return more < (double)(TIME_MAX_RUNS - made) ? (unsigned long)more : TIME_MAX_RUNS - made;
}

int time_plan_next(const struct time_plan *p, const struct time_report *r, unsigned long *out)
{
    enum gate_verdict verdict = GATE_OPEN;
    *out = 0;
    if (p->gate) {
        int status = time_gate(r, &verdict);
        *out = verdict == GATE_OPEN ? GATE_LOOK : 0;
        return status;
    }
    if (p->rounds > 0)
        *out = rounds_made(r) < p->rounds ? p->rounds - rounds_made(r) : 0;
    else
        *out = next_by_time(p, r);
    return 0;
}
