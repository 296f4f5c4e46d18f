/* A timeline as one SVG file. What is narrower than a pixel is summed up in columns, so that the
 * file is bounded by its pixels. */
#include "core/base/sort.h"
#include "core/text/xml.h"
#include "export_common.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1200, LABELS = 256, MARGIN = 12, TOP = 62, ROW = 28, THICK = 14, FOOT = 16 };
enum { DRAWN = WIDTH - LABELS - MARGIN };

static const char style[] =
    "svg{background:#fff;font:12px system-ui,sans-serif}text{fill:#16181d}.q{fill:#667080}"
    ".t{font-size:15px;font-weight:bold}.l{stroke:#e6e9ee}.c0{fill:#f4a28c}.c1{fill:#6fcbc4}"
    ".c2{fill:#e8c558}.c3{fill:#8fcc72}.c4{fill:#74b4f0}.c5{fill:#b3bac6}.w{fill-opacity:.75}"
    ".x{fill:#ff4d5e;fill-opacity:.35}.red{fill:#d81f2a}.green{fill:#13923c}.blue{fill:#2465e0}"
    ".ink{fill:#16181d}";

struct picture {
    const struct sched_export *w;
    struct sched_window in;
    struct buf *out;
    struct shown {
        const struct sched_row *row;
        uint64_t ran_ns;
        size_t order;
    } * shown;
    size_t rows, left_out;
    double column[DRAWN + 1]; /* of the current row: covered by runs narrower than a pixel */
};

static double x_of(const struct picture *p, uint64_t time_ns)
{
    double length = (double)(p->in.to_ns - p->in.from_ns);
    if (time_ns <= p->in.from_ns)
        return 0;
    if (time_ns >= p->in.to_ns)
        return DRAWN;
    return (double)(time_ns - p->in.from_ns) * DRAWN / length;
}

/* --- which rows --- */

static uint64_t ran_in(const struct picture *p, const struct sched_row *row)
{
    size_t first, count = sched_row_runs(p->w, &p->in, row, &first);
    uint64_t sum = 0;
    struct sched_run run;
    for (size_t i = first; i < first + count; i++) {
        if (!sched_row_run(p->w, &p->in, row, i, &run))
            continue;
        uint64_t from = run.start_ns > p->in.from_ns ? run.start_ns : p->in.from_ns;
        uint64_t to = run.end_ns < p->in.to_ns ? run.end_ns : p->in.to_ns;
        sum += to > from ? to - from : 0;
    }
    return sum;
}

static int by_time(const void *a, const void *b)
{
    const struct shown *x = a, *y = b;
    return ORDER(y->ran_ns, x->ran_ns) ?: ORDER(x->order, y->order);
}

static int by_order(const void *a, const void *b)
{
    const struct shown *x = a, *y = b;
    return ORDER(x->order, y->order);
}

static int choose_rows(struct picture *p)
{
    const struct sched_spans *s = p->w->spans;
    p->shown = calloc(s->rows + 1, sizeof *p->shown);
    if (!p->shown)
        return -1;
    for (size_t i = 0; i < s->rows; i++) {
        const struct sched_row *row = s->row[i];
        if (!sched_row_shown(row))
            continue;
        struct sched_range marks = sched_marks_between(s, &row->marks, p->in.from_ns, p->in.to_ns);
        uint64_t ran = ran_in(p, row);
        if (ran || marks.count)
            p->shown[p->rows++] = (struct shown){row, ran, i};
    }
    sort_array(p->shown, p->rows, sizeof *p->shown, by_time);
    if (p->rows > SCHED_SVG_ROWS) {
        p->left_out = p->rows - SCHED_SVG_ROWS;
        p->rows = SCHED_SVG_ROWS;
    }
    sort_array(p->shown, p->rows, sizeof *p->shown, by_order);
    return 0;
}

/* --- runs --- */

static void add_rect(struct picture *p, const char *class, double x, double y, double width,
                     double height)
{
    buf_printf(p->out, "<rect class=\"%s\" x=\"%.2f\" y=\"%g\" width=\"%.2f\" height=\"%g\"", class,
               x, y, width, height);
}

static void add_wide(struct picture *p, const struct sched_run *run, const char *class, double from,
                     double to)
{
    add_rect(p, class, from, ROW - THICK - 3, to - from, THICK);
    buf_adds(p->out, "><title>");
    sched_run_text(p->out, run);
    buf_adds(p->out, "</title></rect>\n");
}

static void add_wait(struct picture *p, const struct sched_run *run, const char *class)
{
    char waits[8];
    double from = x_of(p, run->ready_ns), to = x_of(p, run->start_ns);
    if (!run->ready_ns || to - from < 1)
        return;
    snprintf(waits, sizeof waits, "%s w", class);
    add_rect(p, waits, from, ROW - 3 - THICK / 2 - 1, to - from, 2);
    buf_adds(p->out, "/>\n");
}

