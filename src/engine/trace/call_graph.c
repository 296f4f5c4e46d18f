#include "engine/trace/call_graph.h"

#include "core/base/time_ns.h"
#include "graph_calls.h"
#include "plat/clock.h"
#include "plat/limits.h"
#include "plat/trace.h"
#include "plat/wait.h"
#include "probe_calls.h"

#include <errno.h>
#include <stdio.h>

enum { ROUND_MS = 50 };

struct collecting {
    const struct call_graph_want *want;
    struct kernel_text text;
    struct graph_calls graph;
    struct probe_calls probes;
    bool probed;
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

static void add_event(void *arg, const struct topo_event *e)
{
    struct collecting *c = arg;
    topo_threads_add(&c->threads, e);
}

static int start_graph(struct collecting *c, struct fail *f)
{
    c->graph = (struct graph_calls){.function = c->want->function, .emit = add_event, .arg = c};
    return graph_calls_start(&c->graph, f);
}

static int start_probes(struct collecting *c, struct fail *f)
{
    c->probed = true;
    c->probes = (struct probe_calls){.text = &c->text,
                                     .start = c->threads.start,
                                     .starts = c->threads.starts,
                                     .emit = add_event,
                                     .arg = c};
    return probe_calls_start(&c->probes, f);
}

/* Where the kernel has neither, what it says of probes is no answer to what was asked. */
static int start_any(struct collecting *c, struct fail *f)
{
    struct fail of_probes;
    if (c->want->probes)
        return start_probes(c, f);
    int r = start_graph(c, f);
    if (r != -EOPNOTSUPP)
        return r;
    int probed = start_probes(c, &of_probes);
    if (probed == -ENOENT || probed == -EOPNOTSUPP)
        return r;
    if (probed < 0)
        *f = of_probes;
    return probed;
}

static int start(struct collecting *c, struct fail *f)
{
    int r = kernel_text_read(&c->text, f);
    if (r == 0)
        r = find_starts(c, f);
    if (r == 0)
        r = start_any(c, f);
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
    while (goes_on(c)) {
        if (c->probed)
            functions_round(&c->probes.functions);
        else
            graph_calls_round(&c->graph);
        if (c->want->round)
            c->want->round(c->want->arg, c->threads.runs->topo->runs);
    }
}

static int stop(struct collecting *c, struct call_graph *out, struct fail *f)
{
    out->probes = c->probed ? c->probes.callees.count : 0;
    out->left_out = c->probed ? c->probes.callees.left_out : 0;
    int r = c->probed ? probe_calls_stop(&c->probes, f) : graph_calls_stop(&c->graph, f);
    int ended = topo_threads_end(&c->threads);
    const struct functions *probed = &c->probes.functions;
    out->damaged = c->probed ? probed->decoder.damaged : c->graph.damaged;
    out->probes -= c->probed ? probed->refused : 0;
    out->missed = c->probed ? probed->counts.missed : 0;
    out->lost = c->threads.lost;
    out->losses = c->threads.losses;
    return r < 0 ? r : ended < 0 ? fail_set(f, -ended, "%s", c->want->function) : 0;
}

/* --- end --- */

static void release(struct collecting *c)
{
    topo_threads_release(&c->threads);
    topo_runs_release(&c->runs);
    intern_release(&c->unknown);
    kernel_text_release(&c->text);
}

int call_graph_collect(const struct call_graph_want *want, struct topo *t, struct call_graph *out,
                       struct fail *f)
{
    struct collecting c = {.want = want};
    *out = (struct call_graph){.lost = 0};
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
        r = stop(&c, out, f);
    }
    if (r == 0 && (r = topo_finish(t)) < 0)
        fail_set(f, -r, "%s", want->function);
    release(&c);
    return r;
}
