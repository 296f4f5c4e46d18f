/*
 * reading NAME=COUNT... [enabled=NS] [running=NS]: what the counters were at their nth reading, in
 * sum; the last line stays. targets N: threads or CPUs. unsure N. Which processes there are: alive
 * (proc.c).
 */
#include "plat/count_running.h"

#include "count_state.h"
#include "scenario.h"

#include <errno.h>
#include <stdlib.h>

struct count_running {
    struct count_running_want want;
};

static size_t readings;

int count_running_open(const struct count_running_want *want, struct count_running **out,
                       struct fail *f)
{
    int e = scenario_fail("count_running_open", f);
    if (e == -ESRCH)
        return fail_set(f, ESRCH, "process %d", want->pid[0]);
    if (e < 0) {
        fail_set(f, -e, "counting on all CPUs");
        fail_hint(f, "run as root");
        return e;
    }
    struct count_running *c = calloc(1, sizeof *c);
    if (!c)
        return fail_set(f, ENOMEM, "counters");
    c->want = *want;
    *out = c;
    return 0;
}

void count_running_close(struct count_running *c)
{
    free(c);
}

void count_running_read(const struct count_running *c, struct counter_reading *out)
{
    const char *line = scenario_nth_or_last("reading", readings++);
    for (size_t i = 0; i < c->want.events; i++)
        count_scripted(c->want.event[i].name, line, &out[i]);
}

size_t count_running_targets(const struct count_running *c)
{
    return scenario_value("targets", 1);
}

size_t count_running_unsure(const struct count_running *c)
{
    return scenario_value("unsure", 0);
}
