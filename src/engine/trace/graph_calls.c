#include "graph_calls.h"

#include "plat/trace.h"
#include "private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int learn(struct graph_calls *g, const char *name, struct fail *f)
{
    SCOPED_BUF text = BUF_INIT;
    int r = trace_text(g->trace, name, &text);
    if (r < 0)
        return fail_set(f, -r, "events/%s", name);
    r = topo_graph_learn(g->decoder, buf_str(&text), text.len);
    if (r == -EINVAL)
        fail_set(f, 0, "%s: the event format of this kernel is unknown", name);
    return r;
}

static int learn_all(struct graph_calls *g, struct fail *f)
{
    int r = tracing_learn_layout(g->trace, &g->decoder->layout, f);
    if (r == 0)
        r = learn(g, "ftrace/funcgraph_entry", f);
    return r < 0 ? r : learn(g, "ftrace/funcgraph_exit", f);
}

static int end(struct graph_calls *g, struct fail *f)
{
    int r = trace_close(g->trace, f);
    g->trace = NULL;
    order_release(&g->order);
    free(g->decoder);
    g->decoder = NULL;
    return r;
}

int graph_calls_start(struct graph_calls *g, struct fail *f)
{
    int r = trace_graph_open(g->function, 0, &g->trace, f);
    if (r < 0)
        return r;
    g->decoder = calloc(1, sizeof *g->decoder);
    r = g->decoder ? learn_all(g, f) : fail_set(f, ENOMEM, "trace");
    if (r == 0)
        r = trace_start(g->trace, f);
    if (r == 0)
        trace_raise_priority(g->trace);
    else
        end(g, NULL);
    return r;
}

static void add_event(void *arg, const struct topo_event *e)
{
    struct graph_calls *g = arg;
    size_t at = g->order.bytes.len;
    buf_add(&g->order.bytes, e, sizeof *e);
    if (!buf_error(&g->order.bytes))
        order_add(&g->order, at, sizeof *e, e->time_ns);
}

static void decode_page(void *arg, int cpu, const uint8_t *page, size_t len)
{
    struct graph_calls *g = arg;
    topo_graph_decode_page(g->decoder, cpu, page, len, add_event, g);
}

static void emit_event(void *arg, const void *record, size_t len)
{
    struct graph_calls *g = arg;
    struct topo_event e;
    memcpy(&e, record, len < sizeof e ? len : sizeof e);
    g->emit(g->arg, &e);
}

void graph_calls_round(struct graph_calls *g)
{
    trace_read(g->trace, decode_page, g);
    order_round(&g->order, emit_event, g);
}

int graph_calls_stop(struct graph_calls *g, struct fail *f)
{
    size_t whole = trace_buffer_bytes(g->trace);
    trace_stop(g->trace);
    while (trace_read(g->trace, decode_page, g) >= whole)
        ;
    int r = order_flush(&g->order, emit_event, g);
    if (r < 0)
        fail_set(f, -r, "events of functions");
    g->damaged = g->decoder->damaged;
    int closed = end(g, r < 0 ? NULL : f);
    return r < 0 ? r : closed;
}