/* What was too narrow, column by column. */
static void add_columns(struct picture *p, const char *class)
{
    for (int i = 0; i <= DRAWN; i++) {
        if (p->column[i] <= 0)
            continue;
        add_rect(p, class, i, ROW - THICK - 3, 1, THICK);
        double share = p->column[i] < 1 ? p->column[i] : 1;
        buf_printf(p->out, " fill-opacity=\"%.2f\"/>\n", 0.3 + 0.7 * share);
    }
}

static void add_runs(struct picture *p, const struct sched_row *row, const char *class)
{
    size_t first, count = sched_row_runs(p->w, &p->in, row, &first);
    struct sched_run run;
    memset(p->column, 0, sizeof p->column);
    for (size_t i = first; i < first + count; i++) {
        if (!sched_row_run(p->w, &p->in, row, i, &run))
            continue;
        double from = x_of(p, run.start_ns), to = x_of(p, run.end_ns);
        add_wait(p, &run, class);
        if (to - from >= 1)
            add_wide(p, &run, class, from, to);
        else
            p->column[(int)from] += to - from > 0.001 ? to - from : 0.001;
    }
    add_columns(p, class);
}

/* --- arrows: FORMATS 8 --- */

static const struct arrow {
    const char *colour;
    int direction; /* 1 up, -1 down, 0: a tick */
} arrows[SCHED_KINDS] = {
    [SCHED_USER] = {"blue", -1},   [SCHED_ADMIT] = {"green", 1}, [SCHED_RELEASE] = {"ink", 1},
    [SCHED_YIELD] = {"green", -1}, [SCHED_SLICE] = {"red", -1},  [SCHED_DEADLINE] = {"ink", -1},
    [SCHED_EXPEL] = {"red", -1},   [SCHED_INTS] = {"green", 0},  [SCHED_INTE] = {"blue", 0},
    [SCHED_CALL] = {"green", 0},   [SCHED_RETURN] = {"blue", 0},
};

static void add_arrow(struct picture *p, const struct sched_mark *mark)
{
    const struct arrow *a = &arrows[mark->kind];
    double x = x_of(p, mark->time_ns);
    int tip = a->direction > 0 ? 2 : ROW - 3, back = tip + (a->direction > 0 ? 6 : -6);
    buf_printf(p->out, "<path class=\"%s\" d=\"M%.2f 2h1V%dh-1z", a->colour, x - 0.5,
               a->direction ? ROW - 3 : ROW / 2);
    if (a->direction)
        buf_printf(p->out, "M%.2f %dL%.2f %dL%.2f %dz", x, tip, x - 3.5, back, x + 3.5, back);
    buf_printf(p->out, "\"><title>%s", sched_kind_name(mark->kind));
    const char *text = mark->kind == SCHED_USER
                           ? sched_names_get_text(p->w->names, mark->arg)
                           : sched_names_call(p->w->names, mark->kind, mark->arg, mark->flags);
    if (text) {
        buf_addc(p->out, ' ');
        xml_adds(p->out, text);
    }
    buf_adds(p->out, "</title></path>\n");
}

/* One a pixel. */
static void add_marks(struct picture *p, const struct sched_row *row)
{
    const struct sched_spans *s = p->w->spans;
    struct sched_range in = sched_marks_between(s, &row->marks, p->in.from_ns, p->in.to_ns);
    int last = -1;
    for (size_t i = 0; i < in.count; i++) {
        const struct sched_mark *mark = sched_mark_at(s, &row->marks, in.first + i);
        int x = (int)x_of(p, mark->time_ns);
        if (mark->kind < SCHED_KINDS && arrows[mark->kind].colour && x != last) {
            add_arrow(p, mark);
            last = x;
        }
    }
}

static void add_losses(struct picture *p)
{
    const struct sched_spans *s = p->w->spans;
    for (size_t c = 0; c < s->cpus; c++) {
        struct sched_range in = sched_marks_between(s, &s->cpu[c].marks, p->in.from_ns, UINT64_MAX);
        for (size_t i = in.first; s->cpu[c].losses && i < in.first + in.count; i++) {
            const struct sched_mark *mark = sched_mark_at(s, &s->cpu[c].marks, i);
            double from = x_of(p, sched_loss_start(s, mark)), to = x_of(p, mark->time_ns);
            if (mark->kind != SCHED_LOST || from >= DRAWN)
                continue;
            add_rect(p, "x", from, 0, to - from > 2 ? to - from : 2, (double)p->rows * ROW);
            buf_printf(p->out, "><title>%" PRIu32 " events of CPU %zu were lost</title></rect>\n",
                       mark->arg, c);
        }
    }
}

