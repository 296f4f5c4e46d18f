#include "missed_switches.h"

static uint32_t *running_on(struct trace_decoder *d, int cpu)
{
    return cpu >= 0 && cpu < TRACE_CPUS_MAX ? &d->running[cpu] : NULL;
}

static uint32_t as_running(int32_t pid)
{
    return (uint32_t)pid + 1;
}

bool trace_infer_switch(struct trace_decoder *d, int cpu, int32_t pid, struct sched_event *e)
{
    uint32_t *at = running_on(d, cpu), now = as_running(pid), before = at ? *at : 0;
    if (at)
        *at = now;
    if (!before || before == now || pid < 0)
        return false;
    e->kind = pid > 0 ? SCHED_RUN : SCHED_SLEEP;
    e->pid = pid > 0 ? pid : (int32_t)(before - 1);
    e->other = -1;
    e->flags = SCHED_INFERRED;
    return true;
}

void trace_set_running(struct trace_decoder *d, int cpu, int32_t to)
{
    uint32_t *at = running_on(d, cpu);
    if (at)
        *at = as_running(to);
}

void trace_clear_running(struct trace_decoder *d, int cpu)
{
    uint32_t *at = running_on(d, cpu);
    if (at)
        *at = 0;
}
