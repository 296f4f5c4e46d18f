#include "core/io/chrome.h"

#include "rows.h"

#include "core/base/buf.h"
#include "core/base/time_ns.h"

enum { PROCESS = 1 }; /* all tracks are of one */

static void begin_event(struct json *j, const char *phase, int tid, const char *name)
{
    json_object(j, NULL);
    json_members(j, "ph pid tid name", phase, PROCESS, tid, name);
}

static void end_event(struct json *j)
{
    json_object_end(j);
    json_object_end(j);
    buf_addc(j->out, '\n');
}

void io_chrome_start(struct io_chrome *c, struct buf *out, const char *title)
{
    c->j = (struct json){.out = out};
    json_array(&c->j, NULL);
    begin_event(&c->j, "M", 0, "process_name");
    json_object(&c->j, "args");
    json_str(&c->j, "name", title);
    end_event(&c->j);
}

void io_chrome_add(struct io_chrome *c, int tid, const struct io_log *line)
{
    struct json *j = &c->j;
    const struct io_done *d = line->done;
    begin_event(j, "X", tid, io_message_name(d->message));
    json_members(j, "ts/3 dur/3", ns_between(line->origin_ns, d->start_ns),
                 ns_between(d->start_ns, d->end_ns));
    json_object(j, "args");
    if (line->path)
        json_str(j, "path", io_shown_path(line->path));
    json_members(j, "request_bytes reply_bytes [error]", d->request, d->reply, line->error);
    end_event(j);
}

void io_chrome_end(struct io_chrome *c)
{
    json_array_end(&c->j);
    buf_addc(c->j.out, '\n');
}
