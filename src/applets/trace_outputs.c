/* A timeline written into files, in formats of others. */
#include "trace_request.h"

#include "core/base/text.h"
#include "core/base/time_ns.h"
#include "core/text/shell_words.h"
#include "plat/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct trace_drawing formats[] = {
    {"html", sched_page, false, "open it in a browser"},
    {"svg", sched_svg, false, "open it in a browser"},
    {"chrome", sched_chrome, true, "open it at https://ui.perfetto.dev"}};
enum { FORMATS = sizeof formats / sizeof *formats };

void trace_values(const struct opt *o, struct buf *out)
{
    for (size_t i = 0; strcmp(o->arg, "FORMAT") == 0 && i < FORMATS; i++)
        buf_printf(out, "%s\n", formats[i].name);
}

int trace_parse_output(struct trace_request *q, const struct opt_state *o)
{
    const struct opt_formats names = {formats, FORMATS, sizeof *formats};
    const char *path;
    int i = opt_format(o, &names, &path);
    if (i == FORMATS)
        q->want.record = path;
    else if (i >= 0 && q->outputs == TRACE_MAX_OUTPUTS)
        return opt_wrong(o, "at most %d files", TRACE_MAX_OUTPUTS);
    else if (i >= 0)
        q->output[q->outputs++] = (struct trace_output){&formats[i], path, false};
    return i;
}

/* --- writing --- */

struct file {
    const char *path; /* NULL: standard output */
    int handle;
    struct fail fail;
};

static int flush_output(void *arg, struct buf *out)
{
    struct file *file = arg;
    int r = 0;
    if (!file->path)
        r = applet_write_bytes(&applet_trace, out, DONE) == DONE ? 0 : -1;
    else
        r = file_append(file->handle, out->data, out->len, file->path, &file->fail);
    buf_clear(out);
    return r;
}

static struct sched_export make_outward(struct trace_request *q, const struct tracing *t)
{
    uint64_t begin = sched_origin(&q->spans);
    uint64_t keep = (uint64_t)(q->keep_s * NS_PER_S), end = q->spans.last_ns;
    struct sched_export w = {
        .spans = &q->spans, .names = &t->names, .plan9 = t->file.plan9, .flush = flush_output};
    if (q->hit)
        w.hit = &q->trigger.hit;
    if (q->at_s >= 0) {
        q->at = sched_hit_at(&q->spans, begin + (uint64_t)(q->at_s * NS_PER_S + 0.5));
        w.hit = &q->at;
    }
    if (q->delayed)
        w.delays = &q->delays;
    if (q->from_s > 0)
        w.from_ns = begin + (uint64_t)(q->from_s * NS_PER_S);
    if (q->to_s > 0)
        w.to_ns = begin + (uint64_t)(q->to_s * NS_PER_S);
    if (keep && end > keep && end - keep > w.from_ns)
        w.from_ns = end - keep;
    return w;
}

static void add_title(const struct trace_request *q, struct buf *title)
{
    if (q->want.command)
        shell_words_add(title, q->want.command);
    if (!title->len)
        buf_adds(title, q->file        ? path_last(q->file)
                        : q->want.pids ? "processes"
                                       : "all processes");
}

static int open_file(const struct trace_request *q, const char *path, struct file *file)
{
    bool out = strcmp(path, "-") == 0;
    *file = (struct file){.path = out ? NULL : path};
    file->handle = out ? -1 : file_create(path, q->want.force, &file->fail);
    return out || file->handle >= 0 ? DONE : applet_fail(&applet_trace, &file->fail);
}

/* r: of what was written. */
static int close_file(struct file *file, int r)
{
    if (!file->path)
        return r == 0 ? DONE : FAILED;
    if (r < 0)
        file_abandon(file->handle, file->path);
    if (r == 0 && file_finish(file->handle, file->path, &file->fail) == 0)
        return DONE;
    if (!file->fail.what[0])
        fail_set(&file->fail, -r, "%s", file->path);
    return applet_fail(&applet_trace, &file->fail);
}

