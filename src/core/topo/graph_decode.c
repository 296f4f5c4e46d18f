#include "core/topo/graph_decode.h"

#include <errno.h>
#include <string.h>

int topo_graph_learn(struct topo_graph_decoder *d, const char *format, size_t len)
{
    struct trace_format f;
    struct topo_graph_fields fields = {.id = 0};
    if (trace_format_read(format, len, &f) < 0)
        return -EINVAL;
    bool exit = strcmp(f.name, "funcgraph_exit") == 0;
    if ((!exit && strcmp(f.name, "funcgraph_entry") != 0) || !f.id ||
        !trace_format_copy(&f, "common_type", &d->type) ||
        !trace_format_copy(&f, "common_pid", &fields.pid) ||
        !trace_format_copy(&f, "func", &fields.function) ||
        !trace_format_copy(&f, "depth", &fields.depth))
        return -EINVAL;
    if (exit && (!trace_format_copy(&f, "calltime", &fields.call) ||
                 !trace_format_copy(&f, "rettime", &fields.ret)))
        return -EINVAL;
    fields.id = f.id;
    *(exit ? &d->exit : &d->entry) = fields;
    return 0;
}

/* A pointer of a 32-bit kernel may be described as signed. */
static uint64_t address_of(const struct trace_field *f, const struct trace_record *r)
{
    int64_t address = trace_field_number(f, r->bytes, r->len);
    return f->size == 4 ? (uint32_t)address : (uint64_t)address;
}

/* False: of another event. */
static bool decode_record(const struct topo_graph_decoder *d, const struct trace_record *r,
                          struct topo_event *e)
{
    int64_t id = trace_field_number(&d->type, r->bytes, r->len);
    bool exit = d->exit.id && id == d->exit.id;
    const struct topo_graph_fields *f = exit ? &d->exit : &d->entry;
    if (!f->id || id != f->id)
        return false;
    e->kind = exit ? TOPO_EXIT : TOPO_ENTRY;
    e->time_ns = r->time_ns;
    e->pid = trace_field_number(&f->pid, r->bytes, r->len);
    e->address = address_of(&f->function, r);
    e->depth = trace_field_number(&f->depth, r->bytes, r->len);
    e->call_ns = exit ? (uint64_t)trace_field_number(&f->call, r->bytes, r->len) : 0;
    e->return_ns = exit ? (uint64_t)trace_field_number(&f->ret, r->bytes, r->len) : 0;
    return true;
}

static void emit_gap(const struct topo_graph_decoder *d, int cpu, const struct trace_page *page,
                     topo_graph_emit_fn *emit, void *arg)
{
    if (page->missed)
        emit(arg, &(struct topo_event){.kind = TOPO_GAP,
                                       .cpu = cpu,
                                       .time_ns = d->latest_ns[cpu],
                                       .return_ns = page->time_ns,
                                       .missed = page->missed});
}

void topo_graph_decode_page(struct topo_graph_decoder *d, int cpu, const uint8_t *bytes, size_t len,
                            topo_graph_emit_fn *emit, void *arg)
{
    struct trace_page page;
    struct trace_record r;
    struct topo_event e = {.cpu = cpu};
    if (cpu < 0 || cpu >= TOPO_MAX_CPUS || trace_page_open(&page, &d->layout, bytes, len) < 0) {
        d->damaged++;
        return;
    }
    emit_gap(d, cpu, &page, emit, arg);
    while (trace_page_next(&page, &r)) {
        d->latest_ns[cpu] = r.time_ns;
        if (decode_record(d, &r, &e))
            emit(arg, &e);
    }
    d->damaged += page.damaged;
}
