/* prof over files: one shown, written in other formats, two compared. */
#include "prof_request.h"

#include "applets/report_screen.h"
#include "core/base/buf.h"
#include "core/prof/report.h"
#include "core/prof/stacks.h"
#include "core/prof/v1.h"
#include "core/text/counted.h"
#include "plat/file.h"
#include "plat/tty.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TABSTOP = 4, MAX_TABSTOP = 1000 };

static const char default_path[] = "prof.out";

/* --- Plan 9's names --- */

static const char *default_program(void)
{
    static const char *const programs[][2] = {
        {"386", "8.out"},   {"68020", "2.out"}, {"alpha", "7.out"},
        {"amd64", "6.out"}, {"arm", "5.out"},   {"mips", "v.out"},
        {"power", "q.out"}, {"sparc", "k.out"}, {"spim", "0.out"}};
    const char *type = getenv("objtype");
    for (size_t i = 0; type && i < sizeof programs / sizeof *programs; i++)
        if (strcmp(type, programs[i][0]) == 0)
            return programs[i][1];
    return programs[0][1];
}

static unsigned read_tabstop(void)
{
    const char *text = getenv("tabstop");
    long columns = text ? strtol(text, NULL, 0) : 0;
    return columns > 0 && columns <= MAX_TABSTOP ? (unsigned)columns : TABSTOP;
}

/* --- opening --- */

static struct profile_want want_of(const struct prof_request *q, const char *program,
                                   const char *path)
{
    return (struct profile_want){.path = path,
                                 .program = program,
                                 .defaults = {default_program(), "a.out"},
                                 .raw = q->raw,
                                 .lines = q->lines || q->ask.outputs > 0,
                                 .no_demangle = q->ask.view.no_demangle,
                                 .search = q->ask.want.search};
}

/* A program in place of a profile: prof runs it only to count. */
static void hint_program(const char *path, struct fail *f)
{
    fail_hint(f, "`psuite prof --coverage -x %s%.64s' counts the calls of any program",
              strchr(path, '/') ? "" : "./", path);
}

static void hint_usage(struct fail *f)
{
    if (f->hint[0] || (f->err && f->err != ENOENT))
        return;
    fail_hint(f, "build a program with `cc $(psuite prof --cflags) FILE.c $(psuite prof --libs)', "
                 "run it, then `psuite prof prof.PID'");
}

static bool is_there(const char *path, struct fail *f)
{
    struct image image;
    if (file_map_regular(path, &image, f) < 0)
        return false;
    file_unmap(&image);
    return true;
}

/* Of Plan 9's two names the first may be what is missing, or meant as a profile. */
static int no_profile(const struct prof_request *q, const char *program)
{
    struct fail f;
    if (!program || is_there(program, &f))
        fail_set(&f, 0, "nothing to read: there is no %s here, and no profile was named",
                 default_path);
    hint_usage(&f);
    applet_fail(q->ask.applet, &f);
    if (program && sampling_is_program(program)) {
        hint_program(program, &f);
        applet_error(q->ask.applet, "hint: %s", f.hint);
    }
    return FAILED;
}

static int open_profile(const struct profile_want *w, struct profile *p)
{
    struct fail f;
    if (profile_open(w, p, &f) == 0)
        return DONE;
    if (f.err)
        hint_usage(&f);
    else if (sampling_is_program(w->path))
        hint_program(w->path, &f);
    return applet_fail(&applet_prof, &f);
}

/* --- what is to be said beside the report --- */

static void warn_remarks(const struct profile *p, bool all)
{
    SCOPED_BUF text = BUF_INIT;
    prof_remarks(&p->tree, all, &text);
    for (const char *line = buf_str(&text), *end; (end = strchr(line, '\n')); line = end + 1)
        applet_warn(&applet_prof, "%s: %.*s", p->want.path, (int)(end - line), line);
}

static void warn_notes(const struct profile *p)
{
    for (size_t i = 0; i < p->tree.notes && i < PROF_MAX_NOTES; i++)
        applet_warn(&applet_prof, "%s", p->tree.note[i]);
    if (p->tree.notes > PROF_MAX_NOTES)
        applet_warn(&applet_prof, "%s: %s not shown", p->want.path,
                    counted(p->tree.notes - PROF_MAX_NOTES, "more such record").text);
    for (size_t i = 0; i < p->modules.count; i++)
        if (p->modules.module[i]->note[0])
            applet_warn(&applet_prof, "%s", p->modules.module[i]->note);
}

/* Functions of these are shown by their addresses. */
static void warn_nameless(const struct profile *p)
{
    for (size_t i = 0; i < p->modules.count; i++) {
        const struct module *m = p->modules.module[i];
        if (m->file && !m->elf && m->why[0])
            applet_warn(&applet_prof, "%s: no names: %s", m->path, m->why);
    }
}

/* --- the report and the files --- */

