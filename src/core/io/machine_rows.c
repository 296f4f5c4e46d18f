/* The rows of core/io/machine.h, sorted, and their sums. */
#include "core/base/grow.h"
#include "core/base/sort.h"
#include "machine_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t disk_bytes(const struct io_machine_row *row)
{
    return row->io.value[PROC_IO_DISK_READ] + row->io.value[PROC_IO_DISK_WRITTEN];
}

static uint64_t call_bytes(const struct io_machine_row *row)
{
    return row->io.value[PROC_IO_READ] + row->io.value[PROC_IO_WRITTEN];
}

struct rows {
    struct io_machine_row *row;
    size_t count, cap;
};

static void add_row(struct rows *to, const struct io_machine_row *row)
{
    if (proc_io_is_zero(&row->io) && !row->wait_ns)
        return;
    (void)GROW_ADD(to->row, to->cap, to->count, *row);
}

static void add_process(struct rows *to, const struct machine_process *p, bool now)
{
    struct io_machine_row own = {.pid = p->pid,
                                 .io = now ? p->own.now : p->own.total,
                                 .wait_ns = now ? p->wait_now_ns : p->wait_ns};
    struct io_machine_row ended = {
        .pid = p->pid, .of_ended = true, .io = now ? p->by_ended.now : p->by_ended.total};
    snprintf(own.name, sizeof own.name, "%s", p->name);
    snprintf(ended.name, sizeof ended.name, "%s (ended)", p->name);
    add_row(to, &own);
    add_row(to, &ended);
}

static void add_rest(struct rows *to, const struct io_machine *m)
{
    struct io_machine_row rest = {
        .of_ended = true, .io = m->rest.total, .wait_ns = m->rest_wait_ns};
    snprintf(rest.name, sizeof rest.name, "(%" PRIu64 " ended)", m->rest_count);
    add_row(to, &rest);
}

/* --- in order --- */

static int by_bytes(const void *pa, const void *pb)
{
    const struct io_machine_row *a = pa, *b = pb;
    return ORDER(disk_bytes(b), disk_bytes(a)) ?:
           ORDER(call_bytes(b), call_bytes(a)) ?:
           ORDER(a->pid, b->pid) ?:
           strcmp(a->name, b->name);
}

static int by_fields(const struct io_machine_row *a, const struct io_machine_row *b,
                     enum proc_io_field first, enum proc_io_field second)
{
    return ORDER(b->io.value[first], a->io.value[first]) ?:
           ORDER(b->io.value[second], a->io.value[second]) ?:
           by_bytes(a, b);
}

static int by_read(const void *a, const void *b)
{
    return by_fields(a, b, PROC_IO_DISK_READ, PROC_IO_READ);
}

static int by_written(const void *a, const void *b)
{
    return by_fields(a, b, PROC_IO_DISK_WRITTEN, PROC_IO_WRITTEN);
}

static uint64_t calls_of(const struct io_machine_row *row)
{
    return row->io.value[PROC_IO_READ_CALLS] + row->io.value[PROC_IO_WRITE_CALLS];
}

static int by_calls(const void *a, const void *b)
{
    return ORDER(calls_of(b), calls_of(a)) ?: by_bytes(a, b);
}

static int by_name(const void *pa, const void *pb)
{
    const struct io_machine_row *a = pa, *b = pb;
    return strcmp(a->name, b->name) ?: by_bytes(a, b);
}

size_t io_machine_rows(const struct io_machine *m, enum io_sort sort, bool now,
                       struct io_machine_row **row)
{
    static int (*const orders[IO_SORTS])(const void *,
                                         const void *) = {[IO_SORT_READ] = by_read,
                                                          [IO_SORT_WRITTEN] = by_written,
                                                          [IO_SORT_CALLS] = by_calls,
                                                          [IO_SORT_NAME] = by_name};
    struct rows rows = {0};
    for (size_t i = 0; i < m->count; i++)
        add_process(&rows, &m->process[i], now);
    if (!now)
        add_rest(&rows, m);
    sort_array(rows.row, rows.count, sizeof *rows.row, orders[sort] ? orders[sort] : by_bytes);
    *row = rows.row;
    return rows.count;
}

/* --- sums --- */

static void add_amount(struct io_machine_sum *to, const struct machine_amount *a, bool now)
{
    proc_io_add(&to->io, now ? &a->now : &a->total);
}

static uint64_t since(uint64_t now, uint64_t before)
{
    return now > before ? now - before : 0;
}

static void sum_devices(const struct io_round *from, const struct io_round *to,
                        struct io_machine_sum *out)
{
    out->span_ns = since(to->time_ns, from->time_ns);
    out->has_wait = to->has_wait;
    out->has_devices = from->has_devices && to->has_devices;
    if (!out->has_devices)
        return;
    out->device_read = since(to->device_read, from->device_read);
    out->device_written = since(to->device_written, from->device_written);
    out->unattributed = since(out->device_read, out->io.value[PROC_IO_DISK_READ]);
}

void io_machine_sum(const struct io_machine *m, bool now, struct io_machine_sum *out)
{
    *out = (struct io_machine_sum){.wait_ns = now ? 0 : m->rest_wait_ns};
    add_amount(out, &m->rest, now);
    for (size_t i = 0; i < m->count; i++) {
        const struct machine_process *p = &m->process[i];
        add_amount(out, &p->own, now);
        add_amount(out, &p->by_ended, now);
        out->wait_ns += now ? p->wait_now_ns : p->wait_ns;
        out->processes += !p->gone;
        out->unreadable += !p->gone && !p->readable;
    }
    out->why_unreadable = m->last.unreadable;
    sum_devices(now ? &m->before : &m->first, &m->last, out);
}
