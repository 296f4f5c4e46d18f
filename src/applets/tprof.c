/* tprof: where a running program spends its time. Plan 9's lines (FORMATS 5), over perf events. */
#include "applets/applet.h"

#include "applets/progress.h"

#include "applets/symbol_opts.h"
#include "core/buf.h"
#include "core/elf.h"
#include "core/profile_file.h"
#include "engine/sampling.h"
#include "engine/sampling_report.h"
#include "plat/file.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CHILDREN = 256, THREADS, JSON, ROWS, ANNOTATE, DEFAULT_HZ = 997, MOST_HZ = 100000 };

static const struct opt options[] = {
    {'x', NULL, NULL, "run COMMAND, sample it and what it starts, exit with its status"},
    {'t', "seconds", "SECONDS", "stop after so long"},
    {'F', "rate", "HZ", "samples a second of running time (default 997)"},
    {'m', "module", "MODULE", "show only functions of this module"},
    {'i', "inlines", NULL, "by functions of the source, inlined ones too"},
    {'l', "lines", NULL, "by source line"},
    {ANNOTATE, "annotate", "FUNCTION", "this function's source, or its code, with time a line"},
    {ROWS, "rows", "N", "at most N rows a table, the rest in one"},
    {THREADS, "threads", NULL, "a table a thread, busiest first"},
    {CHILDREN, "children", NULL, "with PID: also what it starts"},
    {JSON, "json", NULL, "one JSON object instead of the table"},
    {'o', "output", "FILE", "write the report into FILE, `-' for standard output"},
    {'f', "force", NULL, "with -o: over an existing file"},
    SYMBOL_OPTS,
    {'n', NULL, "DIR", "no sampling: read DIR/proc/PID/profile and DIR/proc/PID/text"},
    {0},
};

static int run(int argc, char **argv);

const struct applet applet_tprof = {
    .name = "tprof",
    .usage = "[OPTION...] PID [BINARY]\n[OPTION...] -x COMMAND [ARGUMENT...]",
    .opts = options,
    .notes = "Time is user time. BINARY gives the symbols of a stripped program.\n"
             "^C ends the sampling with its report, which goes to standard output; with -x to\n"
             "standard error, as standard output is the command's.",
    .run = run,
};

struct request {
    struct sampling_want want;
    struct sampling_view view;
    bool command, force;
    const char *folder, *output;
    struct symbol_opts symbols;
};

/* --- sampling --- */

/* A report that its file will not take is not lost. */
static int put(const struct request *q, const struct buf *out)
{
    struct fail f;
    if (buf_error(out))
        return applet_error(&applet_tprof, "report: %s", strerror(-buf_error(out)));
    if (q->output && file_write(q->output, buf_str(out), out->len, q->force, &f) == 0)
        return DONE;
    int status = q->output ? applet_fail(&applet_tprof, &f) : DONE;
    return q->command || q->output ? applet_print_err(&applet_tprof, out, status)
                                   : applet_print(&applet_tprof, out, status);
}

static void warn_of_modules(const struct sampling *s)
{
    for (size_t i = 0; i < s->sampled.modules.count; i++)
        if (s->sampled.modules.module[i]->note[0])
            applet_warn(&applet_tprof, "%s", s->sampled.modules.module[i]->note);
}

static int report(const struct request *q, struct sampling *s)
{
    struct fail f;
    struct buf out = BUF_INIT;
    int status =
        sampling_report(s, &q->view, &out, &f) < 0 ? applet_fail(&applet_tprof, &f) : put(q, &out);
    warn_of_modules(s);
    buf_release(&out);
    return status;
}

static void show_progress(void *arg, const struct sampled *so_far)
{
    struct progress *p = arg;
    size_t width;
    uint64_t spent_ns;
    if (!progress_due(p, &width, &spent_ns))
        return;
    struct buf line = BUF_INIT;
    buf_printf(&line, "tprof: %.0f s, %llu samples, %llu lost; ^C ends", (double)spent_ns / 1e9,
               (unsigned long long)so_far->samples, (unsigned long long)so_far->lost);
    if (line.len <= width)
        progress_draw(p, buf_str(&line));
    buf_release(&line);
}

/* A command draws on the terminal itself. */
static int run_sampling(const struct request *q, struct sampling *s, struct fail *f)
{
    struct progress p;
    struct sampling_want want = q->want;
    progress_start(&p, !q->command);
    want.round = show_progress;
    want.arg = &p;
    int r = sampling_run(&want, s, f);
    progress_wipe(&p);
    return r;
}

static int not_executed(int error)
{
    return error == -ENOENT ? NOT_FOUND : NOT_EXECUTABLE;
}

static int command_status(struct sampling *s, int status)
{
    struct fail f;
    if (sampling_wait(s, &f) < 0)
        return applet_fail(&applet_tprof, &f);
    return status == DONE ? child_status(&s->end) : status;
}

