/* prof --coverage: how often functions and lines of a command were executed, or of recordings. */
#include "prof_request.h"

#include "applets/progress.h"
#include "applets/report_screen.h"
#include "core/base/buf.h"
#include "core/text/counted.h"
#include "core/text/json.h"
#include "engine/prof/coverage.h"
#include "plat/file.h"

/* --- counting --- */

struct drawing {
    struct progress line;
    uint64_t different, changed_ns; /* since the start, when different last grew */
};

/* Who waits wants to know whether it is worth it: whether new code is still being reached. */
static void show_progress(void *arg, uint64_t executed, uint64_t different)
{
    struct drawing *d = arg;
    uint64_t spent_ns = progress_spent_ns(&d->line);
    if (different > d->different)
        d->changed_ns = spent_ns;
    d->different = different;
    if (!progress_line_due(&d->line))
        return;
    SCOPED_BUF line = BUF_INIT;
    buf_printf(&line, "%.0f s, %s executed, %llu different", (double)spent_ns / 1e9,
               counted(executed, "instruction").text, (unsigned long long)different);
    if (spent_ns - d->changed_ns >= 1000000000u)
        buf_printf(&line, "; no new one for %.0f s", (double)(spent_ns - d->changed_ns) / 1e9);
    progress_line(&d->line, buf_str(&line));
}

static int run_command(const struct prof_request *q, char **command, struct coverage_record *r,
                       struct child_end *end)
{
    struct fail f;
    struct drawing d = {0};
    const struct coverage_want want = {command, q->module, q->modules, show_progress, &d};
    progress_start(&d.line, !q->ask.quiet);
    progress_begin(&d.line, "counting by single steps, tens of thousands per second");
    int err = coverage_run(&want, r, end, &f);
    report_below_interrupt(end->signalled ? end->code : 0);
    if (err == 0)
        return DONE;
    applet_fail(q->ask.applet, &f);
    return end->real_ns ? FAILED : applet_not_executed(err);
}

static int read_recordings(const struct prof_request *q, char **path, int paths,
                           struct coverage_record *r)
{
    struct fail f;
    for (int i = 0; i < paths; i++)
        if (coverage_read(path[i], r, &f) < 0) {
            if (!f.err && sampling_is_program(path[i]))
                sampling_hint_program(path[i], &f);
            return applet_fail(q->ask.applet, &f);
        }
    return DONE;
}

/* --- showing --- */

struct showing {
    struct prof_request *q;
    struct coverage coverage;
    struct coverage_view view;
    struct buf out;
};

static int render_report(void *arg, const struct report_part *part, struct buf *out)
{
    const struct showing *s = arg;
    return coverage_report(&s->view, part, out);
}

static int add_report(struct showing *s, struct fail *f)
{
    struct json json;
    struct sampling_view size = s->q->ask.view;
    if (s->q->annotate)
        return coverage_annotate(&s->coverage, s->q->annotate, &s->out, f);
    if (s->q->ask.view.json) {
        json_start(&json, &s->out, "prof");
        coverage_json(&s->view, &json);
        json_end(&json);
        return 0;
    }
    sampling_set_size(&s->q->ask, &size, 0);
    int err = report_fit(&size.size, render_report, s, &s->out);
    return err < 0 ? fail_set(f, -err, "report") : 0;
}

static int print_report(struct showing *s)
{
    struct fail f;
    if (s->q->ask.quiet && !s->q->ask.report)
        return DONE;
    return add_report(s, &f) < 0 ? applet_fail(s->q->ask.applet, &f)
                                 : sampling_print_report(&s->q->ask, &s->out);
}

static int write_lcov(struct showing *s)
{
    SCOPED_BUF text = BUF_INIT;
    if (!s->q->lcov)
        return DONE;
    coverage_lcov(&s->view, &text);
    int status = applet_write_file(&applet_prof, s->q->lcov, &text, s->q->ask.want.force, 0);
    if (status == DONE && !s->q->ask.quiet)
        report_wrote(s->q->lcov, "genhtml %");
    return status;
}

static void warn_notes(const struct showing *s)
{
    for (size_t i = 0; i < s->coverage.modules.count; i++)
        if (s->coverage.modules.module[i]->note[0])
            applet_warn(s->q->ask.applet, "%s", s->coverage.modules.module[i]->note);
}

static int show(struct prof_request *q, const struct coverage_record *r)
{
    struct fail f;
    struct showing s = {.q = q, .out = BUF_INIT};
    int status = coverage_open(r, &q->ask.want.search, q->ask.command, &s.coverage, &f) < 0
                     ? applet_fail(q->ask.applet, &f)
                     : DONE;
    s.view = coverage_view_of(&s.coverage);
    if (status == DONE)
        status = write_lcov(&s);
    if (status == DONE)
        status = print_report(&s);
    warn_notes(&s);
    buf_release(&s.out);
    coverage_release(&s.coverage);
    return status;
}

static int write_recording(const struct prof_request *q, struct coverage_record *r)
{
    SCOPED_BUF text = BUF_INIT;
    const char *path = q->ask.want.record;
    if (!path)
        return DONE;
    coverage_record_write(r, &text);
    int status = applet_write_file(&applet_prof, path, &text, q->ask.want.force, 0);
    if (status == DONE && !q->ask.quiet)
        report_wrote(path, "psuite prof --coverage %");
    return status;
}

/* --- */

/* Before the run whose results would be lost. */
static int check_outputs(const struct prof_request *q)
{
    struct fail f;
    const char *const path[] = {q->ask.report, q->lcov, q->ask.want.record};
    for (size_t i = 0; i < sizeof path / sizeof *path; i++)
        if (path[i] && file_writable(path[i], q->ask.want.force, &f) < 0)
            return applet_fail(q->ask.applet, &f);
    return DONE;
}

int prof_coverage(struct prof_request *q, char **operand, int operands)
{
    SCOPED(coverage_record_release) struct coverage_record record = {0};
    struct child_end end = {0};
    int status = check_outputs(q);
    if (q->ask.command)
        q->ask.want.command = operand;
    if (status == DONE)
        status = q->ask.command ? run_command(q, operand, &record, &end)
                                : read_recordings(q, operand, operands, &record);
    if (status == DONE)
        status = write_recording(q, &record);
    if (status == DONE)
        status = show(q, &record);
    if (status == DONE && q->ask.command)
        status = child_status(&end);
    return status;
}
