/* Where the report and the files of a sampling go. */
#include "sampling_request.h"

#include "applets/report_screen.h"
#include "core/base/buf.h"
#include "core/stacks/diff.h"
#include "core/text/counted.h"
#include "plat/file.h"
#include "plat/tty.h"

#include <string.h>

/* --- which --- */

int sampling_parse_output(struct sampling_request *q, const struct opt_state *o, const char **plain)
{
    const struct opt_formats formats = {writers, writer_count, sizeof *writers};
    const char *path;
    int i = opt_format(o, &formats, &path);
    if (i == (int)writer_count)
        *plain = path;
    else if (i >= 0 && q->outputs == SAMPLING_MAX_OUTPUTS)
        return opt_wrong(o, "at most %d files", SAMPLING_MAX_OUTPUTS);
    else if (i >= 0)
        q->output[q->outputs++] = (struct sampling_output){&writers[i], path};
    return i < 0 ? -1 : 1;
}

int sampling_check_terminal(const struct sampling_request *q)
{
    for (size_t i = 0; i < q->outputs; i++) {
        const struct sampling_output *o = &q->output[i];
        if (o->writer->binary && strcmp(o->path, "-") == 0 && tty_is_stdout_terminal())
            return applet_error(q->applet, "-o: %s:-: would write binary data to the terminal",
                                o->writer->name);
    }
    return DONE;
}

