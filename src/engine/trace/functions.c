#include "engine/trace/functions.h"

#include "core/base/time_ns.h"
#include "function_calls.h"
#include "plat/clock.h"
#include "private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* As a function, between the events: some were lost. */
#define LOSS UINT32_MAX

/* --- start --- */

static int learn_event(struct functions *t, size_t i, bool exit, struct fail *f)
{
    char name[TRACE_PROBE_NAME_BYTES];
    SCOPED_BUF text = BUF_INIT;
    int r = trace_text(t->trace, trace_probe_name(t->trace, i, exit, name), &text);
    if (r < 0)
        fail_set(f, -r, "events/%s/format", name);
    else if ((r = ktrace_decoder_learn(&t->decoder, (uint32_t)i, exit, buf_str(&text), text.len)) <
             0)
        fail_set(f, 0, "%s: the event format of this kernel is unknown", name);
    return r;
}

static int learn_stack(struct functions *t, struct fail *f)
{
    SCOPED_BUF text = BUF_INIT;
    int r = trace_text(t->trace, "ftrace/kernel_stack", &text);
    if (r == 0)
        r = ktrace_decoder_learn_stack(&t->decoder, buf_str(&text), text.len);
    if (r < 0)
        fail_set(f, 0, "ftrace/kernel_stack: the event format of this kernel is unknown");
    return r < 0 ? r : trace_stacks(t->trace, f);
}

static int learn_probes(struct functions *t, struct fail *f)
{
    int r = 0;
    for (size_t i = 0; r == 0 && i < t->want.count; i++) {
        r = learn_event(t, i, false, f);
        if (r == -ENOENT) {
            t->refused++;
            r = 0;
        } else if (r == 0) {
            r = learn_event(t, i, true, f);
        }
    }
    if (r < 0 || t->refused < t->want.count)
        return r;
    fail_set(f, 0, "the kernel allows no probe of %s",
             t->want.count == 1 ? "this function" : "these functions");
    return -ESRCH;
}

static int learn_events(struct functions *t, struct fail *f)
{
    int r = tracing_learn_layout(t->trace, &t->decoder.layout, f);
    if (r == 0 && t->want.stacks)
        r = learn_stack(t, f);
    if (r < 0)
        return r;
    return t->want.calls ? function_calls_learn(t, f) : learn_probes(t, f);
}

static void add_places(const struct functions *t, struct buf *out)
{
    for (size_t i = 0; i < t->want.count; i++) {
        kernel_text_place(t->want.text, t->want.function[i].symbol, out);
        buf_addc(out, '\0');
    }
}

static int define_probes(struct functions *t, struct fail *f)
{
    SCOPED_BUF text = BUF_INIT;
    SCOPED_FREE struct trace_probed *probe = malloc(t->want.count * sizeof *probe);
    add_places(t, &text);
    int r = probe && !buf_error(&text) ? 0 : fail_set(f, ENOMEM, "probes");
    const char *at = buf_str(&text);
    for (size_t i = 0; r == 0 && i < t->want.count; i++, at += strlen(at) + 1) {
        const struct traced_function *from = &t->want.function[i];
        probe[i] = (struct trace_probed){at, from->args, from->texts, from->returns_text};
    }
    if (r == 0)
        r = trace_probe(t->trace, probe, t->want.count, f);
    return r;
}

/* Where no trace can have the counter's times, they are computed by its rate. */
static void choose_clock(struct functions *t)
{
    struct clock_counter counter;
    if (!t->want.ticks || trace_use_ticks(t->trace))
        return;
    clock_counter_probe(&counter);
    t->converted = true;
    t->hz = counter.steady ? counter.hz : 0;
}

static int enable_events(struct functions *t, struct fail *f)
{
    char group[TRACE_PROBE_NAME_BYTES];
    return t->want.calls ? function_calls_enable(t, f)
                         : trace_enable(t->trace, trace_probe_group(t->trace, group), f);
}

static int start_all(struct functions *t, struct fail *f)
{
    int r = t->want.calls ? 0 : define_probes(t, f);
    if (r == 0)
        r = learn_events(t, f);
    if (r < 0)
        return r;
    choose_clock(t);
    if (t->want.pids && (r = trace_only(t->trace, t->want.pid, t->want.pids, f)) < 0)
        return r;
    r = trace_start(t->trace, f); /* before: the kernel's count of hits is that of the events */
    return r < 0 ? r : enable_events(t, f);
}

