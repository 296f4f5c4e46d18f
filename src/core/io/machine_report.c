/* The report of core/io/machine.h, as text and as JSON. */
#include "core/base/buf.h"
#include "core/base/time_ns.h"
#include "core/text/counted.h"
#include "core/text/json.h"
#include "core/text/table.h"
#include "machine_state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct machine_report {
    const struct io_machine_view *view;
    struct io_machine_sum sum;
    struct io_machine_row *row;
    size_t count;
};

static void open_report(struct machine_report *r, const struct io_machine *m,
                        const struct io_machine_view *view)
{
    *r = (struct machine_report){.view = view};
    io_machine_sum(m, view->now, &r->sum);
    r->count = io_machine_rows(m, view->sort, view->now, &r->row);
}

/* --- as text --- */

/* pid: 0 is of a sum. */
static void print_row(struct table *t, int pid, const struct proc_io *io, uint64_t wait_ns,
                      bool has_wait, const char *name)
{
    const uint64_t *v = io->value;
    table_cells(t, pid ? text_value_i64(pid) : text_value_text(""), v[PROC_IO_DISK_READ],
                v[PROC_IO_DISK_WRITTEN], v[PROC_IO_READ], v[PROC_IO_WRITTEN],
                v[PROC_IO_READ_CALLS] + v[PROC_IO_WRITE_CALLS]);
    if (has_wait)
        table_cells(t, (double)wait_ns / NS_PER_MS);
    table_cells(t, name);
}

static void fill_table(const struct machine_report *r, const struct report_part *part,
                       struct table *t)
{
    size_t shown = report_shown(r->count, part->rows, part->fitted);
    struct proc_io more = {0};
    uint64_t more_wait_ns = 0;
    SCOPED_BUF name = BUF_INIT;
    for (size_t i = 0; i < shown; i++)
        print_row(t, r->row[i].pid, &r->row[i].io, r->row[i].wait_ns, r->sum.has_wait,
                  r->row[i].name);
    for (size_t i = shown; i < r->count; i++) {
        proc_io_add(&more, &r->row[i].io);
        more_wait_ns += r->row[i].wait_ns;
    }
    if (shown < r->count) {
        report_rest(&name, r->count - shown, part->fitted);
        print_row(t, 0, &more, more_wait_ns, r->sum.has_wait, buf_str(&name));
    }
    print_row(t, 0, &r->sum.io, r->sum.wait_ns, r->sum.has_wait, "total");
}

static void print_devices(const struct io_machine_sum *s, struct buf *out)
{
    if (s->has_devices)
        buf_printf(out,
                   "devices read %" PRIu64 " bytes, %" PRIu64
                   " of them not attributed, and wrote %" PRIu64 "\n",
                   s->device_read, s->unattributed, s->device_written);
    if (s->io.value[PROC_IO_CANCELLED])
        buf_printf(out, "discarded before they were written: %" PRIu64 " bytes\n",
                   s->io.value[PROC_IO_CANCELLED]);
}

static void print_method(const struct io_machine_sum *s, struct buf *out)
{
    buf_printf(out, "%.1f s, %s by /proc/PID/io", (double)s->span_ns / NS_PER_S,
               counted(s->processes, "process").text);
    if (s->unreadable)
        buf_printf(out, "; %zu not readable%s%s%s", s->unreadable, *s->why_unreadable ? " (" : "",
                   s->why_unreadable, *s->why_unreadable ? ")" : "");
    if (!s->has_wait)
        buf_adds(out, "; waiting times need sysctl kernel.task_delayacct=1");
    buf_addc(out, '\n');
}

static int render_machine(void *arg, const struct report_part *part, struct buf *out)
{
    const struct machine_report *r = arg;
    size_t width = r->view->size.width;
    SCOPED_BUF left_out = BUF_INIT;
    struct table t;
    table_init(&t, r->sum.has_wait ? ">pid >disk_read_B >disk_write_B >read_B >write_B "
                                     ">calls >wait_ms <program"
                                   : ">pid >disk_read_B >disk_write_B >read_B >write_B "
                                     ">calls <program");
    fill_table(r, part, &t);
    if (width)
        table_fit(&t, width, "calls write_B read_B", &left_out);
    int err = table_print(&t, out, 0);
    if (left_out.len)
        buf_printf(out, "not on a line of %zu columns: %s\n", width, buf_str(&left_out));
    print_devices(&r->sum, out);
    print_method(&r->sum, out);
    return err;
}

void io_machine_text(const struct io_machine *m, const struct io_machine_view *view,
                     struct buf *out)
{
    struct machine_report r;
    open_report(&r, m, view);
    if (io_machine_failed(m))
        out->err = -ENOMEM;
    report_fit(&view->size, render_machine, &r, out);
    free(r.row);
}

/* --- as JSON --- */

static void write_amounts(struct json *j, const struct proc_io *io, uint64_t wait_ns, bool has_wait)
{
    static const char *const names[PROC_IO_FIELDS] = {
        [PROC_IO_READ] = "read_bytes",           [PROC_IO_WRITTEN] = "written_bytes",
        [PROC_IO_READ_CALLS] = "reads",          [PROC_IO_WRITE_CALLS] = "writes",
        [PROC_IO_DISK_READ] = "disk_read_bytes", [PROC_IO_DISK_WRITTEN] = "disk_written_bytes",
        [PROC_IO_CANCELLED] = "discarded_bytes",
    };
    for (size_t i = 0; i < PROC_IO_FIELDS; i++)
        json_u64(j, names[i], io->value[i]);
    if (has_wait)
        json_u64(j, "wait_ns", wait_ns);
}

static void write_row(struct json *j, const struct io_machine_row *row, bool has_wait)
{
    json_object(j, NULL);
    json_members(j, "[pid] program ended?", row->pid, row->name, row->of_ended);
    write_amounts(j, &row->io, row->wait_ns, has_wait);
    json_object_end(j);
}

static void write_devices(struct json *j, const struct io_machine_sum *s)
{
    json_record(j, "devices", "read_bytes not_attributed_bytes written_bytes", s->device_read,
                s->unattributed, s->device_written);
}

void io_machine_json(const struct io_machine *m, const struct io_machine_view *view,
                     struct buf *out)
{
    struct machine_report r;
    struct json j;
    size_t shown;
    open_report(&r, m, view);
    shown = view->size.rows && view->size.rows < r.count ? view->size.rows : r.count;
    if (io_machine_failed(m))
        out->err = -ENOMEM;
    json_start(&j, out, "iostats");
    json_members(&j, "method span_ns", "/proc/PID/io", r.sum.span_ns);
    json_array(&j, "processes");
    for (size_t i = 0; i < shown; i++)
        write_row(&j, &r.row[i], r.sum.has_wait);
    json_array_end(&j);
    json_object(&j, "total");
    write_amounts(&j, &r.sum.io, r.sum.wait_ns, r.sum.has_wait);
    json_object_end(&j);
    if (r.sum.has_devices)
        write_devices(&j, &r.sum);
    json_members(&j, "processes_read processes_not_readable", r.sum.processes - r.sum.unreadable,
                 r.sum.unreadable);
    json_end(&j);
    free(r.row);
}
