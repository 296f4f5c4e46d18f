/* The target's start: the sampler is open before it runs, or before what runs is learnt. */
#include "core/base/time_ns.h"

#include "core/procfs/proc_stat.h"
#include "core/unwind/unwind.h"
#include "cpu_time.h"
#include "engine/sampling/sampling.h"
#include "plat/clock.h"
#include "plat/host.h"
#include "plat/proc.h"
#include "plat/sysfile.h"
#include "plat/trace.h"
#include "private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- threads that sleep when the sampling of their process begins --- */

enum { MAX_THREADS = 32768 };

static bool thread_text(int pid, int tid, const char *file, struct buf *out)
{
    char path[40];
    snprintf(path, sizeof path, "task/%d/%s", tid, file);
    buf_clear(out);
    return proc_text(pid, path, out, NULL) == 0;
}

static void learn_thread(struct sampling *s, int pid, int tid, uint64_t now_ns, struct buf *text)
{
    struct proc_stat stat;
    uint64_t pc = 0;
    if (!thread_text(pid, tid, "stat", text) || !proc_stat_parse(buf_str(text), &stat) ||
        !proc_stat_sleeps(&stat))
        return;
    if (thread_text(pid, tid, "syscall", text))
        proc_syscall_pc(buf_str(text), &pc);
    sampled_asleep(&s->sampled, (uint32_t)pid, (uint32_t)tid, pc, now_ns);
}

/* Call it with the sampler open and the mappings known. A thread that does not wake before the end
 * has no switch, and would be missing. Of its chain the kernel shows the innermost place, to users
 * that may trace it. */
static void sampling_learn_sleepers(struct sampling *s, int pid)
{
    SCOPED_BUF text = BUF_INIT;
    uint64_t now_ns = clock_mono_ns(); /* before any is looked at */
    SCOPED_FREE int *tid = malloc(MAX_THREADS * sizeof *tid);
    int n = tid ? proc_threads(pid, tid, MAX_THREADS, NULL) : 0;
    for (int i = 0; i < n && i < MAX_THREADS; i++)
        learn_thread(s, pid, tid[i], now_ns, &text);
}

/* The kernel copies so much of the stack into each sample, if there is as much: all that it can. */
enum { SLICE_BYTES = 65528 };

/* Where the machine's functions can be unwound. */
static void want_stacks(const struct sampling_want *want, struct sample_want *sw)
{
    struct host host;
    enum unwind_machine machine;
    host_describe(&host);
    if (want->chains != CHAINS_CFI || want->no_user ||
        !unwind_machine_named(host.machine, &machine))
        return;
    sw->registers = unwind_perf_mask(machine);
    sw->stack_bytes = SLICE_BYTES;
}

static void learn_format(struct sampling *s)
{
    sample_format(s->run.sampler, &s->run.format);
    s->sampled.regs_user = s->run.format.regs_user;
    s->sampled.want.hz = sample_hz(s->run.sampler);
    s->sampled.unwound.need.short_bytes = sample_short_stack(s->run.sampler);
    if (!s->run.format.period)
        s->run.format.period = s->sampled.want.hz ? NS_PER_S / s->sampled.want.hz : 1;
}

/* The kernel's symbols are read before: reading them takes time of the kernel, which would be
 * sampled. */
static int open_sampler(struct sampling *s, const struct sample_want *want, struct fail *f)
{
    int r = want->kernel && s->sampled.want.no_user ? symbols_kernel_check(&s->symbols, f) : 0;
    if (r == 0 && s->sampled.want.kernel)
        sampling_learn_kernel(s);
    if (r == 0)
        r = sample_open(want, &s->run.sampler, f);
    if (r == 0)
        learn_format(s);
    return r;
}

/* The window opens when all that runs is known: what is sampled before that is psuite's reading of
 * it. Switches are paired from the start on. psuite's own samples are counted apart. */
static int learn_everything(struct sampling *s, const struct sample_want *want, struct fail *f)
{
    bool later = s->run.format.mono && !want->waits;
    s->sampled.want.own = (uint32_t)sysfile_self();
    s->run.window_ns = later ? UINT64_MAX : 0;
    int r = sampling_learn_all(s, f);
    sampling_read_cpus(&s->run.cpus_before);
    if (later) {
        s->run.window_ns = clock_mono_ns();
        s->run.lost_before = sample_lost(s->run.sampler);
    }
    return r;
}

