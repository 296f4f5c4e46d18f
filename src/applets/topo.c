/* topo: who calls whom below a function: collects or reads calls, and writes them in Topo's forms.
 */
#include "applets/applet.h"

#include "applets/report_screen.h"
#include "applets/topo_collect.h"
#include "applets/topo_view.h"
#include "core/base/buf.h"
#include "core/base/text.h"
#include "core/topo/draw.h"
#include "core/topo/read.h"
#include "core/topo/write.h"
#include "plat/file.h"

#include <string.h>

enum { NODES = 256, DIFF, PROBES };

static const struct opt options[] = {
    {'n', "runs", "N", "collect N complete calls of FUNCTION (default 1)"},
    {'m', "module", "MODULE", "FUNCTION is one of MODULE; kernel: of none"},
    {'t', "seconds", "SECONDS", "collect for at most SECONDS"},
    {OPT_ADVANCED | PROBES, "probes", NULL, "collect by kprobes, not by function_graph"},
    {'w', "view", NULL, "show the functions in the terminal, one at a time"},
    {'o', "output", "[FORMAT:]FILE", "write FORMAT to FILE; FORMAT alone: print it"},
    {OPT_FILES | DIFF, "diff", NULL, "compare two files, in the page"},
    {'a', "all", NULL, "draw all relations, not only first callers"},
    {NODES, "nodes", "N|all", "draw N functions (default 150), by total time"},
    {'f', "force", NULL, "overwrite existing files"},
    {0},
};

static int run_topo(int argc, char **argv);
static void list_values(const struct opt *o, struct buf *out);

const struct applet applet_topo = {
    .name = "topo",
    .usage = "[OPTION...] FUNCTION\n[OPTION...] FILE\n[OPTION...] --diff OLD NEW",
    .opts = options,
    .notes = "FUNCTION is one of the running kernel, whose calls are collected. FORMAT is\n"
             "human (default), machine, events, draw (values of the drawing), svg, html, dot\n"
             "or json. FILE is human, machine or events. As topo-draw, it writes svg.",
    .run = run_topo,
    .values = list_values,
};

enum { MAX_OUTPUTS = 8, MAX_FILE_BYTES = 1 << 30 };

struct format {
    const char *name;
    int (*write)(const struct topo *t, struct buf *out); /* or: */
    int (*draw)(const struct topo *t, const struct topo_options *o, struct buf *out);
    bool text;          /* for people: passes the filter of terminals */
    const char *opened; /* how the file is looked at */
};

enum { HUMAN, EVENTS = 2, SVG = 4 };

static const struct format formats[] = {
    [HUMAN] = {"human", topo_write_human, NULL, true, NULL},
    {"machine", topo_write_machine, NULL, false, "psuite topo %"},
    [EVENTS] = {"events", NULL, NULL, false, "psuite topo %"},
    {"draw", topo_write_draw, NULL, true, NULL},
    [SVG] = {"svg", NULL, topo_write_svg, false, "open it in a browser"},
    {"html", NULL, topo_write_page, false, "open it in a browser"},
    {"dot", NULL, topo_write_dot, false, "dot -Tsvg -O %"},
    {"json", NULL, topo_write_json, true, NULL},
};
enum { FORMATS = sizeof formats / sizeof *formats };

struct output {
    const struct format *format;
    const char *path; /* "-": standard output */
};

struct request {
    struct output output[MAX_OUTPUTS];
    size_t outputs;
    bool force, diff, view;
    struct topo_options draw;
    struct topo_collect_request collect;
    struct buf events; /* of the runs, if they are written */
};

static void list_values(const struct opt *o, struct buf *out)
{
    for (size_t i = 0; strcmp(o->arg, "FORMAT") == 0 && i < FORMATS; i++)
        buf_printf(out, "%s\n", formats[i].name);
    if (strcmp(o->arg, "N|all") == 0)
        buf_adds(out, "all\n");
}

/* A word before a colon is a format, and so is a whole word that names one. */
static int parse_output(struct request *q, const struct opt_state *o)
{
    const struct opt_formats names = {formats, FORMATS, sizeof *formats};
    const char *path;
    int i = opt_format(o, &names, &path);
    if (i == FORMATS) {
        i = (int)opt_format_named(&names, path, strlen(path));
        path = i == FORMATS ? path : "-";
    }
    if (i < 0 || !*path)
        return i < 0 ? -1 : (applet_misuse(&applet_topo, "-o: %s FILE is missing", path), -1);
    if (q->outputs == MAX_OUTPUTS)
        return opt_wrong(o, "at most %d files", MAX_OUTPUTS);
    q->output[q->outputs++] = (struct output){&formats[i == FORMATS ? HUMAN : i], path};
    return 1;
}

static int parse_nodes(struct request *q, const struct opt_state *o)
{
    uint64_t n = 0;
    int r = strcmp(o->arg, "all") == 0 ? 1 : opt_u64(o, 1, UINT32_MAX, &n);
    q->draw.limit = (size_t)n;
    return r;
}

static const struct opt_member members[] = {
    {'a', OPT_FLAG(struct request, draw.all)},
    {'w', OPT_FLAG(struct request, view)},
    {DIFF, OPT_FLAG(struct request, diff)},
    {PROBES, OPT_FLAG(struct request, collect.probes)},
    {'f', OPT_FLAG(struct request, force)},
    {'n', OPT_NUMBER(struct request, collect.runs, 1, UINT32_MAX)},
    {'m', OPT_TEXT(struct request, collect.module)},
    {'t', OPT_SECONDS(struct request, collect.seconds, 1e9)},
    {0},
};