/* --- around them --- */

static void add_row(struct picture *p, size_t i)
{
    const struct shown *shown = &p->shown[i];
    char class[4];
    snprintf(class, sizeof class, "c%u", shown->row->number % 6);
    buf_printf(p->out, "<g transform=\"translate(%d,%zu)\">\n", LABELS, TOP + i * ROW);
    buf_printf(p->out, "<path class=\"l\" d=\"M%d %dH%d\"/>\n<text x=\"%d\" y=\"%d\">%" PRId32 " ",
               -LABELS + MARGIN, ROW, DRAWN, -LABELS + MARGIN, ROW - 9, shown->row->pid);
    xml_adds(p->out, sched_names_get(p->w->names, shown->row->pid));
    buf_printf(p->out, "</text><text class=\"q\" x=\"-8\" y=\"%d\" text-anchor=\"end\">", ROW - 9);
    sched_time_text(p->out, (int64_t)shown->ran_ns);
    buf_adds(p->out, "</text>\n");
    add_runs(p, shown->row, class);
    add_marks(p, shown->row);
    buf_adds(p->out, "</g>\n");
}

/* Without the zeros of round times. */
static void add_tick(struct buf *out, uint64_t ns)
{
    SCOPED_BUF text = BUF_INIT;
    sched_time_text(&text, (int64_t)ns);
    const char *zeros = strstr(buf_str(&text), ".000");
    if (zeros)
        buf_add(out, buf_str(&text), (size_t)(zeros - buf_str(&text)));
    buf_adds(out, zeros ? zeros + 4 : buf_str(&text));
}

static uint64_t tick_step(uint64_t length_ns)
{
    static const unsigned steps[] = {1, 2, 5};
    for (uint64_t ten = 1;; ten *= 10)
        for (size_t i = 0; i < 3; i++)
            if (length_ns / (steps[i] * ten) < 10)
                return steps[i] * ten;
}

static void add_ticks(struct picture *p, int height)
{
    uint64_t length = p->in.to_ns - p->in.from_ns, step = tick_step(length);
    for (uint64_t t = 0; t <= length; t += step) {
        double x = LABELS + x_of(p, p->in.from_ns + t);
        buf_printf(p->out,
                   "<path class=\"l\" d=\"M%.2f %dV%d\"/><text class=\"q\" x=\"%.2f\" "
                   "y=\"%d\" text-anchor=\"%s\">",
                   x, TOP - 4, height - FOOT, x > WIDTH - 2 * MARGIN ? WIDTH - 2.0 : x, TOP - 8,
                   x > WIDTH - 2 * MARGIN ? "end" : "middle");
        add_tick(p->out, t);
        buf_adds(p->out, "</text>\n");
    }
}

static void add_head(struct picture *p, int height)
{
    uint64_t lost = sched_lost(p->w->spans);
    buf_printf(p->out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
               "viewBox=\"0 0 %d %d\">\n<style>%s</style>\n<rect width=\"100%%\" "
               "height=\"100%%\" fill=\"#fff\"/>\n<text class=\"t\" x=\"%d\" y=\"24\">trace: ",
               WIDTH, height, WIDTH, height, style, MARGIN);
    xml_adds(p->out, p->w->title);
    buf_printf(p->out, "</text><text class=\"q\" x=\"%d\" y=\"24\" text-anchor=\"end\">",
               WIDTH - MARGIN);
    sched_time_text(p->out, (int64_t)(p->in.to_ns - p->in.from_ns));
    if (lost)
        buf_printf(p->out, "; %" PRIu64 " events lost", lost);
    sched_add_dropped(p->w->spans, p->out);
    if (p->left_out)
        buf_printf(p->out, "; %zu less active tasks not drawn", p->left_out);
    buf_adds(p->out, "</text>\n");
}

static int add_all(struct picture *p)
{
    int height = TOP + (int)p->rows * ROW + FOOT, r = 0;
    add_head(p, height);
    add_ticks(p, height);
    for (size_t i = 0; i < p->rows && r == 0; i++) {
        add_row(p, i);
        r = sched_export_flush(p->w, false);
    }
    buf_printf(p->out, "<g transform=\"translate(%d,%d)\">\n", LABELS, TOP);
    add_losses(p);
    buf_adds(p->out, "</g>\n</svg>\n");
    return r;
}

int sched_svg(const struct sched_export *w)
{
    struct picture p = {.w = w, .in = sched_window(w), .out = w->out};
    int r = choose_rows(&p) < 0 ? -ENOMEM : add_all(&p);
    free(p.shown);
    return r ? r : sched_export_flush(w, true);
}
