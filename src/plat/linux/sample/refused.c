/* Why the kernel would not sample, and what can be done about it. */
#include "perf.h"

#include "perf/event_names.h"
#include "perf/perf.h"

#include <errno.h>

/* The highest kernel.perf_event_paranoid at which a user may have this. */
static int max_paranoid(const struct sample_want *want)
{
    return want->pid == 0 ? 0 : perf_attr_includes_kernel(want) || want->waits ? 1 : 2;
}

/* Of an event that is no software one. */
static void hint_counter(int e, const struct sample_want *want, struct fail *f)
{
    if (e == -ENOENT || e == -ENODEV)
        fail_hint(
            f, "this processor has no such counter, or a virtual machine hides it: use cpu-clock");
    else if (e == -EOPNOTSUPP && !perf_attr_includes_kernel(want))
        fail_hint(f, "this counter cannot interrupt, or cannot leave out the kernel (ARM before "
                     "Cortex-A7): sample the kernel, too, or use cpu-clock");
    else if (e == -EOPNOTSUPP)
        fail_hint(f, "this counter cannot interrupt: use cpu-clock");
    else if (e == -EINVAL)
        fail_hint(f, "this counter cannot be sampled; uncore counters can only be counted");
    else if (e == -EBUSY || e == -ENOSPC)
        fail_hint(
            f,
            "the counters are in use: by another profiler, or the watchdog (kernel.nmi_watchdog)");
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
        perf_denied_hint(max_paranoid(want), f);
    else if (e == -ENOSYS)
        fail_hint(f, "this kernel was built without CONFIG_PERF_EVENTS");
    else if (e == -EMFILE)
        fail_hint(f,
                  "it needs one descriptor per thread and CPU, but only %zu could be opened: raise "
                  "`ulimit -n'%s",
                  s->max_opened,
                  want->children ? ", or sample this process alone as root"
                                 : ", or run as root, which samples all CPUs instead");
    else if (e == -ENOMEM || e == -ENOBUFS)
        fail_hint(f,
                  "kernel.perf_event_mlock_kb and `ulimit -l' limit the ring buffers: raise them");
    else if (e == -EINVAL && want->waits)
        fail_hint(f, "waits (-w) need context switch events of Linux 4.3");
    else if (event_is_counter(want->event.type))
        hint_counter(e, want, f);
    return e;
}
