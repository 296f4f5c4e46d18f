/* Why the kernel would not sample, and what can be done about it. */
#include "perf.h"

#include "perf/perf.h"

#include <errno.h>

/* The highest kernel.perf_event_paranoid at which a user may have this. */
static int paranoid_for(const struct sample_want *want)
{
    return want->pid == 0 ? 0 : perf_attr_of_kernel(want) || want->waits ? 1 : 2;
}

static bool is_counter(const struct sample_want *want)
{
    return want->event.type != PERF_TYPE_SOFTWARE && want->event.type != PERF_TYPE_TRACEPOINT;
}

/* Of an event that is no software one. */
static void hint_counter(int e, const struct sample_want *want, struct fail *f)
{
    if (e == -ENOENT || e == -ENODEV)
        fail_hint(f, "this processor has no such counter, or a virtual machine hides it: "
                     "cpu-clock is on every machine");
    else if (e == -EOPNOTSUPP && !perf_attr_of_kernel(want))
        fail_hint(f, "this counter cannot interrupt, or cannot leave out the kernel (ARM before "
                     "Cortex-A7): sample the kernel, too, or take cpu-clock");
    else if (e == -EOPNOTSUPP)
        fail_hint(f, "this counter cannot interrupt: cpu-clock can");
    else if (e == -EINVAL)
        fail_hint(f, "this counter cannot be sampled so; one outside of the processors' cores "
                     "(uncore) can only be counted");
    else if (e == -EBUSY || e == -ENOSPC)
        fail_hint(f, "the counters are taken: another profiler, or the watchdog "
                     "(kernel.nmi_watchdog)");
}

int perf_refused(int e, const struct perf_sampler *s, const struct sample_want *want,
                 struct fail *f)
{
    const char *event = s->method + sizeof "perf " - 1; /* "cpu-clock and switches" */
    if (want->pid)
        fail_set(f, -e, "sampling process %d by %s", want->pid, event);
    else
        fail_set(f, -e, "sampling all CPUs by %s", event);
    if (e == -EACCES || e == -EPERM)
        perf_denied_hint(paranoid_for(want), f);
    else if (e == -ENOSYS)
        fail_hint(f, "this kernel was built without CONFIG_PERF_EVENTS");
    else if (e == -EMFILE)
        fail_hint(f, "one descriptor a thread and CPU is needed, %zu were had: raise `ulimit -n'",
                  s->events);
    else if (e == -ENOMEM || e == -ENOBUFS)
        fail_hint(f, "kernel.perf_event_mlock_kb and `ulimit -l' bound the rings");
    else if (e == -EINVAL && want->waits)
        fail_hint(f, "waits (-w) need Linux 4.3, which tells of switches onto a CPU");
    else if (is_counter(want))
        hint_counter(e, want, f);
    return e;
}
