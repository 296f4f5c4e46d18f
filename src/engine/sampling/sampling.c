#include "engine/sampling/sampling.h"

#include "core/perf/reorder.h"
#include "plat/limits.h"
#include "plat/proc.h"
#include "private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_CLOCK_NS = 10000 }; /* of the kernel's timer, whatever is asked of it */
_Static_assert((int)SAMPLE_MAX_EVENTS == (int)SAMPLED_MAX_EVENTS, "each sampled event is counted");

/* --- what is asked while samples are counted --- */

static void need_image(void *arg, struct module *m, uint32_t pid, uint64_t start, uint64_t end)
{
    struct sampling *s = arg;
    if (!m->kernel)
        symbols_need(&s->symbols, m, (int)pid, start, end);
}

static size_t read_stack(void *arg, uint32_t pid, uint64_t from, void *bytes, size_t len)
{
    return proc_memory((int)pid, from, bytes, len);
}

/* What a JIT compiler tells of its code comes behind the code: a view asks for it later. */
static uint64_t place_in_function(void *arg, struct module *m, uint64_t offset, uint64_t *end)
{
    struct sampling *s = arg;
    if (!m->identity.pid)
        symbols_ready(&s->symbols, m);
    return sampling_function_offset(m, offset, end);
}

static bool find_cgroup(void *arg, uint64_t number, struct buf *path)
{
    struct sampling *s = arg;
    return cgroup_paths_find(&s->run.cgroups, number, path);
}

void sampling_set_hooks(struct sampling *s)
{
    s->sampled.mapped.need_image = need_image;
    s->sampled.mapped.arg = s;
    s->sampled.hooks.need_cfi = sampling_need_cfi;
    s->sampled.hooks.read_stack = read_stack;
    s->sampled.hooks.arg = s;
}

/* --- before anything runs --- */

/* What an event's own name says of the modes outranks what was wanted; samples of one that happens
 * in the kernel are there. */
static struct sampling_want modes_of(const struct sampling_want *want,
                                     const struct sample_event *event)
{
    struct sampling_want w = *want;
    if (event->user || event->kernel) {
        w.kernel = event->kernel;
        w.no_user = !event->user;
    } else if (event->in_kernel) {
        w.kernel = true;
    }
    return w;
}

static int no_clock(const struct sample_event *event, struct fail *f)
{
    fail_set(f, 0, "-w: waits are time, but %s does not count time", event->name);
    fail_hint(f, "leave out -e, or use -e task-clock");
    return -EINVAL;
}

/* Before the sampling, whose samples would be lost for a misspelt name. */
static int check_binary(const char *path, struct fail *f)
{
    struct image image;
    int r = path ? file_map_regular(path, &image, f) : 0;
    if (path && r == 0)
        file_unmap(&image);
    return r;
}

static int open_keeper(struct sampling *s, const struct sampling_want *want, struct fail *f)
{
    struct keeper *k = &s->run.keeper;
    int r = keeper_open(k, want->record, want->force, want->keep_seconds, f);
    k->written = want->written;
    k->arg = want->arg;
    if (r == 0)
        s->sampled.hooks.counted = sampling_keep;
    return r;
}

static int open_record(struct sampling *s, const struct sampling_want *want, struct fail *f)
{
    if (!want->record && (want->mores || want->keeps)) {
        s->sampled.hooks.counted = sampling_counted;
        recorder_open_memory(&s->run.recorder);
    }
    if (!want->record)
        return 0;
    if (want->keep_seconds > 0)
        return open_keeper(s, want, f);
    s->sampled.hooks.counted = sampling_counted;
    return recorder_open(&s->run.recorder, want->record, want->force, f);
}

static int check_period(const struct sampling *s, const struct sampling_want *want, struct fail *f)
{
    for (size_t i = 0; want->period && i < s->run.events; i++) {
        const struct sample_event *event = &s->run.event[i];
        if (want->period < MIN_CLOCK_NS && (event->clock || !event->name[0]))
            return fail_set(f, 0, "a sample every %llu ns: the clock has at least %d",
                            (unsigned long long)want->period, MIN_CLOCK_NS);
    }
    return 0;
}

