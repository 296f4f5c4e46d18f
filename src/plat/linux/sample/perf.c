/* Sampling by perf events: opening, reading, closing. Events on all CPUs are one a CPU; a CPU that
 * comes online later has none. */
#include "perf.h"

#include "core/base/ranges.h"
#include "core/base/time_ns.h"
#include "perf/event_names.h"
#include "perf/perf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static struct perf_sampler *to_perf_sampler(const struct sampler *s)
{
    return (struct perf_sampler *)(uintptr_t)s;
}

static void perf_close(struct sampler *base)
{
    SCOPED_FREE struct perf_sampler *s = to_perf_sampler(base);
    collector_free(s->collector);
    perf_close_events(s);
    imap_release(&s->filter.pids);
    free(s->event);
    free(s->handle);
    free(s->ring);
    free(s->cpu);
    free(s->unwanted);
}

static uint64_t hz_of(const struct perf_event_attr *a)
{
    if (a->freq)
        return a->sample_freq;
    return event_is_clock(a->type, a->config) ? (NS_PER_S + a->sample_period / 2) / a->sample_period
                                              : 0;
}

static uint64_t perf_event_hz(const struct sampler *base, size_t event)
{
    const struct perf_sampler *s = to_perf_sampler(base);
    return hz_of(event && event <= s->mores ? &s->more[event - 1] : &s->attr);
}

static size_t perf_event_of(const struct sampler *s, uint64_t id)
{
    return (size_t)imap_get(&to_perf_sampler(s)->event_of, id);
}

static struct perfrec_format format_of(const struct perf_event_attr *a)
{
    return (struct perfrec_format){.fields = a->sample_type,
                                   .regs_user = a->sample_regs_user,
                                   .period = a->freq ? 0 : a->sample_period,
                                   .sample_id_all = a->sample_id_all,
                                   .mono = a->use_clockid};
}

static size_t perf_handles(const struct sampler *s, const int **handles)
{
    const struct perf_sampler *p = to_perf_sampler(s);
    *handles = p->collector->runs ? &p->collector->ready : p->handle;
    return p->collector->runs ? 1 : (size_t)p->cpus;
}

static void perf_stop(struct sampler *base)
{
    struct perf_sampler *s = to_perf_sampler(base);
    for (size_t i = 0; i < s->events; i++)
        ioctl(s->event[i], PERF_EVENT_IOC_DISABLE, 0);
    perf_slices_stop(&s->slices);
}

struct passing {
    const struct perf_filter *filter;
    sample_record_fn *emit;
    void *arg;
};

static void pass_record(void *arg, const void *record, size_t len)
{
    const struct passing *p = arg;
    if (perf_filter_passes(p->filter, record, len))
        p->emit(p->arg, record, len);
}

static void perf_read(struct sampler *base, sample_record_fn *emit, void *arg)
{
    struct perf_sampler *s = to_perf_sampler(base);
    struct passing passing = {&s->filter, emit, arg};
    collector_read(s->collector, pass_record, &passing);
}

/* What the filter drops is left out of a copy. */
static bool perf_take(struct sampler *base, struct buf *bytes)
{
    struct perf_sampler *s = to_perf_sampler(base);
    if (s->filter.on)
        return false;
    collector_take(s->collector, bytes);
    return true;
}

uint64_t perf_event_lost(int fd)
{
    struct {
        uint64_t value, lost; /* PERF_FORMAT_LOST */
    } count;
    return read(fd, &count, sizeof count) == sizeof count ? count.lost : 0;
}

static uint64_t perf_lost(const struct sampler *base)
{
    const struct perf_sampler *s = to_perf_sampler(base);
    uint64_t sum = collector_lost(s->collector) + perf_slices_lost(&s->slices);
    for (size_t i = 0; i < s->events; i++)
        sum += perf_event_lost(s->event[i]);
    return sum;
}

static uint32_t perf_short_stack(const struct sampler *base)
{
    return to_perf_sampler(base)->slices.bytes;
}

static void perf_shorten_stack(struct sampler *base, bool to_short)
{
    perf_slices_shorten(to_perf_sampler(base), to_short);
}

static const struct sampler_ops ops = {
    perf_close, perf_handles,     perf_stop,          perf_read,     perf_lost,
    perf_take,  perf_short_stack, perf_shorten_stack, perf_event_hz, perf_event_of};

/* --- opening --- */

static int init_cpus(struct perf_sampler *s)
{
    int n = perf_cpus(&s->cpu);
    if (n < 0)
        return n;
    s->ring = calloc((size_t)n, sizeof *s->ring);
    s->handle = malloc((size_t)n * sizeof *s->handle);
    s->unwanted = calloc((size_t)n, sizeof *s->unwanted);
    if (!s->ring || !s->handle || !s->unwanted)
        return -ENOMEM;
    for (int i = 0; i < n; i++)
        s->handle[i] = -1;
    s->cpus = n;
    return 0;
}

static int fail_offline(const struct perf_sampler *s, int cpu, struct fail *f)
{
    SCOPED_BUF online = BUF_INIT;
    ranges_text(s->cpu, (size_t)s->cpus, &online);
    fail_set(f, 0, "CPU %d is not online", cpu);
    fail_hint(f, "these are: %s", buf_str(&online));
    return -ENODEV;
}

static void note_cpus(struct perf_sampler *s)
{
    SCOPED_BUF list = BUF_INIT;
    size_t at = strlen(s->method), count = 0;
    SCOPED_FREE int *chosen = malloc((size_t)s->cpus * sizeof *chosen);
    for (int i = 0; chosen && i < s->cpus; i++)
        if (!s->unwanted[i])
            chosen[count++] = s->cpu[i];
    ranges_text(chosen, count, &list);
    snprintf(s->method + at, sizeof s->method - at, " on CPU%s %s", count == 1 ? "" : "s",
             buf_str(&list));
}

