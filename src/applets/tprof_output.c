/* Where tprof's report and files go. */
#include "tprof_request.h"

#include "core/buf.h"
#include "plat/file.h"
#include "plat/tty.h"

#include <string.h>

/* --- which --- */

static int unknown_format(const char *text, size_t len)
{
    struct buf names = BUF_INIT;
    for (size_t i = 0; i < writer_count; i++)
        buf_printf(&names, "%s%s", i ? " " : "", writers[i].name);
    int status = applet_misuse(&applet_tprof,
                               "-o %.*s: no such format (%s); a file with a colon "
                               "in its name: -o ./%s",
                               (int)len, text, buf_str(&names), text);
    buf_release(&names);
    return status;
}

/* A word before a colon is a format; a path with a colon goes as ./a:b. */
int tprof_take_output(struct tprof_request *q, const char *text)
{
    size_t len = strcspn(text, ":/");
    if (text[len] != ':' || len < 2) {
        q->report = text;
        return DONE;
    }
    const struct writer *w = writer_named(text, len);
    if (!w)
        return unknown_format(text, len);
    if (!text[len + 1])
        return applet_misuse(&applet_tprof, "-o %sFILE: FILE is missing", text);
    if (q->outputs == TPROF_MOST_OUTPUTS)
        return applet_misuse(&applet_tprof, "-o: at most %d files", TPROF_MOST_OUTPUTS);
    q->output[q->outputs++] = (struct tprof_output){w, text + len + 1};
    return DONE;
}

int tprof_check_outputs(const struct tprof_request *q)
{
    struct fail f;
    if (q->report && file_writable(q->report, q->force, &f) < 0)
        return applet_fail(&applet_tprof, &f);
    for (size_t i = 0; i < q->outputs; i++)
        if (file_writable(q->output[i].path, q->force, &f) < 0)
            return applet_fail(&applet_tprof, &f);
    return DONE;
}

int tprof_stdout_users(const struct tprof_request *q)
{
    int users = q->want.record && strcmp(q->want.record, "-") == 0;
    for (size_t i = 0; i < q->outputs; i++)
        users += strcmp(q->output[i].path, "-") == 0;
    return users;
}

/* Standard output is a file's, or the command's. */
static bool output_taken(const struct tprof_request *q)
{
    return q->command || tprof_stdout_users(q);
}

/* --- the report --- */

/* A report that its file will not take is not lost. */
static int put(const struct tprof_request *q, const struct buf *out)
{
    struct fail f;
    if (buf_error(out))
        return applet_error(&applet_tprof, "report: %s", strerror(-buf_error(out)));
    if (q->report && file_write(q->report, buf_str(out), out->len, q->force, &f) == 0)
        return DONE;
    int status = q->report ? applet_fail(&applet_tprof, &f) : DONE;
    return output_taken(q) || q->report ? applet_print_err(&applet_tprof, out, status)
                                        : applet_print(&applet_tprof, out, status);
}

static void warn_of_modules(const struct sampling *s)
{
    for (size_t i = 0; i < s->sampled.modules.count; i++)
        if (s->sampled.modules.module[i]->note[0])
            applet_warn(&applet_tprof, "%s", s->sampled.modules.module[i]->note);
}

static void warn_of_end(const struct recording *r)
{
    if (r->cut)
        applet_warn(&applet_tprof, "the recording is cut off or damaged at its end: what stands "
                                   "before is reported");
    else if (!r->ended)
        applet_warn(&applet_tprof, "the recording has no end: tprof was killed, or could write "
                                   "no more; what it wrote is reported");
}

static int write_report(const struct tprof_request *q, struct sampling *s)
{
    struct fail f;
    struct buf out = BUF_INIT;
    int status =
        sampling_report(s, &q->view, &out, &f) < 0 ? applet_fail(&applet_tprof, &f) : put(q, &out);
    buf_release(&out);
    return status;
}

/* --- the files --- */

static int write_output(const struct tprof_request *q, const struct tprof_output *o,
                        const struct stacks *stacks)
{
    struct fail f;
    struct buf out = BUF_INIT;
    int r = o->writer->write(stacks, NULL, &out);
    if (r < 0)
        fail_set(&f, -r, "%s", o->path);
    else
        r = file_write(o->path, out.data, out.len, q->force, &f);
    buf_release(&out);
    return r < 0 ? applet_fail(&applet_tprof, &f) : DONE;
}

static int write_outputs(const struct tprof_request *q, struct sampling *s)
{
    struct fail f;
    struct stacks stacks;
    int status = DONE;
    if (sampling_stacks(s, &q->view, &stacks, &f) < 0)
        status = applet_fail(&applet_tprof, &f);
    for (size_t i = 0; i < q->outputs && status == DONE; i++)
        status = write_output(q, &q->output[i], &stacks);
    stacks_release(&stacks);
    return status;
}

int tprof_report(const struct tprof_request *q, struct sampling *s)
{
    int status = q->outputs ? write_outputs(q, s) : DONE;
    if (!q->quiet || q->report) {
        int shown = write_report(q, s);
        status = status ? status : shown;
    }
    if (recording_is(s->file.data, s->file.len))
        warn_of_end(&s->recording);
    warn_of_modules(s);
    return status;
}
