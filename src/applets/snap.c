/* snap: samples, scheduler, statistics and doctor at once, in one file and on one page. */
#include "applets/applet.h"
#include "applets/progress.h"
#include "applets/report_screen.h"
#include "applets/symbol_opts.h"
#include "core/base/buf.h"
#include "core/base/text.h"
#include "core/snap/page.h"
#include "core/snap/report.h"
#include "engine/snap/read.h"
#include "engine/snap/record.h"
#include "plat/file.h"

#include <errno.h>
#include <string.h>

enum { JSON = 256, DEFAULT_SECONDS = 10, DEFAULT_HZ = 997, MAX_HZ = 100000 };
enum { MAX_SNAP = 1 << 30 }; /* bytes: of a file that is read, and in memory for a page */

static const struct opt options[] = {
    {OPT_COMMAND | 'x', NULL, NULL, "run COMMAND and record until it ends; exit as it does"},
    {'t', "seconds", "SECONDS", "stop after SECONDS (default 10; with -x when it ends)"},
    {'o', "output", "[FORMAT:]FILE", "write the recording; FILE.html or html:FILE: the page"},
    {'F', "rate", "HZ", "samples per second of CPU time (default 997)"},
    {'f', "force", NULL, "overwrite an existing file"},
    {'q', "quiet", NULL, "do not print what could not be recorded"},
    {JSON, "json", NULL, "with FILE, print what is in it as a JSON object"},
    SYMBOL_OPTS,
    {0},
};

static int run_snap(int argc, char **argv);
static const struct opt_words argument_words[] = {{"FORMAT", "html\n"}, {0}};

const struct applet applet_snap = {
    .name = "snap",
    .usage = "[OPTION...] -o FILE\n[OPTION...] -o FILE -x COMMAND [ARGUMENT...]\n"
             "[OPTION...] [-o PAGE.html] FILE",
    .opts = options,
    .notes = "Records samples of all processes with call chains, the scheduler, statistics\n"
             "and what doctor says, at once. FILE: a recording, of which the page is made with\n"
             "the symbols that are found here. ^C: stop and write.",
    .run = run_snap,
    .words = argument_words,
    .operands = "FILE",
};

struct snap_request {
    struct snap_want want;
    struct snap_naming naming;
    const char *output; /* NULL: none */
    bool page;          /* it is one */
    bool force, quiet, json, command, timed;
    struct progress progress;
};

/* --- options --- */

static bool ends_in_html(const char *path)
{
    return text_ends(path, ".html") || text_ends(path, ".htm");
}

/* A word before a colon is a format; a path with a colon goes as ./a:b. */
static int parse_output(struct snap_request *q, const struct opt_state *o)
{
    const char *text = o->arg;
    size_t len = strcspn(text, ":/");
    bool format = len > 1 && text[len] == ':', html = format && strncmp(text, "html:", 5) == 0;
    if (q->output)
        return opt_wrong(o, "only one file is written");
    if (format && !html)
        return applet_misuse(&applet_snap,
                             "-o: %.*s: no such format (html); for a file name with a colon: "
                             "-o ./%s",
                             (int)len, text, text),
               -1;
    q->output = html ? text + len + 1 : text;
    q->page = html || ends_in_html(text);
    if (!q->output[0])
        return applet_misuse(&applet_snap, "-o: FILE is missing"), -1;
    return 1;
}

static const struct opt_member members[] = {
    {'x', OPT_FLAG(struct snap_request, command)},
    {'f', OPT_FLAG(struct snap_request, force)},
    {'q', OPT_FLAG(struct snap_request, quiet)},
    {JSON, OPT_FLAG(struct snap_request, json)},
    {'F', OPT_NUMBER(struct snap_request, want.hz, 1, MAX_HZ)},
    {0},
};

