#include "probe_calls.h"

/* Negative: an interrupt of this processor. */
static int64_t thread_of(const struct ktrace_event *e)
{
    if (e->interrupt)
        return -1 - (int64_t)e->cpu;
    return e->pid == KTRACE_NO_PID ? 0 : (int64_t)e->pid;
}

static void add_event(void *arg, const struct ktrace_event *from, const struct ktrace_more *more)
{
    const struct probe_calls *p = arg;
    if (more->what != KTRACE_EDGE)
        return;
    p->emit(p->arg,
            &(struct topo_event){.kind = from->exit ? TOPO_EXIT : TOPO_ENTRY,
                                 .cpu = from->cpu,
                                 .pid = thread_of(from),
                                 .time_ns = from->time,
                                 .address = p->functions.want.function[from->function].start,
                                 .depth = TOPO_NO_DEPTH});
}

static void add_loss(void *arg, const struct functions_loss *l)
{
    const struct probe_calls *p = arg;
    p->emit(p->arg, &(struct topo_event){.kind = TOPO_GAP,
                                         .cpu = l->cpu,
                                         .time_ns = l->from,
                                         .return_ns = l->to,
                                         .missed = l->count ? l->count : TRACE_MISSED_MANY});
}

int probe_calls_start(struct probe_calls *p, struct fail *f)
{
    int r = callees_find(p->text, p->start, p->starts, PROBE_CALLS_MAX, &p->callees, f);
    struct functions_want want = {.text = p->text,
                                  .function = p->callees.function,
                                  .count = p->callees.count,
                                  .event = add_event,
                                  .loss = add_loss,
                                  .arg = p};
    if (r == 0)
        r = functions_start(&p->functions, &want, f);
    if (r < 0)
        callees_release(&p->callees);
    else
        trace_raise_priority(p->functions.trace);
    return r;
}

int probe_calls_stop(struct probe_calls *p, struct fail *f)
{
    int r = functions_stop(&p->functions, f);
    callees_release(&p->callees);
    return r;
}