static int sample(const struct request *q)
{
    struct fail f;
    struct sampling s;
    int status;
    if (q->output && file_writable(q->output, q->force, &f) < 0)
        return applet_fail(&applet_tprof, &f);
    int r = run_sampling(q, &s, &f);
    if (r < 0) {
        status = applet_fail(&applet_tprof, &f);
        if (q->command && s.sampler && !s.executed)
            status = not_executed(r);
        sampling_wait(&s, NULL); /* a command that runs already runs on to its end */
    } else {
        if (s.sampled.want.hz < q->want.hz)
            applet_warn(&applet_tprof,
                        "the kernel allows %llu Hz at most (kernel.perf_event_max_sample_rate)",
                        (unsigned long long)s.sampled.want.hz);
        status = report(q, &s);
        if (q->command)
            status = command_status(&s, status);
    }
    sampling_release(&s);
    return status;
}

/* --- a profile file --- */

static int elf_text_symbols(const struct image *image, struct elf_module **elf, struct fail *f)
{
    return elf_open(image->data, image->len, elf, f) < 0 ? fail_set(f, 0, "text file not an a.out")
                                                         : 0;
}

static int file_report(const char *profile_path, const char *text_path, struct buf *out,
                       struct fail *f)
{
    struct image profile = {0}, text = {0};
    struct elf_module *elf = NULL;
    int r = file_map(text_path, SIZE_MAX / 2, &text, f);
    if (r == 0)
        r = elf_text_symbols(&text, &elf, f);
    if (r == 0)
        r = file_map(profile_path, SIZE_MAX / 2, &profile, f);
    if (r == 0)
        r = profile_file_report(profile.data, profile.len, elf_symbols(elf), out, f);
    elf_close(elf);
    file_unmap(&text);
    file_unmap(&profile);
    return r;
}

static int from_folder(const struct request *q, const char *pid, const char *binary)
{
    struct fail f;
    struct buf out = BUF_INIT, profile = BUF_INIT, text = BUF_INIT;
    buf_printf(&profile, "%s/proc/%s/profile", q->folder, pid);
    buf_printf(&text, "%s/proc/%s/text", q->folder, pid);
    int r = file_report(buf_str(&profile), binary ? binary : buf_str(&text), &out, &f);
    int status = applet_print(&applet_tprof, &out, DONE);
    if (r < 0)
        status = applet_fail(&applet_tprof, &f);
    buf_release(&out);
    buf_release(&profile);
    buf_release(&text);
    return status;
}

/* --- options --- */

static int take_option(struct request *q, struct opt_state *o, int id)
{
    unsigned long long n = 0;
    switch (id) {
    case DEBUG_DIR:
    case SYSROOT:
    case NO_DEMANGLE:
        return symbol_opt(&q->symbols, o, id) < 0 ? -1 : 0;
    case 'x':
        q->command = true;
        return 0;
    case 't':
        return opt_seconds(o, "-t", 1e9, &q->want.seconds);
    case 'F':
        if (opt_u64(o, "-F", 1, MOST_HZ, &n) < 0)
            return -1;
        q->want.hz = n;
        return 0;
    case 'm':
        q->view.module = o->arg;
        return 0;
    case ROWS:
        if (opt_u64(o, "--rows", 1, SIZE_MAX, &n) < 0)
            return -1;
        q->view.rows = (size_t)n;
        return 0;
    case 'i':
        q->view.by = FLAT_INLINE;
        return 0;
    case 'l':
        q->view.by = FLAT_LINE;
        return 0;
    case ANNOTATE:
        q->view.annotate = o->arg;
        return 0;
    case 'n':
        q->folder = o->arg;
        return 0;
    case 'o':
        q->output = o->arg;
        return 0;
    case 'f':
        q->force = true;
        return 0;
    case THREADS:
        q->want.by = SAMPLED_BY_THREAD;
        return 0;
    case CHILDREN:
        q->want.children = true;
        return 0;
    default:
        q->view.json = true;
        return 0;
    }
}

static int parse_pid(const char *text, int *pid)
{
    char *end;
    errno = 0;
    long v = strtol(text, &end, 10);
    if (*end || end == text || errno || v < 1 || v > INT_MAX)
        return applet_misuse(&applet_tprof, "%s: not a process id", text);
    *pid = (int)v;
    return 0;
}

static int run(int argc, char **argv)
{
    struct request q = {.want = {.hz = DEFAULT_HZ}};
    struct opt_state o;
    int id;
    opt_start(&o, &applet_tprof, argc, argv);
    while ((id = opt_next(&o)) != OPT_END)
        if (id < 0)
            return opt_status(id);
        else if (take_option(&q, &o, id) < 0)
            return USAGE;
    q.want.search = q.symbols.search;
    q.view.no_demangle = q.symbols.no_demangle;
    char **operand = argv + o.next;
    int operands = argc - o.next;
    if (operands < 1 || (!q.command && operands > 2))
        return applet_usage(&applet_tprof);
    if (q.command) {
        q.want.command = operand;
        return sample(&q);
    }
    const char *binary = operands > 1 ? operand[1] : NULL;
    int status = parse_pid(operand[0], &q.want.pid);
    if (status)
        return status;
    if (q.folder)
        return from_folder(&q, operand[0], binary);
    q.want.binary = binary;
    return sample(&q);
}