int sampling_check_outputs(const struct sampling_request *q)
{
    struct fail f;
    const char *first = q->report ? q->report : q->kpdata;
    if (first && file_writable(first, q->want.force, &f) < 0)
        return applet_fail(q->applet, &f);
    for (size_t i = 0; i < q->outputs; i++)
        if (file_writable(q->output[i].path, q->want.force, &f) < 0)
            return applet_fail(q->applet, &f);
    return sampling_check_terminal(q);
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

int sampling_stdout_users(const struct sampling_request *q)
{
    int users = is_stdout(q->want.record) + is_stdout(q->kpdata);
    for (size_t i = 0; i < q->outputs; i++)
        users += is_stdout(q->output[i].path);
    return users;
}

/* Standard output is a file's, or the command's. */
static bool is_stdout_used(const struct sampling_request *q)
{
    return q->want.command || sampling_stdout_users(q);
}

/* --- the report --- */

/* Whose -o is perf's expects samples in such a file. */
static void hint_at_recording(const struct sampling_request *q)
{
    size_t len = strlen(q->report);
    if (len > 5 && strcmp(q->report + len - 5, ".data") == 0 && !q->want.record)
        applet_warn(q->applet, "hint: %s is the report, as text; --record FILE keeps the samples",
                    q->report);
}

int sampling_print_report(const struct sampling_request *q, const struct buf *out)
{
    struct fail f;
    if (buf_error(out))
        return applet_error(q->applet, "report: %s", strerror(-buf_error(out)));
    if (q->report && file_write(q->report, buf_str(out), out->len, q->want.force, &f) == 0) {
        hint_at_recording(q);
        return DONE;
    }
    int status = q->report ? applet_fail(q->applet, &f) : DONE;
    return is_stdout_used(q) || q->report ? applet_print_err(q->applet, out, status)
                                          : applet_print(q->applet, out, status);
}

/* Each ends with a NUL. */
static void gather_warnings(const struct sampling *s, const char *of, struct buf *out)
{
    const struct modules *modules = &s->sampled.mapped.modules;
    if (s->source.warning[0])
        buf_printf(out, "%s: %s%c", of, s->source.warning, 0);
    if (s->source.unsure[0])
        buf_printf(out, "%s: %s%c", of, s->source.unsure, 0);
    for (size_t i = 0; i < modules->count; i++)
        if (modules->module[i]->note[0])
            buf_printf(out, "%s%c", modules->module[i]->note, 0);
    if (s->sampled.mapped.spaces.left_out)
        buf_printf(out,
                   "%s: %s of processes left out, and what ran there is unknown: "
                   "all together may have %d%c",
                   of, counted(s->sampled.mapped.spaces.left_out, "mapping").text, SPACES_MAPS_MOST,
                   0);
    if (s->symbols.short_of_memory)
        buf_printf(out,
                   "%s: symbols or lines of %s are left out: all files together may take "
                   "%zu MB (--symbol-memory)%c",
                   of, counted(s->symbols.short_of_memory, "file").text,
                   s->symbols.memory.limit >> 20, 0);
}

static void print_warnings(const struct sampling_request *q, const struct buf *warnings)
{
    for (size_t at = 0; at < warnings->len; at += strlen(warnings->data + at) + 1)
        applet_warn(q->applet, "%s", warnings->data + at);
}

void sampling_warn(const struct sampling_request *q, const struct sampling *s, const char *of)
{
    SCOPED_BUF warnings = BUF_INIT;
    gather_warnings(s, of, &warnings);
    print_warnings(q, &warnings);
}

static const char recording_name[] = "the recording";

/* That will be written behind the report, if that is to the same terminal. */
static size_t count_warning_lines(const struct sampling_request *q, const struct sampling *s,
                                  const struct buf *nameless)
{
    SCOPED_BUF warnings = BUF_INIT, text = BUF_INIT;
    int width, height;
    if (!tty_stream_size(true, &width, &height))
        return 0;
    gather_warnings(s, recording_name, &warnings);
    buf_add(&warnings, nameless->data, nameless->len);
    for (size_t at = 0; at < warnings.len; at += strlen(warnings.data + at) + 1)
        buf_printf(&text, "%s: %s\n", q->applet->name, warnings.data + at);
    report_fold(&text, 0, (size_t)width);
    return report_lines(buf_str(&text), text.len, (size_t)width);
}

void sampling_set_size(const struct sampling_request *q, struct sampling_view *view,
                       size_t lines_behind)
{
    size_t files = q->outputs + (q->want.record != NULL) + (q->kpdata != NULL);
    if (!q->report)
        report_screen(&view->size, is_stdout_used(q), lines_behind + (q->quiet ? 0 : files));
}

static int write_report(const struct sampling_request *q, struct sampling *s, struct buf *nameless)
{
    struct fail f;
    SCOPED_BUF out = BUF_INIT;
    struct sampling_view view = q->view;
    sampling_hints(q, s, nameless);
    sampling_set_size(q, &view, count_warning_lines(q, s, nameless));
    return sampling_report(s, &view, &out, &f) < 0 ? applet_fail(q->applet, &f)
                                                   : sampling_print_report(q, &out);
}

/* --- the files --- */

static int write_output(const struct sampling_request *q, const struct sampling_output *o,
                        const struct stacks *stacks, const struct stacks *before)
{
    SCOPED_BUF out = BUF_INIT;
    int r = o->writer->write(stacks, before, &out);
    return applet_write_file(q->applet, o->path, &out, q->want.force, r);
}

int sampling_write(const struct sampling_request *q, const struct stacks *stacks,
                   const struct stacks *before)
{
    int status = DONE;
    for (size_t i = 0; i < q->outputs && status == DONE; i++)
        status = write_output(q, &q->output[i], stacks, before);
    return status;
}

void sampling_say_wrote(const struct sampling_request *q)
{
    if (q->quiet)
        return;
    for (size_t i = 0; i < q->outputs; i++)
        report_wrote(q->output[i].path, q->output[i].writer->opened);
    if (q->kpdata)
        report_wrote(q->kpdata, "psuite kprof /proc/kallsyms %");
    if (q->report)
        report_wrote(q->report, "as text; also: -o FORMAT:FILE, --record FILE");
}

int sampling_check_diff(const struct sampling_request *q)
{
    for (size_t i = 0; i < q->outputs; i++)
        if (!q->output[i].writer->takes_before)
            return applet_misuse(q->applet, "-o: %s: cannot show a difference",
                                 q->output[i].writer->name);
    return sampling_check_terminal(q);
}

struct comparison {
    struct stacks_diff diff;
    struct stacks_diff_options options;
};

static int render_diff(void *arg, const struct report_part *part, struct buf *out)
{
    struct comparison *c = arg;
    c->options.max_rows = part->rows;
    c->options.fitted = part->fitted;
    stacks_diff_text(&c->diff, &c->options, out);
    return 0;
}

static int diff_text(const struct sampling_request *q, const struct stacks *before,
                     const struct stacks *after, struct buf *out, struct fail *f)
{
    struct sampling_view view = q->view;
    sampling_set_size(q, &view, 0);
    struct comparison c = {.options = {.cumulative = view.by_cumulative, .width = view.size.width}};
    int r = stacks_diff_make(before, after, &c.options, &c.diff, f);
    if (r == 0 && view.json)
        stacks_diff_json(&c.diff, out);
    else if (r == 0)
        r = report_fit(&view.size, render_diff, &c, out);
    stacks_diff_release(&c.diff);
    return r;
}

int sampling_print_diff(const struct sampling_request *q, const struct stacks *before,
                        const struct stacks *after)
{
    struct fail f;
    SCOPED_BUF out = BUF_INIT;
    int status = sampling_write(q, after, before);
    if (status == DONE && diff_text(q, before, after, &out, &f) < 0)
        status = applet_fail(q->applet, &f);
    if (status == DONE && q->report)
        status = applet_write_file(q->applet, q->report, &out, q->want.force, 0);
    else if (status == DONE && !q->quiet)
        status = applet_print(q->applet, &out, DONE);
    if (status == DONE)
        sampling_say_wrote(q);
    return status;
}

static int write_outputs(const struct sampling_request *q, struct sampling *s)
{
    struct fail f;
    SCOPED(stacks_release) struct stacks stacks;
    return sampling_stacks(s, &q->view, &stacks, &f) < 0 ? applet_fail(q->applet, &f)
                                                         : sampling_write(q, &stacks, NULL);
}

static int write_kpdata(const struct sampling_request *q, struct sampling *s)
{
    struct fail f;
    SCOPED_BUF out = BUF_INIT;
    uint64_t apart = 0;
    int r = sampling_kpdata(s, &out, &apart, &f);
    if (r == 0 && buf_error(&out))
        r = fail_set(&f, -buf_error(&out), "%s", q->kpdata);
    if (r == 0)
        r = file_write_private(q->kpdata, out.data, out.len, q->want.force, &f);
    if (r == 0 && apart)
        applet_warn(q->applet, "%s: %s in kernel modules: counted as outside the kernel text",
                    q->kpdata, counted(apart, "sample").text);
    return r < 0 ? applet_fail(q->applet, &f) : DONE;
}

int sampling_write_results(const struct sampling_request *q, struct sampling *s)
{
    SCOPED_BUF nameless = BUF_INIT;
    int status = q->outputs ? write_outputs(q, s) : DONE;
    if (q->kpdata && status == DONE)
        status = write_kpdata(q, s);
    if (!q->quiet || q->report) {
        int shown = write_report(q, s, &nameless);
        status = status ? status : shown;
    }
    sampling_warn(q, s, recording_name);
    print_warnings(q, &nameless);
    if (status == DONE)
        sampling_say_wrote(q);
    return status;
}