static int choose_cpus(struct perf_sampler *s, const struct sample_want *want, struct fail *f)
{
    for (int i = 0; i < s->cpus; i++)
        s->unwanted[i] = want->cpus > 0;
    for (size_t n = 0; n < want->cpus; n++) {
        int i = 0;
        while (i < s->cpus && s->cpu[i] != want->cpu[n])
            i++;
        s->explained = i == s->cpus;
        if (s->explained)
            return fail_offline(s, want->cpu[n], f);
        s->unwanted[i] = false;
    }
    if (want->cpus)
        note_cpus(s);
    return 0;
}

/* The kernel's own events come as often as they happen, and no rate limits them. */
static bool is_each_time(const struct sample_want *want)
{
    bool each = want->event.period == 1;
    for (size_t i = 0; i < want->mores; i++)
        each |= want->more[i].period == 1;
    return each && !want->period;
}

static int decide_ring_size(struct perf_sampler *s, const struct sample_want *want, struct fail *f)
{
    enum buffers_use use = want->stack_bytes                   ? BUFFERS_STACKS
                           : want->waits || is_each_time(want) ? BUFFERS_EACH
                           : want->chains                      ? BUFFERS_CHAINS
                                                               : BUFFERS_SAMPLES;
    int e = ring_size_decide(use, s->cpus, want->ring_bytes, &s->size, f);
    s->explained = e < 0;
    if (e < 0)
        return e;
    s->ring_bytes = perf_ring_size(s->size.bytes);
    return 0;
}

/* An event a thread is too many: an event a CPU, of which only what the processes do is kept. Which
 * processes these start is known only when the rings of all CPUs are in order. */
static int sample_all_cpus(struct perf_sampler *s, const struct sample_want *want, struct fail *f)
{
    struct sample_want all = *want;
    all.pid = 0;
    perf_close_events(s);
    s->ring_bytes = perf_ring_size(s->size.bytes);
    int e = perf_attr_fill_all(s, &all);
    if (e == 0)
        e = perf_follow_in_rings(s, &all, f);
    if (e < 0)
        return e;
    const struct perfrec_format format = format_of(&s->attr);
    size_t at = strlen(s->method);
    snprintf(s->method + at, sizeof s->method - at,
             " on all CPUs (too many threads for an event each)");
    return perf_filter_start(&s->filter, want, &format);
}

static bool may_widen(const struct sample_want *want)
{
    return want->pid && !want->on_exec && !want->children;
}

/* What is collected, what is read, and what waits in order of two rounds. */
enum { HOLDERS = 4 };

static int start_collector(struct perf_sampler *s)
{
    s->base.hz = hz_of(&s->attr);
    s->base.format = format_of(&s->attr);
    s->collector = collector_new(s->ring, s->cpus, &s->base.format, s->size.held_bytes / HOLDERS);
    return s->collector ? 0 : -ENOMEM;
}

static int start_sampling(struct perf_sampler *s, const struct sample_want *want, struct fail *f)
{
    int e = init_cpus(s);
    if (e == 0)
        e = choose_cpus(s, want, f);
    if (e == 0)
        e = perf_attr_fill_all(s, want);
    if (e == 0)
        e = decide_ring_size(s, want, f);
    if (e < 0)
        return e;
    s->waits = want->waits;
    e = perf_follow_in_rings(s, want, f);
    if (e == -EMFILE && may_widen(want) && sample_all_cpus(s, want, f) == 0)
        e = 0;
    if (e == 0)
        e = start_collector(s);
    perf_describe(s);
    return e;
}

/* No event named is the clock that every kernel has. */
static struct sample_want with_event(const struct sample_want *want)
{
    struct sample_want w = *want;
    if (!w.event.name[0])
        w.event = (struct sample_event){.name = "cpu-clock",
                                        .type = PERF_TYPE_SOFTWARE,
                                        .config = PERF_COUNT_SW_CPU_CLOCK,
                                        .clock = true};
    return w;
}

static void add_period(struct perf_sampler *s, const struct sample_want *want)
{
    size_t at = strlen(s->method);
    if (want->period)
        snprintf(s->method + at, sizeof s->method - at, " every %llu%s",
                 (unsigned long long)want->period, want->event.clock ? " ns" : "");
}

static void name_method(struct perf_sampler *s, const struct sample_want *want)
{
    snprintf(s->method, sizeof s->method, "perf %s%s", want->event.name,
             want->waits ? " and switches" : "");
    for (size_t i = 0, at; i < want->mores && (at = strlen(s->method)) < 120; i++)
        snprintf(s->method + at, sizeof s->method - at, ", %s", want->more[i].name);
    add_period(s, want);
}

/* Which of several events it was. */
static int refuse(int e, struct perf_sampler *s, const struct sample_want *want, struct fail *f)
{
    struct sample_want w = *want;
    if (s->refused_more) {
        w.event = want->more[s->refused_more - 1];
        w.mores = 0;
        name_method(s, &w);
    }
    return perf_refused(e, s, &w, f);
}

int perf_sampler_open(const struct sample_want *want, struct sampler **out, struct fail *f)
{
    struct perf_sampler *s = calloc(1, sizeof *s);
    if (!s)
        return fail_set(f, ENOMEM, "sampler");
    struct sample_want w = with_event(want);
    s->base.ops = &ops;
    s->base.method = s->described;
    name_method(s, &w);
    s->max_events = perf_raise_descriptors();
    int e = start_sampling(s, &w, f);
    if (e < 0) {
        if (!s->explained)
            refuse(e, s, &w, f);
        perf_close(&s->base);
        return e;
    }
    *out = &s->base;
    return 0;
}