static int write_one(struct trace_request *q, const struct trace_output *o, struct sched_export *w)
{
    struct file file;
    int status = open_file(q, o->path, &file);
    if (status)
        return status;
    w->arg = &file;
    return close_file(&file, o->format->write(w));
}

/* Reports have all events; files that are written at the end have those that are kept. */
static void warn_dropped(const struct trace_request *q)
{
    SCOPED_BUF dropped = BUF_INIT;
    if (!q->keep.runs)
        return;
    sched_dropped_text(&q->spans.dropped, &dropped);
    if (dropped.len)
        applet_warn(&applet_trace, "what is written with -o leaves out %s", buf_str(&dropped));
}

int trace_write_outputs(struct trace_request *q, const struct tracing *t)
{
    SCOPED_BUF bytes = BUF_INIT, title = BUF_INIT;
    struct sched_export w = make_outward(q, t);
    int status = DONE;
    warn_dropped(q);
    add_title(q, &title);
    w.title = buf_str(&title);
    w.out = &bytes;
    for (size_t i = 0; i < q->outputs; i++) {
        int r = q->output[i].streamed ? DONE : write_one(q, &q->output[i], &w);
        status = status ? status : r;
        buf_clear(&bytes);
    }
    return status;
}

/* --- while events come --- */

struct trace_stream {
    struct sched_export w;
    struct sched_chrome_stream *writer;
    struct buf bytes, title;
    struct file file[TRACE_MAX_OUTPUTS];
    size_t files;
};

/* The last seconds are known at the end. */
bool trace_choose_streams(struct trace_request *q)
{
    bool others = false;
    for (size_t i = 0; i < q->outputs; i++) {
        q->output[i].streamed = q->output[i].format->streams && q->keep_s <= 0;
        others = others || !q->output[i].streamed;
    }
    return others;
}

static int flush_files(void *arg, struct buf *out)
{
    struct trace_stream *s = arg;
    int first = 0;
    for (size_t i = 0; i < s->files; i++) {
        struct file *file = &s->file[i];
        int r = !file->path
                    ? applet_write_bytes(&applet_trace, out, DONE) == DONE ? 0 : -1
                    : file_append(file->handle, out->data, out->len, file->path, &file->fail);
        first = first ? first : r;
    }
    buf_clear(out);
    return first;
}

static int open_streams(struct trace_request *q, struct trace_stream *s)
{
    int status = DONE;
    for (size_t i = 0; i < q->outputs && status == DONE; i++) {
        if (!q->output[i].streamed)
            continue;
        status = open_file(q, q->output[i].path, &s->file[s->files]);
        s->files += status == DONE;
    }
    return status;
}

int trace_begin_streams(struct trace_request *q, const struct tracing *t)
{
    struct trace_stream *s = calloc(1, sizeof *s);
    struct fail f;
    int status =
        s ? open_streams(q, s) : (fail_set(&f, ENOMEM, "-o"), applet_fail(&applet_trace, &f));
    q->stream = s;
    if (status || !s->files)
        return status;
    add_title(q, &s->title);
    s->w = make_outward(q, t);
    s->w.title = buf_str(&s->title);
    s->w.out = &s->bytes;
    s->w.flush = flush_files;
    s->w.arg = s;
    s->writer = sched_chrome_begin(&s->w, &q->spans);
    return DONE;
}

int trace_end_streams(struct trace_request *q, bool whole)
{
    struct trace_stream *s = q->stream;
    int status = DONE;
    if (!s)
        return DONE;
    int r = s->writer ? sched_chrome_end(s->writer) : -ENOMEM;
    for (size_t i = 0; i < s->files; i++) {
        int closed = close_file(&s->file[i], r < 0 || whole ? r : -ECANCELED);
        status = status ? status : closed;
    }
    buf_release(&s->bytes);
    buf_release(&s->title);
    free(s);
    q->stream = NULL;
    return status;
}
