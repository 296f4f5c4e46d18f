/* Counts what a command allocates. */
#include "guarded_breaks.h"
#include "heap_parts.h"

#include "plat/host.h"
#include "plat/limits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static const char method[] = "ptrace, breakpoints in malloc's family: each call";

static int run_command(struct heap_run *h, char *const *command, struct child_end *end,
                       struct fail *f)
{
    const struct breaks_callbacks to = heap_callbacks(h);
    uint64_t lost; /* steps, of which there are none */
    return guarded_breaks(command, &to, end, &lost, f);
}

static int no_functions(char *const *command, struct fail *f)
{
    fail_set(f, 0, "%s: malloc was not found in it, nor in a library", command[0]);
    fail_hint(f, "a program that is linked statically needs its symbols: build it without -s");
    return -EINVAL;
}

/* A sample for each node that allocated, which is recorded. */
static void count_nodes(struct sampling *s)
{
    const struct heap_totals *h = &s->sampled.heap;
    for (size_t i = 0; i < h->sites; i++)
        if (h->site[i].allocated.blocks)
            sampled_count(&s->sampled, &(struct sampled_one){.node = (uint32_t)i,
                                                             .weight = h->site[i].allocated.bytes});
}

static int check_run(const struct heap_run *h, char *const *command, struct fail *f)
{
    if (h->failed || h->sampling->sampled.err)
        return fail_set(f, ENOMEM, "blocks and callers");
    return h->functions ? 0 : no_functions(command, f);
}

static int finish(struct sampling *s, const struct sampling_want *want, struct fail *f)
{
    const struct recorder_facts facts = {
        .method = s->method, .mode = s->mode, .command = want->command, .pid = s->sampled.want.pid};
    if (want->record)
        recorder_start(&s->run.recorder, &s->sampled, 1, &facts, &s->symbols);
    count_nodes(s);
    int r = sampling_finish(s, f);
    int e = recorder_close(&s->run.recorder, &s->sampled, r < 0 ? NULL : f);
    return r < 0 ? r : e;
}

int heap_prepare(const struct sampling_want *want, struct sampling *s, struct heap_run *h,
                 struct fail *f)
{
    struct host host;
    enum unwind_machine machine;
    sampling_init(want, s);
    sampling_set_hooks(s);
    host_describe(&host);
    if (!unwind_machine_named(host.machine, &machine))
        return fail_set(f, ENOTSUP, "call chains of %s", host.machine);
    s->sampled.want.children = true; /* whatever is forked is counted */
    s->sampled.regs_user = unwind_perf_mask(machine);
    h->perf = unwind_perf_of(machine);
    s->sampled.event = (struct sampled_event){.name = "alloc_space"};
    snprintf(s->method, sizeof s->method, "%s", method);
    snprintf(s->mode, sizeof s->mode, "exact");
    if (!want->record)
        return 0;
    s->sampled.hooks.counted = sampling_counted;
    return recorder_open(&s->run.recorder, want->record, want->force, f);
}

int heap_profile_run(const struct sampling_want *want, struct sampling *s, struct child_end *end,
                     struct fail *f)
{
    struct heap_run h = {.sampling = s};
    limits_first_victim();
    int r = heap_prepare(want, s, &h, f);
    if (r == 0)
        r = run_command(&h, want->command, end, f);
    if (r == 0)
        r = check_run(&h, want->command, f);
    if (r == 0) {
        s->sampled.heap.lost += h.unset;
        sampled_name(&s->sampled, s->sampled.want.pid, s->sampled.want.pid, "heap");
        r = finish(s, want, f);
    }
    free(h.call);
    return r;
}

int heap_profile_read(const struct sampling_want *want, const char *path, struct sampling *s,
                      struct fail *f)
{
    int r = sampling_read(want, path, s, f);
    if (r < 0 || s->sampled.heap.processes)
        return r;
    fail_set(f, 0, "%s: a recording of samples, not of a heap", path);
    fail_hint(f, "psuite tprof %s", path);
    return -EINVAL;
}
