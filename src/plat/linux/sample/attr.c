/* The attributes of a sampling for perf_event_open(2). */
#include "perf.h"

#include "core/base/time_ns.h"
#include "perf/perf.h"
#include "process/descriptors.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Of the stack at a switch: they may be many, and a waiting thread is seldom deep in calls. */
enum { SWITCH_STACK_BYTES = 16376 };

/* PERF_FORMAT_LOST of Linux 6.0, which the headers of older systems lack. */
enum { FORMAT_LOST = 1 << 4 };

/* PERF_SAMPLE_CGROUP of Linux 5.7. */
enum { SAMPLE_CGROUP = 1 << 21 };

struct parts {
    bool user, kernel;
};

/* Modifiers after the event's name take precedence over the options. */
static struct parts wanted_parts(const struct sample_want *want)
{
    const struct sample_event *e = &want->event;
    if (e->user || e->kernel)
        return (struct parts){e->user, e->kernel};
    return (struct parts){!want->no_user, want->kernel || want->no_user};
}

bool perf_attr_includes_kernel(const struct sample_want *want)
{
    return want->event.in_kernel || wanted_parts(want).kernel;
}

static void fill_parts(struct perf_event_attr *a, const struct sample_want *want)
{
    struct parts part = wanted_parts(want);
    a->exclude_user = !part.user;
    a->exclude_kernel = !perf_attr_includes_kernel(want);
    a->exclude_hv = 1;
    if (want->chains) {
        a->sample_type |= PERF_SAMPLE_CALLCHAIN;
        a->exclude_callchain_kernel = !part.kernel;
    }
    if (want->registers) {
        a->sample_type |= PERF_SAMPLE_REGS_USER;
        a->sample_regs_user = want->registers;
        a->exclude_callchain_user = want->chains;
    }
    if (want->stack_bytes) {
        a->sample_type |= PERF_SAMPLE_STACK_USER;
        a->sample_stack_user = want->stack_bytes;
    }
}

/* All records of a ring are laid out alike: the clock's samples have the switches' fields. */
static void fill_waits(struct perf_event_attr *a, const struct sample_want *want)
{
    a->sample_type |= PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_CPU;
    if (!want->chains)
        a->exclude_callchain_user = a->exclude_callchain_kernel = 1;
}

/* The switch is the kernel's doing, whose records are asked for; whose chain is not, without -k. */
void perf_attr_switches(const struct perf_event_attr *a, const struct sample_want *want,
                        struct perf_event_attr *out)
{
    *out = *a;
    out->type = PERF_TYPE_SOFTWARE;
    out->config = PERF_COUNT_SW_CONTEXT_SWITCHES;
    out->config1 = out->config2 = 0;
    out->sample_period = 1;
    out->exclude_user = out->exclude_kernel = 0;
    out->context_switch = 1;
    out->mmap = out->mmap2 = out->comm = out->comm_exec = out->task = out->build_id = 0;
    out->cgroup = 0;
    if (out->sample_stack_user > SWITCH_STACK_BYTES)
        out->sample_stack_user = SWITCH_STACK_BYTES;
    if (!want->chains) {
        out->exclude_callchain_user = 0;
        out->sample_max_stack = 1;
    }
}

/* Clocks tick at a fixed period, which is what a sample weighs. Of other events the kernel steers
 * the period, and each sample tells its own. */
static int fill_rate(struct perf_event_attr *a, const struct sample_want *want)
{
    uint64_t max_hz = perf_max_hz(), hz = want->hz < max_hz ? want->hz : max_hz;
    uint64_t period = want->period ? want->period : want->event.period;
    if (period) {
        a->sample_period = period;
    } else if (!hz) {
        return -EINVAL;
    } else if (want->event.clock) {
        a->sample_period = NS_PER_S / hz ? NS_PER_S / hz : 1;
    } else {
        a->freq = 1;
        a->sample_freq = hz;
        a->sample_type |= PERF_SAMPLE_PERIOD;
    }
    return 0;
}

/* Asked for by an event of its own: that it is refused has other reasons, too, and what older
 * kernels lack is left out in their order. */
static bool has_cgroups(void)
{
    struct perf_event_attr a = {.type = PERF_TYPE_SOFTWARE,
                                .size = sizeof a,
                                .config = PERF_COUNT_SW_DUMMY,
                                .sample_type = SAMPLE_CGROUP,
                                .disabled = 1,
                                .exclude_kernel = 1,
                                .exclude_hv = 1};
    SCOPED_FD fd = (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    return fd >= 0;
}

static void fill_target(struct perf_event_attr *a, const struct sample_want *want)
{
    if (want->pid == 0) {
        a->sample_type |= PERF_SAMPLE_CPU;
        return;
    }
    a->inherit = 1;
    a->inherit_thread = !want->children;
    a->disabled = a->enable_on_exec = want->on_exec;
}

/* hz is bounded by what the kernel allows. -EINVAL: neither hz nor every. */
static int fill_attr(struct perf_event_attr *a, const struct sample_want *want)
{
    *a = (struct perf_event_attr){
        .type = want->event.type,
        .size = sizeof *a,
        .config = want->event.config,
        .config1 = want->event.config1,
        .config2 = want->event.config2,
        .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
        .read_format = FORMAT_LOST,
        .mmap = 1,
        .mmap2 = 1,
        .comm = 1,
        .comm_exec = 1,
        .task = 1,
        .sample_id_all = 1,
        .build_id = 1,
        .use_clockid = 1,
        .clockid = CLOCK_MONOTONIC,
        .watermark = 1,
    };
    fill_parts(a, want);
    if (want->waits)
        fill_waits(a, want);
    if (want->cgroups && has_cgroups()) {
        a->sample_type |= SAMPLE_CGROUP;
        a->cgroup = 1;
    }
    fill_target(a, want);
    return fill_rate(a, want);
}

/* Only the first one tells of tasks and mappings. */
static int fill_more(struct perf_sampler *s, const struct sample_want *want, size_t i)
{
    struct sample_want w = *want;
    struct perf_event_attr *a = &s->more[i];
    w.event = want->more[i];
    int e = fill_attr(a, &w);
    a->mmap = a->mmap2 = a->comm = a->comm_exec = a->task = a->build_id = a->cgroup = 0;
    a->sample_type |= PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_PERIOD;
    return e;
}

int perf_attr_fill_all(struct perf_sampler *s, const struct sample_want *want)
{
    int e = fill_attr(&s->attr, want);
    s->mores = want->mores;
    if (s->mores)
        s->attr.sample_type |= PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_PERIOD;
    for (size_t i = 0; e == 0 && i < s->mores; i++)
        e = fill_more(s, want, i);
    return e;
}

bool perf_attr_downgrade(struct perf_event_attr *a)
{
    if (a->read_format) /* Linux 6.0 */
        a->read_format = 0;
    else if (a->inherit_thread) /* 5.13 */
        a->inherit_thread = 0;
    else if (a->build_id) /* 5.12 */
        a->build_id = 0;
    else if (a->sample_max_stack) /* 4.8 */
        a->sample_max_stack = 0;
    else if (a->use_clockid) /* 4.1 */
        a->use_clockid = 0, a->clockid = 0;
    else if (a->comm_exec) /* 3.16 */
        a->comm_exec = a->mmap2 = 0;
    else
        return false;
    return true;
}