static int check_processes(const struct sample_want *want, struct fail *f)
{
    int r = want->pid ? proc_check_process(want->pid, f) : 0;
    for (size_t i = 0; r == 0 && i < want->others; i++)
        r = proc_check_process(want->other[i], f);
    return r;
}

static int learn_process(struct sampling *s, const struct sample_want *want, int pid,
                         struct fail *f)
{
    int r = sampling_learn_process(s, pid, f);
    if (r == 0 && want->waits)
        sampling_learn_sleepers(s, pid);
    return r;
}

static int attach_target(struct sampling *s, const struct sample_want *want, struct fail *f)
{
    int r = check_processes(want, f);
    if (r == 0)
        r = open_sampler(s, want, f);
    if (r < 0 || !want->pid)
        return r < 0 ? r : learn_everything(s, want, f);
    s->run.cpu_time_before_ms = sampling_cpu_time_of_all_ms(s);
    r = learn_process(s, want, want->pid, f);
    for (size_t i = 0; r == 0 && i < want->others; i++)
        r = learn_process(s, want, want->other[i], f);
    return r;
}

/* --- a command --- */

static int launch_command(struct sampling *s, struct sample_want *how,
                          const struct sampling_want *want, struct fail *f)
{
    int r = child_hold(want->command, &s->command.child, f);
    if (r < 0)
        return r;
    if (!want->everything) {
        sampled_process(&s->sampled, (uint32_t)s->command.child.pid);
        how->pid = s->command.child.pid;
        how->on_exec = how->children = true;
    }
    r = open_sampler(s, how, f);
    if (r == 0 && want->everything)
        r = learn_everything(s, how, f);
    if (r < 0) {
        child_kill(&s->command.child);
        return r;
    }
    r = child_release(&s->command.child, f);
    s->command.executed = s->command.runs = r == 0;
    return r;
}

static void record_event(const struct sampling *s, struct recorder *r, size_t i)
{
    const struct sample_event *e = &s->run.event[i];
    struct recording_event of = {.is.clock = e->clock,
                                 .user = s->run.user[i],
                                 .kernel = s->run.kernel[i],
                                 .hz = sample_event_hz(s->run.sampler, i)};
    memcpy(of.is.name, e->name, sizeof of.is.name);
    recording_event(&r->writer, (unsigned)i, &of);
}

void sampling_start_recorder(struct sampling *s, struct recorder *r, uint64_t start_ns)
{
    struct recorder_facts facts = {.method = s->method,
                                   .mode = s->mode,
                                   .command = s->command.words,
                                   .pid = s->sampled.want.pid,
                                   .start_ns = start_ns};
    uint64_t hz = s->sampled.want.hz;
    recorder_start(r, &s->sampled, hz ? NS_PER_S / hz : 1, &facts, &s->symbols);
    for (size_t i = 1; i < s->run.events; i++)
        record_event(s, r, i);
}

/* What is known once the sampler is open. */
static void describe_sampling(struct sampling *s, const struct sampling_want *want)
{
    const struct sample_event *event = &s->run.event[0];
    s->command.words = want->command;
    snprintf(s->method, sizeof s->method, "%s", sample_method(s->run.sampler));
    if (event->name[0]) {
        snprintf(s->sampled.event.name, sizeof s->sampled.event.name, "%s", event->name);
        s->sampled.event.clock = event->clock;
    }
    if (s->run.recorder.path)
        sampling_start_recorder(s, &s->run.recorder, 0);
}

int sampling_start(struct sampling *s, const struct sampling_want *want, struct fail *f)
{
    struct sample_want sw = {.pid = want->pid,
                             .other = want->other,
                             .others = want->others,
                             .children = want->children,
                             .kernel = want->kernel,
                             .no_user = want->no_user && !want->user_apart,
                             .chains = want->chains != CHAINS_NONE,
                             .waits = want->waits,
                             .cgroups = s->run.recorder.path || s->run.keeper.path,
                             .hz = want->hz,
                             .period = want->period,
                             .cpu = want->cpu,
                             .cpus = want->cpus,
                             .event = s->run.event[0],
                             .more = s->run.event + 1,
                             .mores = s->run.events - 1,
                             .backend = want->backend};
    want_stacks(want, &sw);
    s->sampled.want.foreign = !trace_names_ours();
    if (want->wait || s->run.keeper.path)
        s->run.read_ns = clock_mono_ns();
    int r = want->command ? launch_command(s, &sw, want, f) : attach_target(s, &sw, f);
    if (r == 0)
        describe_sampling(s, want);
    return r;
}
