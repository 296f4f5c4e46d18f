/* The end: drains the rings, reads the kernel's accounting and the command's status. */
#include "core/base/time_ns.h"
#include "core/perf/reorder.h"
#include "cpu_time.h"
#include "plat/clock.h"
#include "private.h"

/* The accounting of a process disappears with it. It is of the whole time and of all
 * CPUs. */
static void account_cpu_time(struct sampling *s)
{
    const struct sampled_want *w = &s->sampled.want;
    bool attached = w->pid && !s->command.child.pid && !w->children;
    uint64_t now_ms = attached ? sampling_cpu_time_of_all_ms(s) : 0;
    if (s->run.partial)
        return;
    if (!w->pid)
        sampling_account_cpus(s);
    if (now_ms > s->run.cpu_time_before_ms)
        s->sampled.accounted.cpu_time_ms = now_ms - s->run.cpu_time_before_ms;
}

static void end_waits(struct sampling *s, uint64_t stopped_ns)
{
    uint64_t latest = s->run.order->latest;
    if (s->sampled.want.waits)
        sampled_waits_end(&s->sampled, stopped_ns > latest ? stopped_ns : latest);
}

static void read_command_end(struct sampling *s, int target)
{
    struct wait_on on = {.handle = target};
    if (!s->command.runs || !wait_ready(&on, 1, 0))
        return;
    s->command.runs = false;
    if (child_wait(&s->command.child, &s->command.end, NULL) == 0 && s->sampled.want.pid &&
        !s->run.partial)
        s->sampled.accounted.cpu_time_ms =
            sampling_time_of_modes(s, s->command.end.user_ns, s->command.end.sys_ns) / NS_PER_MS;
}

/* What was lost last, which no record has reported. */
static void add_last_losses(struct sampling *s, uint64_t stopped_ns)
{
    uint64_t all = sample_lost(s->run.sampler) - s->run.lost_before,
             reported = s->sampled.loss.lost + s->run.keeper.kept.dropped_lost;
    struct perfrec r = {.type = PERFREC_LOST, .time = stopped_ns, .lost = all - reported};
    if (all > reported)
        sampled_add_record(&s->sampled, &r);
}

int sampling_end(struct sampling *s, int target, struct fail *f)
{
    account_cpu_time(s); /* before: a tracer takes its time to let go of all threads */
    sample_stop(s->run.sampler);
    uint64_t stopped_ns = clock_mono_ns();
    int r = sampling_last_round(s);
    add_last_losses(s, stopped_ns);
    end_waits(s, stopped_ns);
    read_command_end(s, target);
    if (r < 0)
        s->sampled.err = r; /* the counts so far are valid; the report notes it */
    return sampling_finish(s, f);
}

int sampling_wait(struct sampling *s, struct fail *f)
{
    if (!s->command.runs)
        return 0;
    struct wait_on on[] = {{.handle = interrupt_open()},
                           {.handle = child_handle(&s->command.child)}};
    while (!on[1].ready) {
        wait_ready(on, 2, -1);
        if (on[0].ready)
            sampling_pass_on_interrupt(s);
    }
    s->command.runs = false;
    return child_wait(&s->command.child, &s->command.end, f);
}