/* Lines that are written behind the report, if that is to the same terminal. */
static size_t count_remarks(const struct prof_request *q, const struct profile *p)
{
    SCOPED_BUF text = BUF_INIT, lines = BUF_INIT;
    int width, height;
    if (!tty_stream_size(true, &width, &height))
        return 0;
    prof_remarks(&p->tree, q->ask.view.form != SAMPLING_FLAT, &text);
    for (const char *line = buf_str(&text), *end; (end = strchr(line, '\n')); line = end + 1)
        buf_printf(&lines, "prof: %s: %.*s\n", p->want.path, (int)(end - line), line);
    report_fold(&lines, 0, (size_t)width);
    return p->tree.notes + report_lines(buf_str(&lines), lines.len, (size_t)width);
}

static int print_report(const struct prof_request *q, const struct profile *p)
{
    struct fail f;
    SCOPED_BUF out = BUF_INIT;
    struct profile_view v = {.view = q->ask.view,
                             .graph = q->graph,
                             .recursion = q->recursion,
                             .nodes = q->nodes,
                             .marks = q->marks,
                             .lines = q->lines,
                             .errors = q->errors,
                             .threads = q->threads,
                             .tabstop = read_tabstop()};
    sampling_set_size(&q->ask, &v.view, count_remarks(q, p));
    return profile_report(p, &v, &out, &f) < 0 ? applet_fail(&applet_prof, &f)
                                               : sampling_print_report(&q->ask, &out);
}

static int write_outputs(const struct prof_request *q, const struct profile *p)
{
    struct fail f;
    SCOPED(stacks_release) struct stacks stacks;
    size_t flattened;
    int status = profile_stacks(p, q->threads, &stacks, &flattened, &f) < 0
                     ? applet_fail(&applet_prof, &f)
                     : sampling_write(&q->ask, &stacks, NULL);
    if (flattened)
        applet_warn(&applet_prof,
                    "%s: in written files, calls deeper than %d levels are shown at that level",
                    p->want.path, PROF_STACKS_DEPTH);
    return status;
}

static void warn_lost(const struct prof_request *q, const struct prof_v1_lost *lost)
{
    if (lost->nodes)
        applet_warn(&applet_prof,
                    "%s: %s left out, as the format holds only %d: the time counts as the "
                    "callers'",
                    q->v1, counted(lost->nodes, "node").text, PROF_V1_MAX_RECORDS);
    if (lost->foreign)
        applet_warn(&applet_prof, "%s: %s of other modules than the program: the pc is 0", q->v1,
                    counted(lost->foreign, "node").text);
}

static int write_v1(const struct prof_request *q, const struct profile *p)
{
    SCOPED_BUF out = BUF_INIT;
    struct prof_v1_lost lost = {0};
    int r = prof_v1_write(&p->tree, &out, &lost);
    int status = applet_write_file(&applet_prof, q->v1, &out, q->ask.want.force, r);
    if (status == DONE)
        warn_lost(q, &lost);
    return status;
}

static void say_wrote(const struct prof_request *q)
{
    sampling_say_wrote(&q->ask);
    if (q->v1 && !q->ask.quiet)
        report_wrote(q->v1, NULL);
}

static int write_results(const struct prof_request *q, const struct profile *p)
{
    int status = q->ask.outputs ? write_outputs(q, p) : DONE;
    if (q->v1 && status == DONE)
        status = write_v1(q, p);
    if (!q->ask.quiet || q->ask.report) {
        int shown = print_report(q, p);
        status = status ? status : shown;
    }
    warn_remarks(p, q->ask.view.form != SAMPLING_FLAT);
    warn_notes(p);
    warn_nameless(p);
    if (status == DONE)
        say_wrote(q);
    return status;
}

int prof_show(const struct prof_request *q, const char *program, const char *path)
{
    SCOPED(profile_release) struct profile p = {.names = {0}};
    struct profile_want w = want_of(q, program, path ? path : default_path);
    int status = sampling_check_terminal(&q->ask);
    if (status)
        return status;
    if (!path && !is_there(default_path, NULL))
        return no_profile(q, program);
    status = open_profile(&w, &p);
    if (status == DONE)
        status = write_results(q, &p);
    return status;
}

int prof_diff(const struct prof_request *q, const char *before, const char *after)
{
    struct fail f;
    struct profile p[2] = {{.names = {0}}, {.names = {0}}};
    struct stacks stacks[2] = {{0}, {0}};
    const char *path[2] = {before, after};
    int status = sampling_check_diff(&q->ask);
    for (size_t i = 0; i < 2 && status == DONE; i++) {
        struct profile_want w = want_of(q, NULL, path[i]);
        status = open_profile(&w, &p[i]);
        if (status == DONE && profile_whole_stacks(&p[i], &stacks[i], &f) < 0)
            status = applet_fail(&applet_prof, &f);
    }
    if (status == DONE)
        status = sampling_print_diff(&q->ask, &stacks[0], &stacks[1]);
    for (size_t i = 0; i < 2; i++) {
        warn_remarks(&p[i], false);
        stacks_release(&stacks[i]);
        profile_release(&p[i]);
    }
    return status;
}