static int prepare_sampling(struct sampling *s, const struct sampling_want *want, struct fail *f)
{
    const struct sample_event *event = &s->run.event[0];
    if (want->waits && event->name[0] && !event->clock)
        return no_clock(event, f);
    int r = check_period(s, want, f);
    if (r < 0)
        return r;
    s->run.partial |= want->cpus || want->keep_seconds > 0;
    sampling_set_hooks(s);
    s->sampled.hooks.cgroup = find_cgroup;
    if (want->by_function)
        s->sampled.hooks.place = place_in_function;
    s->run.order = calloc(1, sizeof *s->run.order);
    if (!s->run.order)
        return fail_set(f, ENOMEM, "sampling");
    if (check_binary(want->binary, f) < 0)
        return -EINVAL;
    return open_record(s, want, f);
}

/* --- the story --- */

/* Of several processes there is none: whether they live is asked now and then. */
static int target_handle(const struct sampling *s, const struct sampling_want *want)
{
    if (want->command)
        return child_handle(&s->command.child);
    return want->pid && !want->others ? proc_handle(want->pid) : -1;
}

static int close_record(struct sampling *s, struct fail *f)
{
    struct fail why;
    return s->run.keeper.path ? sampling_keep_end(s, f ? f : &why)
                              : recorder_close(&s->run.recorder, &s->sampled, f);
}

static int run_sampling(struct sampling *s, const struct sampling_want *want, struct fail *f)
{
    int target = target_handle(s, want);
    sampling_loop(s, want, target);
    int r = sampling_end(s, target, f);
    if (!want->command && want->pid)
        proc_handle_close(target);
    int e = close_record(s, r < 0 ? NULL : f);
    return r < 0 ? r : e;
}

/* All modes that any of them has; the kernel's accounting is of the first one's. */
static void note_modes(struct sampling *s, const struct sampling_want *want)
{
    struct sampling_run *run = &s->run;
    for (size_t i = 0; i < run->events; i++) {
        struct sampling_want of = modes_of(want, &run->event[i]);
        run->user[i] = !of.no_user;
        run->kernel[i] = of.kernel || of.no_user;
        s->sampled.want.kernel |= of.kernel;
        s->sampled.want.no_user &= of.no_user;
        run->partial |= run->user[i] != run->user[0] || run->kernel[i] != run->kernel[0];
    }
}

static int find_events(const struct sampling_want *want, struct sample_event *event, struct fail *f)
{
    int r = want->event ? sample_event_find(want->event, &event[0], f) : 0;
    for (size_t i = 0; r == 0 && i < want->mores; i++)
        r = sample_event_find(want->more_event[i], &event[i + 1], f);
    return r;
}

int sampling_begin(const struct sampling_want *want, struct sampling *s, struct fail *f)
{
    struct sample_event event[SAMPLE_MAX_EVENTS] = {0};
    int r = find_events(want, event, f);
    struct sampling_want counted = modes_of(want, &event[0]);
    sampling_init(&counted, s);
    memcpy(s->run.event, event, sizeof event);
    s->run.events = want->mores + 1;
    note_modes(s, want);
    if (r == 0)
        r = prepare_sampling(s, want, f);
    return r == 0 ? sampling_start(s, want, f) : r;
}

int sampling_run(const struct sampling_want *want, struct sampling *s, struct fail *f)
{
    limits_first_victim();
    interrupt_open(); /* so that the command does not inherit our blocked signals */
    int r = sampling_begin(want, s, f);
    return r == 0 ? run_sampling(s, want, f) : r;
}

int sampling_stop(struct sampling *s, struct fail *f)
{
    return sampling_end(s, -1, f);
}

void sampling_release(struct sampling *s)
{
    sample_close(s->run.sampler);
    recorder_close(&s->run.recorder, &s->sampled, NULL);
    buf_release(&s->run.recorder.memory);
    keeper_release(&s->run.keeper);
    cgroup_paths_release(&s->run.cgroups);
    sampled_release(&s->sampled);
    symbols_release(&s->symbols);
    recording_close(&s->source.recording);
    file_unmap(&s->source.image);
    if (s->run.order)
        order_release(s->run.order);
    free(s->run.order);
    *s = (struct sampling){0};
}
