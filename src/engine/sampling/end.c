/* The end: what is left in the rings, the kernel's books, how the command ended. */
#include "core/base/time_ns.h"
#include "core/perf/reorder.h"
#include "cpu_time.h"
#include "plat/clock.h"
#include "private.h"

static void account_cpu_time(struct sampling *s)
{
    const struct sampled_want *w = &s->sampled.want;
    bool attached = w->pid && !s->child.pid && !w->children;
    uint64_t now_ms = attached ? sampling_cpu_time_of_all_ms(s) : 0;
    if (!w->pid)
        sampling_account_cpus(s);
    if (now_ms > s->cpu_time_before_ms)
        s->sampled.accounted.cpu_time_ms = now_ms - s->cpu_time_before_ms;
}

static void end_waits(struct sampling *s, uint64_t stopped_ns)
{
    uint64_t latest = s->order->latest;
    if (s->sampled.want.waits)
        sampled_waits_end(&s->sampled, stopped_ns > latest ? stopped_ns : latest);
}

static void read_command_end(struct sampling *s, int target)
{
    struct wait_on on = {.handle = target};
    if (!s->child_runs || !wait_ready(&on, 1, 0))
        return;
    s->child_runs = false;
    if (child_wait(&s->child, &s->end, NULL) == 0 && s->sampled.want.pid)
        s->sampled.accounted.cpu_time_ms =
            sampling_time_of_modes(s, s->end.user_ns, s->end.sys_ns) / NS_PER_MS;
}

int sampling_end(struct sampling *s, int target, struct fail *f)
{
    sample_stop(s->sampler);
    uint64_t stopped_ns = clock_mono_ns();
    account_cpu_time(s);
    int r = sampling_last_round(s);
    end_waits(s, stopped_ns);
    read_command_end(s, target);
    if (r < 0)
        s->sampled.err = r; /* what was counted stands; the report tells */
    return sampling_finish(s, f);
}

int sampling_wait(struct sampling *s, struct fail *f)
{
    if (!s->child_runs)
        return 0;
    struct wait_on on[] = {{.handle = interrupt_open()}, {.handle = child_handle(&s->child)}};
    while (!on[1].ready) {
        wait_ready(on, 2, -1);
        if (on[0].ready)
            sampling_pass_on_interrupt(s);
    }
    s->child_runs = false;
    return child_wait(&s->child, &s->end, f);
}
