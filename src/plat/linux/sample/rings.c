/* Rings as large as a user may lock and the kernel has memory for, of one size on all CPUs: each
 * time that one does not fit, all are begun anew at half the size. */
#include "perf.h"

#include <errno.h>
#include <unistd.h>

enum { MIN_RECORDS = 8, ENOUGH_RECORDS = 64, MIN_STACK = 8192 };

/* The kernel reserves space for the full slice, however little of it is filled: some records have
 * to fit into a ring. */
static size_t stack_slice_bytes(const struct perf_sampler *s, const struct sample_want *want)
{
    size_t max_bytes = s->ring_bytes / MIN_RECORDS;
    return want->stack_bytes < max_bytes ? want->stack_bytes : max_bytes;
}

/* Where memory is short, of short ones a ring holds enough. */
static void plan_slices(struct perf_sampler *s)
{
    size_t bytes = s->ring_bytes / ENOUGH_RECORDS;
    if (bytes < MIN_STACK)
        bytes = MIN_STACK;
    bool choice = s->size.note[0] && bytes < s->attr.sample_stack_user && !s->mores;
    perf_slices_init(&s->slices, choice ? (uint32_t)bytes : 0);
}

static int follow_processes(struct perf_sampler *s, const struct sample_want *want, struct fail *f)
{
    int e = perf_follow_process(s, want->pid, f);
    for (size_t i = 0; e == 0 && i < want->others; i++)
        e = perf_follow_process(s, want->other[i], f);
    return e;
}

static int follow_target(struct perf_sampler *s, const struct sample_want *want, struct fail *f)
{
    s->attr.wakeup_watermark = (uint32_t)(s->ring_bytes / 4);
    s->attr.sample_stack_user = (uint32_t)stack_slice_bytes(s, want);
    plan_slices(s);
    if (s->waits)
        perf_attr_switches(&s->attr, want, &s->switches);
    if (want->pid == 0)
        return perf_follow(s, -1);
    return want->on_exec ? perf_follow(s, want->pid) : follow_processes(s, want, f);
}

void perf_close_events(struct perf_sampler *s)
{
    for (int i = 0; s->ring && i < s->cpus; i++) {
        perf_ring_unmap(&s->ring[i]);
        s->handle[i] = -1;
    }
    for (size_t i = 0; i < s->events; i++)
        close(s->event[i]);
    perf_slices_release(&s->slices);
    imap_release(&s->event_of);
    s->events = s->sampling_events = 0;
    s->refused = 0;
}

static bool can_halve_rings(const struct perf_sampler *s, const struct sample_want *want)
{
    size_t half = s->ring_bytes / 2;
    return want->stack_bytes ? half >= MIN_RECORDS * MIN_STACK : half == perf_ring_size(half);
}

/* The limit on locked memory may have made the rings smaller still. */
static void add_size_to_method(struct perf_sampler *s)
{
    if (s->ring_bytes == perf_ring_size(s->size.bytes))
        ring_size_note(&s->size, s->method, sizeof s->method);
}

int perf_follow_in_rings(struct perf_sampler *s, const struct sample_want *want, struct fail *f)
{
    int e = follow_target(s, want, f);
    while ((e == -ENOBUFS || e == -ENOMEM) && can_halve_rings(s, want)) {
        perf_close_events(s);
        s->ring_bytes /= 2;
        e = follow_target(s, want, f);
    }
    if (e == 0)
        add_size_to_method(s);
    return e;
}