static int parse_option(void *request, struct opt_state *o, int id)
{
    struct snap_request *q = request;
    switch (id) {
    case 't':
        q->timed = true;
        return opt_seconds(o, 1e6, &q->want.seconds);
    case 'o':
        return parse_output(q, o);
    default:
        return symbol_opt(&q->naming.search, &q->naming.no_demangle, o, id);
    }
}

/* --- what is written --- */

static bool is_stdout(const struct snap_request *q)
{
    return q->output && strcmp(q->output, "-") == 0;
}

static int print_report(const struct snap_request *q, const struct snap_contents *c)
{
    SCOPED_BUF out = BUF_INIT;
    struct json j;
    if (q->json) {
        json_start(&j, &out, "snap");
        snap_report_json(c, &j);
        json_end(&j);
    } else {
        snap_report_text(c, &out);
    }
    return applet_print(&applet_snap, &out, DONE);
}

static int write_page(const struct snap_request *q, const struct snap_contents *c)
{
    SCOPED_BUF out = BUF_INIT;
    struct fail f;
    int r = snap_page(c, &out);
    if (r < 0)
        fail_set(&f, -r, "page");
    else
        r = file_write_private(q->output, out.data, out.len, q->force, &f);
    return r < 0 ? applet_fail(&applet_snap, &f) : DONE;
}

/* Makes the page, or the report, of a recording. name: for the failure. */
static int show_bytes(const struct snap_request *q, const uint8_t *bytes, size_t len,
                      const char *name)
{
    SCOPED(snap_read_release) struct snap_reading reading;
    struct fail f, named;
    int status = DONE, r = snap_read(bytes, len, &q->naming, &reading, &f);
    if (r < 0) {
        fail_set(&named, f.err, "%s: %s", name, f.what);
        fail_hint(&named, "psuite snap -o FILE records one");
        status = applet_fail(&applet_snap, &named);
    } else {
        status = q->output ? write_page(q, &reading.contents) : print_report(q, &reading.contents);
    }
    return status;
}

static void say_wrote(const struct snap_request *q)
{
    if (!q->quiet)
        report_wrote(q->output, q->page ? "open it in a browser" : "psuite snap -o snap.html %");
}

static int show_file(struct snap_request *q, const char *path)
{
    struct image image;
    struct fail f;
    int status = DONE;
    if (q->output && !q->page)
        return applet_misuse(&applet_snap, "-o: %s: of a recording only a page is made: html:%s",
                             q->output, q->output);
    if (file_input(path, MAX_SNAP, &image, &f) < 0)
        return applet_fail(&applet_snap, &f);
    status = show_bytes(q, image.data, image.len, path);
    file_unmap(&image);
    if (status == DONE && q->output)
        say_wrote(q);
    return status;
}

/* --- recording --- */

struct target {
    struct snap_request *request;
    int handle;      /* of the recording */
    struct buf kept; /* of a page: the whole of it */
    struct fail fail;
};

static int write_recording(void *arg, struct buf *bytes)
{
    struct target *to = arg;
    if (!to->request->page)
        return file_append(to->handle, bytes->data, bytes->len, to->request->output, &to->fail);
    if (to->kept.len + bytes->len > MAX_SNAP)
        return fail_set(&to->fail, EFBIG, "page: over 1 GB was recorded; -o FILE has no limit");
    buf_add(&to->kept, bytes->data, bytes->len);
    return buf_error(&to->kept) ? fail_set(&to->fail, ENOMEM, "page") : 0;
}

static void show_progress(void *arg)
{
    struct target *to = arg;
    struct progress *p = &to->request->progress;
    progress_begin(p, "recording the whole machine");
    if (progress_due(p))
        progress_draw(p, "%.0f s", (double)p->spent_ns / 1e9);
}

static int open_target(struct snap_request *q, struct target *to)
{
    *to = (struct target){.request = q, .handle = -1};
    if (q->page)
        return file_writable(q->output, q->force, &to->fail);
    to->handle = is_stdout(q) ? file_redirect_stdout(&to->fail)
                              : file_create_private(q->output, q->force, &to->fail);
    return to->handle < 0 ? to->handle : 0;
}

