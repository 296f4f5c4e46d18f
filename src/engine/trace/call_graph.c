#include "engine/trace/call_graph.h"

#include "core/base/time_ns.h"
#include "core/perf/reorder.h"
#include "plat/clock.h"
#include "plat/limits.h"
#include "plat/trace.h"
#include "plat/wait.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUND_MS = 50 };

struct collecting {
    const struct call_graph_want *want;
    struct kernel_text text;
    struct trace *trace;
    struct topo_graph_decoder *decoder;
    struct order order;
    struct topo_runs runs;
    struct topo_threads threads;
    struct intern unknown; /* names of addresses in no function */
    uint64_t begin_ns;
};

/* --- start --- */

static int find_starts(struct collecting *c, struct fail *f)
{
    const struct call_graph_want *want = c->want;
    struct topo_threads *t = &c->threads;
    t->starts =
        kernel_text_named(&c->text, want->function, want->module, t->start, TOPO_MAX_STARTS);
    if (t->starts)
        return 0;
    if (want->module)
        fail_set(f, 0, "%s: the kernel's module %s has no such function", want->function,
                 want->module);
    else
        fail_set(f, 0, "%s: there is no such file, and the kernel has no such function",
                 want->function);
    fail_hint(f, "names are those of /proc/kallsyms: grep -i ' t .*ioctl' /proc/kallsyms");
    return -ESRCH;
}

static int learn(struct collecting *c, const char *name, struct fail *f)
{
    struct buf text = BUF_INIT;
    int r = trace_text(c->trace, name, &text);
    if (r < 0)
        fail_set(f, -r, "events/%s", name);
    else if (strchr(name, '/'))
        r = topo_graph_learn(c->decoder, buf_str(&text), text.len);
    else
        r = trace_page_layout_read(buf_str(&text), text.len, &c->decoder->layout);
    if (r == -EINVAL)
        fail_set(f, 0, "%s: the event format of this kernel is unknown", name);
    buf_release(&text);
    return r;
}

static int learn_all(struct collecting *c, struct fail *f)
{
    int r = learn(c, "header_page", f);
    if (r == 0)
        r = learn(c, "ftrace/funcgraph_entry", f);
    return r < 0 ? r : learn(c, "ftrace/funcgraph_exit", f);
}

static int start(struct collecting *c, struct fail *f)
{
    c->decoder = calloc(1, sizeof *c->decoder);
    if (!c->decoder)
        return fail_set(f, ENOMEM, "trace");
    int r = kernel_text_read(&c->text, f);
    if (r == 0)
        r = find_starts(c, f);
    if (r == 0)
        r = trace_graph_open(c->want->function, 0, &c->trace, f);
    if (r == 0)
        r = learn_all(c, f);
    if (r == 0)
        r = trace_start(c->trace, f);
    c->begin_ns = clock_mono_ns();
    return r;
}

/* --- rounds --- */

static const char *name_function(void *arg, uint64_t address, uint64_t *begin)
{
    struct collecting *c = arg;
    const struct symbol *s = kallsyms_find(&c->text.names, address);
    char text[24];
    *begin = s ? s->start : address;
    if (s)
        return s->name;
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)address);
    uint32_t i = intern_string(&c->unknown, text);
    return i == INTERN_NONE ? "?" : intern_string_at(&c->unknown, i);
}

static void add_event(void *arg, const struct topo_event *e)
{
    struct collecting *c = arg;
    size_t at = c->order.bytes.len;
    buf_add(&c->order.bytes, e, sizeof *e);
    if (!buf_error(&c->order.bytes))
        order_add(&c->order, at, sizeof *e, e->time_ns);
}

static void decode_page(void *arg, int cpu, const uint8_t *page, size_t len)
{
    struct collecting *c = arg;
    topo_graph_decode_page(c->decoder, cpu, page, len, add_event, c);
}

static void handle_event(void *arg, const void *record, size_t len)
{
    struct collecting *c = arg;
    struct topo_event e;
    memcpy(&e, record, len < sizeof e ? len : sizeof e);
    topo_threads_add(&c->threads, &e);
}

static bool goes_on(struct collecting *c)
{
    double seconds = c->want->seconds;
    uint64_t end_ns = c->begin_ns + (uint64_t)(seconds * NS_PER_S);
    int left = seconds > 0 ? ms_until(clock_mono_ns(), end_ns) : ROUND_MS;
    struct wait_on on = {.handle = interrupt_open()};
    if (topo_threads_complete(&c->threads) || left <= 0)
        return false;
    wait_ready(&on, 1, left < ROUND_MS ? left : ROUND_MS);
    return !on.ready || !interrupt_read(NULL);
}

static void run_rounds(struct collecting *c)
{
    trace_raise_priority(c->trace);
    while (goes_on(c)) {
        trace_read(c->trace, decode_page, c);
        order_round(&c->order, handle_event, c);
        if (c->want->round)
            c->want->round(c->want->arg, c->threads.runs->topo->runs);
    }
}

static int drain(struct collecting *c, struct fail *f)
{
    size_t whole = trace_buffer_bytes(c->trace);
    trace_stop(c->trace);
    while (!topo_threads_complete(&c->threads) &&
           trace_read(c->trace, decode_page, c) >= whole)
        ;
    int r = order_flush(&c->order, handle_event, c);
    int ended = topo_threads_end(&c->threads);
    r = r < 0 ? r : ended;
    return r < 0 ? fail_set(f, -r, "events of functions") : 0;
}

/* --- end --- */

static void note_facts(const struct collecting *c, struct call_graph *out)
{
    snprintf(out->method, sizeof out->method, "%s", trace_method(c->trace));
    out->lost = c->threads.lost;
    out->losses = c->threads.losses;
    out->damaged = c->decoder->damaged;
}

static void release(struct collecting *c)
{
    topo_threads_release(&c->threads);
    topo_runs_release(&c->runs);
    order_release(&c->order);
    intern_release(&c->unknown);
    kernel_text_release(&c->text);
    free(c->decoder);
}

int call_graph_collect(const struct call_graph_want *want, struct topo *t, struct call_graph *out,
                       struct fail *f)
{
    struct collecting c = {.want = want};
    *out = (struct call_graph){.method = ""};
    topo_runs_init(&c.runs, t);
    c.runs.events = want->events;
    c.threads = (struct topo_threads){.runs = &c.runs,
                                      .want = want->runs,
                                      .own = trace_own_pid(),
                                      .name = name_function,
                                      .arg = &c};
    limits_first_victim();
    interrupt_open();
    int r = start(&c, f);
    if (r == 0) {
        run_rounds(&c);
        r = drain(&c, f);
        note_facts(&c, out);
    }
    int closed = trace_close(c.trace, r < 0 ? NULL : f);
    r = r < 0 ? r : closed;
    if (r == 0 && (r = topo_finish(t)) < 0)
        fail_set(f, -r, "%s", want->function);
    release(&c);
    return r;
}
