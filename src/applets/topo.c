/* topo: who calls whom below a function: reads what was collected, and writes it in Topo's forms.
 */
#include "applets/applet.h"

#include "applets/report_screen.h"
#include "core/base/buf.h"
#include "core/topo/read.h"
#include "core/topo/write.h"
#include "plat/file.h"

#include <string.h>

static const struct opt options[] = {
    {'o', "output", "[FORMAT:]FILE", "write FORMAT to FILE; FORMAT alone: print it"},
    {'f', "force", NULL, "overwrite existing files"},
    {0},
};

static int run_topo(int argc, char **argv);
static void list_values(const struct opt *o, struct buf *out);

const struct applet applet_topo = {
    .name = "topo",
    .usage = "[OPTION...] FILE",
    .opts = options,
    .notes = "FORMAT is human (default), machine or draw. FILE has one of the first two, or\n"
             "events: `NAME RUN CALL THREAD DEPTH START' at an entry, `NAME RUN CALL TOTAL' at\n"
             "an exit.",
    .run = run_topo,
    .values = list_values,
};

enum { MAX_OUTPUTS = 8, MAX_FILE_BYTES = 1 << 30 };

struct format {
    const char *name;
    int (*write)(const struct topo *t, struct buf *out);
    bool text;          /* for people: passes the filter of terminals */
    const char *opened; /* how the file is looked at */
};

static const struct format formats[] = {
    {"human", topo_write_human, true, NULL},
    {"machine", topo_write_machine, false, "psuite topo %"},
    {"draw", topo_write_draw, true, NULL},
};
enum { FORMATS = sizeof formats / sizeof *formats };

struct output {
    const struct format *format;
    const char *path; /* "-": standard output */
};

struct request {
    struct output output[MAX_OUTPUTS];
    size_t outputs;
    bool force;
};

static void list_values(const struct opt *o, struct buf *out)
{
    for (size_t i = 0; strcmp(o->arg, "FORMAT") == 0 && i < FORMATS; i++)
        buf_printf(out, "%s\n", formats[i].name);
}

static const struct format *format_named(const char *name, size_t len)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (strlen(formats[i].name) == len && strncmp(formats[i].name, name, len) == 0)
            return &formats[i];
    return NULL;
}

static int unknown_format(const char *text, size_t len)
{
    struct buf names = BUF_INIT;
    for (size_t i = 0; i < FORMATS; i++)
        buf_printf(&names, "%s%s", i ? " " : "", formats[i].name);
    applet_misuse(&applet_topo,
                  "-o: %.*s: no such format (%s); for a file name with a colon: -o ./%s", (int)len,
                  text, buf_str(&names), text);
    buf_release(&names);
    return -1;
}

/* A word before a colon is a format, and so is a whole word that names one. */
static int parse_output(struct request *q, const char *text)
{
    size_t len = strcspn(text, ":/");
    const struct format *format = format_named(text, len);
    const char *path = text[len] != ':' ? "-" : text + len + 1;
    if (text[len] == ':' && len > 1 && !format)
        return unknown_format(text, len);
    if (!format || text[len] == '/') {
        format = &formats[0];
        path = text;
    }
    if (!*path)
        applet_misuse(&applet_topo, "-o: %s FILE is missing", text);
    else if (q->outputs == MAX_OUTPUTS)
        applet_misuse(&applet_topo, "-o: %s: at most %d files", text, MAX_OUTPUTS);
    else {
        q->output[q->outputs++] = (struct output){format, path};
        return 1;
    }
    return -1;
}

static int parse_option(struct request *q, const struct opt_state *o, int id)
{
    if (id == 'o')
        return parse_output(q, o->arg);
    q->force = true;
    return 1;
}

/* --- writing --- */

static int write_file(const struct request *q, const struct output *o, const struct buf *out)
{
    struct fail f;
    if (file_write(o->path, out->data, out->len, q->force, &f) < 0)
        return applet_fail(&applet_topo, &f);
    report_wrote(o->path, o->format->opened);
    return DONE;
}

static int write_output(const struct request *q, const struct output *o, const struct topo *t)
{
    struct fail f;
    struct buf out = BUF_INIT;
    int status, r = o->format->write(t, &out);
    if (r < 0) {
        fail_set(&f, -r, "%s", o->path);
        status = applet_fail(&applet_topo, &f);
    } else if (strcmp(o->path, "-") == 0)
        status = o->format->text ? applet_print(&applet_topo, &out, DONE)
                                 : applet_write_bytes(&applet_topo, &out, DONE);
    else
        status = write_file(q, o, &out);
    buf_release(&out);
    return status;
}

static void warn_dropped(const struct topo *t, const char *path)
{
    struct buf text = BUF_INIT;
    topo_dropped_text(t, &text);
    for (const char *line = buf_str(&text), *end; (end = strchr(line, '\n')); line = end + 1)
        applet_warn(&applet_topo, "%s: %.*s", path, (int)(end - line), line);
    buf_release(&text);
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

static int run_topo(int argc, char **argv)
{
    struct request q = {.outputs = 0};
    struct topo topo;
    struct opt_state o;
    int id;
    opt_start(&o, &applet_topo, argc, argv);
    while ((id = opt_next(&o)) != OPT_END)
        if (id < 0)
            return opt_status(id);
        else if (parse_option(&q, &o, id) < 0)
            return USAGE;
    if (argc - o.next != 1)
        return applet_misuse(&applet_topo, argc == o.next ? "FILE is missing" : "takes one FILE");
    if (!q.outputs)
        q.output[q.outputs++] = (struct output){&formats[0], "-"};
    int status = read_topo(argv[o.next], &topo);
    if (status == DONE)
        status = write_outputs(&q, &topo);
    topo_release(&topo);
    return status;
}