/* Whether this line is in the text before it: what was tried again failed for the same reason. */
static bool is_repeated(const char *text, const char *line, size_t len)
{
    for (const char *at = text; at < line; at += strcspn(at, "\n") + 1)
        if (strcspn(at, "\n") == len && memcmp(at, line, len) == 0)
            return true;
    return false;
}

/* Lines; hints are behind what they are of. */
static void print_notes(const struct snap_request *q, const struct buf *notes)
{
    const char *at = buf_str(notes);
    while (*at && !q->quiet) {
        size_t len = strcspn(at, "\n");
        if (!is_repeated(buf_str(notes), at, len))
            applet_warn(&applet_snap, "%.*s", (int)len, at);
        at += len + (at[len] == '\n');
    }
}

static int close_target(struct target *to, int r)
{
    const char *path = to->request->output;
    if (to->handle >= 0 && r < 0)
        file_abandon(to->handle, path);
    else if (to->handle >= 0)
        r = file_finish(to->handle, path, &to->fail);
    return r;
}

static int finish_recording(struct snap_request *q, struct target *to,
                            const struct snap_recorded *recorded, int r)
{
    int status = DONE;
    print_notes(q, &recorded->notes);
    r = close_target(to, r);
    if (r < 0)
        status = applet_fail(&applet_snap, &to->fail);
    else if (q->page)
        status = show_bytes(q, (const uint8_t *)to->kept.data, to->kept.len, q->output);
    if (status == DONE)
        say_wrote(q);
    if (r < 0 && q->command && !recorded->executed && (r == -ENOENT || r == -EACCES))
        status = applet_not_executed(r);
    return status == DONE && recorded->executed ? child_status(&recorded->end) : status;
}

static int record_machine(struct snap_request *q)
{
    struct target to;
    struct snap_recorded recorded = {0};
    if (open_target(q, &to) < 0)
        return applet_fail(&applet_snap, &to.fail);
    q->want.write = write_recording;
    q->want.round = show_progress;
    q->want.arg = &to;
    struct fail f = {0};
    progress_start(&q->progress, !q->command && !q->quiet);
    int r = snap_record(&q->want, &recorded, &f);
    progress_wipe(&q->progress);
    if (r < 0 && !to.fail.what[0])
        to.fail = f;
    int status = finish_recording(q, &to, &recorded, r);
    buf_release(&to.kept);
    buf_release(&recorded.notes);
    return status;
}

/* --- the command line --- */

static const char *find_conflict(const struct snap_request *q, int operands)
{
    if (q->command && !operands)
        return "-x: COMMAND is missing";
    if (!q->command && operands > 1)
        return "only one FILE can be read; to run a command: -x COMMAND";
    if (operands && !q->command && q->timed)
        return "-t cannot be used with FILE";
    if ((!operands || q->command) && q->json)
        return "--json: only with FILE, a recording";
    if (q->json && q->output)
        return "--json cannot be used with -o";
    if ((!operands || q->command) && !q->output)
        return "-o FILE is missing: where the recording, or the page (FILE.html), is written";
    if (q->command && is_stdout(q))
        return "-o - cannot be used with -x, whose command has standard output: name a file";
    return NULL;
}

static int run_snap(int argc, char **argv)
{
    struct snap_request q = {.want.hz = DEFAULT_HZ};
    struct opt_state o = opt_start(&applet_snap, argc, argv);
    int status = opt_read(&o, members, parse_option, &q);
    if (status != OPT_END)
        return status;
    const char *wrong = find_conflict(&q, argc - o.next);
    if (wrong)
        return applet_misuse(&applet_snap, "%s", wrong);
    if (!q.command && o.next < argc)
        return show_file(&q, argv[o.next]);
    if (q.command)
        q.want.command = argv + o.next;
    else if (!q.timed)
        q.want.seconds = DEFAULT_SECONDS;
    return record_machine(&q);
}