static void release(struct functions *t)
{
    ktrace_decoder_release(&t->decoder);
    order_release(&t->order);
    imap_release(&t->latest);
    t->trace = NULL;
}

int functions_start(struct functions *t, const struct functions_want *want, struct fail *f)
{
    *t = (struct functions){.want = *want, .own_pid = (uint64_t)trace_own_pid()};
    if (want->count > FUNCTIONS_MAX)
        return fail_set(f, 0, "%zu functions: at most %d can be traced at once", want->count,
                        FUNCTIONS_MAX);
    int r = trace_open(want->buffer_bytes, &t->trace, f);
    if (r < 0)
        return r;
    r = start_all(t, f);
    if (r < 0) {
        trace_close(t->trace, NULL);
        release(t);
    }
    return r;
}

/* --- rounds --- */

/* Without the overflow of ns * hz. */
static uint64_t ticks_of(uint64_t ns, uint64_t hz)
{
    return ns / NS_PER_S * hz + ns % NS_PER_S * hz / NS_PER_S;
}

static void order_event(struct functions *t, const struct ktrace_event *e,
                        const struct ktrace_more *more)
{
    size_t at = t->order.bytes.len;
    ktrace_pack(e, more, &t->order.bytes);
    if (!buf_error(&t->order.bytes))
        order_add(&t->order, at, t->order.bytes.len - at, e->time);
}

/* Of those who want to know when events were lost. */
static void note_time(struct functions *t, uint64_t time)
{
    uint64_t *latest = t->want.loss ? imap_at(&t->latest, t->cpu) : NULL;
    if (latest)
        *latest = time;
    if (!t->first)
        t->first = time;
}

static void add_event(void *arg, const struct ktrace_event *from, const struct ktrace_more *more)
{
    struct functions *t = arg;
    struct ktrace_event e = *from;
    const struct traced_function *function = &t->want.function[e.function];
    e.cpu = t->cpu;
    note_time(t, e.time);
    if (e.pid == t->own_pid) {
        t->own += more->what == KTRACE_EDGE;
        return;
    }
    e.pc = e.exit ? function->last : function->start;
    if (t->hz)
        e.time = ticks_of(e.time, t->hz);
    order_event(t, &e, more);
}

static void decode_page(void *arg, int cpu, const uint8_t *page, size_t len)
{
    struct functions *t = arg;
    uint64_t losses = t->decoder.losses, lost = t->decoder.lost;
    uint64_t from = imap_get(&t->latest, (uint64_t)cpu);
    t->cpu = (uint16_t)cpu;
    t->first = 0;
    ktrace_decode_page(&t->decoder, page, len, add_event, t);
    if (t->want.loss && t->decoder.losses != losses)
        order_event(t,
                    &(struct ktrace_event){.function = LOSS,
                                           .cpu = t->cpu,
                                           .time = from,
                                           .arg = {t->first, t->decoder.lost - lost}},
                    &(struct ktrace_more){.what = KTRACE_EDGE});
}

static void emit_loss(struct functions *t, const struct ktrace_event *e)
{
    t->want.loss(t->want.arg, &(struct functions_loss){e->cpu, e->time, e->arg[0], e->arg[1]});
}

static void emit_event(void *arg, const void *record, size_t len)
{
    struct functions *t = arg;
    struct ktrace_event e;
    struct ktrace_more more;
    ktrace_unpack(record, len, &e, &more);
    if (e.function == LOSS)
        emit_loss(t, &e);
    else
        t->want.event(t->want.arg, &e, &more);
}

void functions_round(struct functions *t)
{
    if (!t->trace)
        return;
    trace_read(t->trace, decode_page, t);
    order_round(&t->order, emit_event, t);
}

int functions_stop(struct functions *t, struct fail *f)
{
    if (!t->trace)
        return 0;
    size_t whole = trace_buffer_bytes(t->trace);
    trace_stop(t->trace);
    while (trace_read(t->trace, decode_page, t) >= whole)
        ;
    int r = order_flush(&t->order, emit_event, t);
    if (r < 0)
        fail_set(f, -r, "events of functions");
    trace_probe_count(t->trace, &t->counts);
    int closed = trace_close(t->trace, r < 0 ? NULL : f);
    release(t);
    return r < 0 ? r : closed;
}