static int parse_option(void *request, struct opt_state *o, int id)
{
    struct request *q = request;
    return id == 'o' ? parse_output(q, o) : parse_nodes(q, o);
}

/* --- writing --- */

/* A terminal would break long lines within words. */
static void fold_lines(const struct format *format, struct buf *out)
{
    struct report_size size;
    report_screen(&size, false, 0);
    if (format == &formats[HUMAN] && size.width)
        report_fold(out, 0, size.width);
}

static int write_output(const struct request *q, const struct output *o, const struct topo *t)
{
    SCOPED_BUF out = BUF_INIT;
    int r = 0;
    if (o->format == &formats[EVENTS])
        buf_add(&out, q->events.data, q->events.len);
    else
        r = o->format->write ? o->format->write(t, &out) : o->format->draw(t, &q->draw, &out);
    if (r == 0 && strcmp(o->path, "-") == 0) {
        fold_lines(o->format, &out);
        return o->format->text ? applet_print(&applet_topo, &out, DONE)
                               : applet_write_bytes(&applet_topo, &out, DONE);
    }
    int status = applet_write_file(&applet_topo, o->path, &out, q->force, r);
    if (status == DONE)
        report_wrote(o->path, o->format->opened);
    return status;
}

static void warn_dropped(const struct topo *t, const char *path)
{
    SCOPED_BUF text = BUF_INIT;
    topo_dropped_text(t, "", "\n", &text);
    for (const char *line = buf_str(&text), *end; (end = strchr(line, '\n')); line = end + 1)
        applet_warn(&applet_topo, "%s: %.*s", path, (int)(end - line), line);
}

static int write_outputs(const struct request *q, const struct topo *t)
{
    int status = DONE;
    for (size_t i = 0; i < q->outputs && status == DONE; i++)
        status = write_output(q, &q->output[i], t);
    return status;
}

/* --- reading --- */

static int read_topo(const char *path, struct topo *t)
{
    struct fail f;
    struct image image = {0};
    int r = file_input(path, MAX_FILE_BYTES, &image, &f);
    if (r == 0)
        r = topo_read(path, (const char *)image.data, image.len, t, &f);
    else
        topo_init(t);
    warn_dropped(t, path);
    file_unmap(&image);
    return r < 0 ? applet_fail(&applet_topo, &f) : DONE;
}

/* Called as topo-draw: an image. */
static const struct output *default_output(const char *name)
{
    static const struct output human = {&formats[HUMAN], "-"}, image = {&formats[SVG], "-"};
    return strcmp(path_last(name), "topo-draw") == 0 ? &image : &human;
}

static bool writes_events(const struct request *q)
{
    bool found = false;
    for (size_t i = 0; i < q->outputs; i++)
        found = found || q->output[i].format == &formats[EVENTS];
    return found;
}

static const char *find_diff_conflict(const struct request *q, int files)
{
    bool page = q->outputs > 0;
    for (size_t i = 0; i < q->outputs; i++)
        page = page && q->output[i].format->draw == topo_write_page;
    if (files != 2)
        return "--diff takes two files: --diff OLD NEW";
    return page ? NULL : "--diff: only with -o html:FILE";
}

static const char *find_conflict(const struct request *q, int operands, char **operand)
{
    const struct topo_collect_request *c = &q->collect;
    if (q->view && (q->outputs || q->diff))
        return "-w cannot be used with -o or --diff";
    if (q->diff && (c->runs || c->module || c->seconds || c->probes))
        return "--diff cannot be used with -m, -n, -t or --probes";
    if (q->diff)
        return find_diff_conflict(q, operands);
    if (operands != 1)
        return operands ? "takes one FUNCTION or FILE" : "FUNCTION or FILE is missing";
    bool collects = topo_is_function(c, operand[0]);
    if (!collects && c->seconds)
        return "-t: only with a FUNCTION";
    return collects || !writes_events(q) ? NULL : "-o events: only with a FUNCTION";
}

static int get_topo(struct request *q, const char *operand, struct topo *t)
{
    if (!topo_is_function(&q->collect, operand))
        return read_topo(operand, t);
    int status = topo_collect(&q->collect, operand, t, writes_events(q) ? &q->events : NULL);
    warn_dropped(t, operand);
    return status;
}

static int draw_operands(struct request *q, char **operand)
{
    struct topo topo, before;
    topo_init(&topo);
    topo_init(&before);
    int status = q->diff ? read_topo(operand[0], &before) : DONE;
    if (status == DONE)
        status = q->diff ? read_topo(operand[1], &topo) : get_topo(q, operand[0], &topo);
    q->draw.title = topo.functions ? topo.function[0].name : "";
    q->draw.before = q->diff ? &before : NULL;
    if (status == DONE)
        status = q->view ? topo_view_run(&topo) : write_outputs(q, &topo);
    topo_release(&topo);
    topo_release(&before);
    buf_release(&q->events);
    return status;
}

static int run_topo(int argc, char **argv)
{
    struct request q = {.draw.limit = TOPO_DRAWN};
    struct opt_state o = opt_start(&applet_topo, argc, argv);
    int status = opt_read(&o, members, parse_option, &q);
    if (status != OPT_END)
        return status;
    const char *conflict = find_conflict(&q, argc - o.next, argv + o.next);
    if (!q.outputs)
        q.output[q.outputs++] = *default_output(argv[0]);
    return conflict ? applet_misuse(&applet_topo, "%s", conflict)
                    : draw_operands(&q, argv + o.next);
}
