#include "applets/sampling_several.h"

#include "core/base/buf.h"
#include "core/stacks/columns.h"
#include "core/text/counted.h"
#include "core/text/json.h"
#include "core/text/shown.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct writing {
    const struct sampling_request *q;
    const struct sampling_several *from;
    struct sampling_view view;
    struct stacks columns;
    char name[STACKS_MAX_VALUES][64];
    char method[240];
    bool has_columns;
    struct buf report;
    struct json json;
    unsigned reported;
    struct fail why; /* the first event that has no report */
};

/* The first event comes last: it is what readers of columns show first. */
static size_t column_of(const struct writing *w, unsigned event)
{
    return w->from->events - 1 - event;
}

/* --- files --- */

static bool wants(const struct sampling_request *q, bool all_values)
{
    for (size_t i = 0; i < q->outputs; i++)
        if (q->output[i].writer->all_values == all_values)
            return true;
    return false;
}

static int write_files(const struct writing *w, const struct stacks *stacks, bool all_values)
{
    struct sampling_request some = *w->q;
    some.outputs = 0;
    for (size_t i = 0; i < w->q->outputs; i++)
        if (w->q->output[i].writer->all_values == all_values)
            some.output[some.outputs++] = w->q->output[i];
    return sampling_write(&some, stacks, NULL);
}

static void begin_columns(struct writing *w)
{
    struct stacks_value any[STACKS_MAX_VALUES];
    for (size_t i = 0; i < w->from->events; i++)
        any[i] = (struct stacks_value){"", "count"};
    stacks_init(&w->columns, any, w->from->events);
    w->has_columns = true;
}

static void name_column(struct writing *w, unsigned event, const struct sampling *s)
{
    const struct sampled_event *e = &s->sampled.event;
    struct stacks_value *to = &w->columns.value[column_of(w, event)];
    memcpy(w->name[event], e->name, sizeof w->name[event]);
    *to = (struct stacks_value){w->name[event], e->clock ? "nanoseconds" : "count"};
}

static int add_column(struct writing *w, unsigned event, const struct sampling *s,
                      const struct stacks *stacks)
{
    if (!w->has_columns)
        begin_columns(w);
    name_column(w, event, s);
    if (event == 0) {
        w->columns.origin = stacks->origin;
        snprintf(w->method, sizeof w->method, "%s", stacks->origin.method);
        w->columns.origin.method = w->method;
        w->columns.origin.period_value = column_of(w, 0);
        w->columns.origin.uneven = false;
    }
    if (stacks_columns_add(&w->columns, stacks, column_of(w, event)) < 0)
        return applet_error(w->q->applet, "files: %s", strerror(ENOMEM));
    return DONE;
}

static int take_files(struct writing *w, unsigned event, struct sampling *s)
{
    struct fail f;
    bool first = event == 0 && wants(w->q, false), column = wants(w->q, true);
    if (!first && !column)
        return DONE;
    SCOPED(stacks_release) struct stacks stacks;
    int status =
        sampling_stacks(s, &w->view, &stacks, &f) < 0 ? applet_fail(w->q->applet, &f) : DONE;
    if (status == DONE && first)
        status = write_files(w, &stacks, false);
    if (status == DONE && column)
        status = add_column(w, event, s, &stacks);
    return status;
}

/* --- the report --- */

static void begin_section(struct writing *w, const struct sampling *s)
{
    const char *name = s->sampled.event.name;
    if (w->view.json) {
        json_object(&w->json, NULL);
        json_members(&w->json, "event samples", name, s->sampled.count.samples);
        buf_adds(&w->report, ",\"report\":");
        return;
    }
    if (w->report.len)
        buf_addc(&w->report, '\n');
    shown_printf(&w->report, "event %s: %s", name,
                 counted(s->sampled.count.samples, "sample").text);
}

static void end_section(struct writing *w, const struct buf *body, bool made)
{
    size_t len = body->len;
    if (!w->view.json) {
        buf_addc(&w->report, '\n');
        buf_add(&w->report, buf_str(body), len);
        return;
    }
    while (len && body->data[len - 1] == '\n')
        len--;
    if (made)
        buf_add(&w->report, body->data, len);
    else
        buf_adds(&w->report, "null");
    w->json.comma = true;
    json_object_end(&w->json);
}

/* That one of the events has no sample in a function is none of the others' business. */
static void take_report(struct writing *w, struct sampling *s)
{
    SCOPED_BUF body = BUF_INIT;
    struct fail f;
    bool made = sampling_report(s, &w->view, &body, &f) == 0;
    begin_section(w, s);
    if (!made && !w->view.json) {
        shown_printf(&body, "%s", f.what);
        buf_addc(&body, '\n');
    }
    if (!made && !w->why.what[0])
        w->why = f;
    if (!made && w->view.json)
        applet_warn(w->q->applet, "%s: %s", s->sampled.event.name, f.what);
    end_section(w, &body, made);
    w->reported += made;
}

static int take_event(struct writing *w, unsigned event)
{
    struct fail f;
    SCOPED(sampling_release) struct sampling s;
    struct sampling_want want = w->q->want;
    want.event = NULL;
    want.record = NULL;
    want.of_file = event;
    int r = w->from->read(w->from->arg, &want, &s, &f);
    int status = r < 0 ? applet_fail(w->q->applet, &f) : take_files(w, event, &s);
    if (status == DONE && (!w->q->quiet || w->q->report))
        take_report(w, &s);
    if (status == DONE && event == 0)
        sampling_warn(w->q, &s, w->from->name);
    return status;
}

static int print_sections(struct writing *w)
{
    if (w->q->quiet && !w->q->report)
        return DONE;
    if (!w->reported)
        return applet_fail(w->q->applet, &w->why);
    if (w->view.json) {
        json_array_end(&w->json);
        json_end(&w->json);
    }
    return sampling_print_report(w->q, &w->report);
}

/* --- */

static void begin(struct writing *w)
{
    w->view = w->q->view;
    sampling_set_size(w->q, &w->view, 0);
    w->view.size.height /= w->from->events;
    if (w->view.size.height)
        w->view.size.height -= 2; /* the heading, and a line between */
    if (!w->view.json)
        return;
    json_start(&w->json, &w->report, w->q->applet->name);
    json_array(&w->json, "events");
}

int sampling_write_several(const struct sampling_request *q, const struct sampling_several *from)
{
    struct writing w = {.q = q, .from = from};
    int status = DONE;
    if (wants(q, true) && from->events > STACKS_MAX_VALUES)
        return applet_error(q->applet, "%s: over %d events: -e NAME chooses one", from->name,
                            STACKS_MAX_VALUES);
    begin(&w);
    for (unsigned i = 0; i < from->events && status == DONE; i++)
        status = take_event(&w, i);
    if (status == DONE && w.has_columns)
        status = write_files(&w, &w.columns, true);
    if (status == DONE)
        status = print_sections(&w);
    if (status == DONE)
        sampling_say_wrote(q);
    if (w.has_columns)
        stacks_release(&w.columns);
    buf_release(&w.report);
    return status;
}
