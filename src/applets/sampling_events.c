/* -e list: what can be sampled by here. */
#include "sampling_request.h"

#include "core/base/buf.h"
#include "core/text/json.h"
#include "core/text/table.h"
#include "plat/sample.h"

#include <errno.h>
#include <string.h>

static const char *refused_text(int err)
{
    switch (err) {
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
        return "no such counter (processor or VM)";
    case EACCES:
    case EPERM:
        return "kernel.perf_event_paranoid forbids it";
    case EINVAL:
        return "it cannot be sampled, or needs values";
    case ENOSYS:
        return "the kernel has no perf events";
    default:
        return strerror(err);
    }
}

static void add_row(void *arg, const struct sample_listed *e)
{
    struct table *t = arg;
    table_cells(t, e->name, e->kind);
    table_cell(t, "%s%s", e->err ? "no: " : "yes", e->err ? refused_text(e->err) : "");
}

static void add_object(void *arg, const struct sample_listed *e)
{
    struct json *j = arg;
    json_record(j, NULL, "event kind available? [why]", e->name, e->kind, !e->err,
                e->err ? refused_text(e->err) : NULL);
}

static void write_json(const char *applet, struct buf *out)
{
    struct json j;
    json_start(&j, out, applet);
    json_array(&j, "events");
    sample_event_list(add_object, &j);
    json_array_end(&j);
    json_end(&j);
}

static int write_table(struct buf *out)
{
    struct table t;
    table_init(&t, "<event <kind <sampled_here");
    sample_event_list(add_row, &t);
    int err = table_print(&t, out, 0);
    buf_adds(out, "also tracepoints as GROUP:NAME (folders of /sys/kernel/tracing/events), and "
                  "rHEX, a raw number\n");
    return err;
}

int sampling_print_events(const struct sampling_request *q)
{
    SCOPED_BUF out = BUF_INIT;
    struct fail f;
    int err = 0;
    if (q->view.json)
        write_json(q->applet->name, &out);
    else
        err = write_table(&out);
    return err ? (fail_set(&f, -err, "-e list"), applet_fail(q->applet, &f))
               : applet_print(q->applet, &out, DONE);
}
