/* A row's runs, an eighth of a column exact: blocks where it ran, lines where it waited to. */
#include "view_private.h"

#include "core/base/buf.h"
#include "core/text/counted.h"
#include "core/text/name_fit.h"
#include "core/tui/styles.h"

#include <inttypes.h>

enum {
    EIGHTHS = 8,
    FULL = 0x2588,
    LEFT_EIGHTH = 0x258F,
    RIGHT_EIGHTH = 0x2595,
    SHADE = 0x2591,
    ROW_LINES = 3
};

/* What is known of a column. */
struct column {
    double ran, waited;          /* of its time: 0 to 1 */
    const struct sched_row *row; /* whose run: the one that took most of it */
    double largest;
    bool from_start, to_end; /* ran as it began, as it ended */
    unsigned runs;
};

struct line {
    const struct timeline *t;
    const struct timeline_layout *l;
    const struct caps *caps;
    struct canvas *c;
    int y;
    struct column column[CANVAS_MAX_WIDTH];
};

/* One of six, of those that the terminal has. */
static struct style row_colour(const struct sched_row *row, const struct caps *caps)
{
    static const uint16_t many[] = {COLOUR_INDEX(216), COLOUR_INDEX(80), COLOUR_INDEX(178),
                                    COLOUR_INDEX(113), COLOUR_INDEX(75), COLOUR_INDEX(250)};
    static const uint16_t few[] = {COLOUR_MAGENTA, COLOUR_CYAN, COLOUR_YELLOW,
                                   COLOUR_GREEN,   COLOUR_BLUE, COLOUR_WHITE};
    uint32_t n = row ? row->number % 6 : 5;
    return (struct style){.fg = caps->colours >= 256 ? many[n] : few[n]};
}

/* --- what happened in each column --- */

/* The share of a column that [from, to) covers, in columns from the left edge. */
static double column_share(double from, double to, int column)
{
    double start = from > column ? from : column, end = to < column + 1 ? to : column + 1;
    return end > start ? end - start : 0;
}

static double column_of_time(const struct timeline_layout *l, uint64_t time_ns)
{
    double since =
        time_ns >= l->left_ns ? (double)(time_ns - l->left_ns) : -(double)(l->left_ns - time_ns);
    return since * l->width / (double)l->span_ns;
}

/* The columns that it touches. */
static bool columns_between(const struct timeline_layout *l, double from, double to, int *first,
                            int *last)
{
    if (to < 0 || from >= l->width)
        return false;
    *first = from < 0 ? 0 : (int)from;
    *last = to >= l->width ? l->width - 1 : (int)to;
    if (*last > *first && *last >= to)
        --*last; /* ends where that column begins */
    return true;
}

static void add_run(struct line *n, const struct sched_run *run)
{
    double from = column_of_time(n->l, run->start_ns), to = column_of_time(n->l, run->end_ns);
    int first, last;
    if (!columns_between(n->l, from, to, &first, &last))
        return;
    for (int i = first; i <= last; i++) {
        struct column *at = &n->column[i];
        double part = column_share(from, to, i);
        at->ran += part;
        at->runs++;
        at->from_start |= from <= i;
        at->to_end |= to >= i + 1;
        if (part >= at->largest) {
            at->largest = part;
            at->row = run->row;
        }
    }
}

static void add_wait(struct line *n, uint64_t from_ns, uint64_t to_ns)
{
    double from = column_of_time(n->l, from_ns), to = column_of_time(n->l, to_ns);
    int first, last;
    if (!from_ns || !columns_between(n->l, from, to, &first, &last))
        return;
    for (int i = first; i <= last; i++)
        n->column[i].waited += column_share(from, to, i);
}

static void measure_columns(struct line *n, size_t shown)
{
    const struct timeline *t = n->t;
    uint64_t right_ns = n->l->left_ns + n->l->span_ns;
    const struct sched_row *row = timeline_row(t, shown);
    struct sched_run run;
    for (size_t i = timeline_run_after(t, shown, n->l->left_ns); timeline_run(t, shown, i, &run);
         i++) {
        if (row)
            add_wait(n, run.ready_ns, run.start_ns);
        if (run.start_ns >= right_ns && (!run.ready_ns || run.ready_ns >= right_ns))
            break;
        add_run(n, &run);
    }
    if (row && row->ready)
        add_wait(n, row->since_ns, t->now_ns);
}

/* --- as cells --- */

/* Without colours a CPU's tasks differ by these. */
static uint32_t full_rune(const struct line *n, const struct column *at)
{
    static const uint32_t unicode[] = {FULL, SHADE + 2, SHADE + 1};
    unsigned which = !n->caps->colours && n->t->view.by_cpu && at->row ? at->row->number % 3 : 0;
    return n->caps->unicode ? unicode[which] : (uint32_t) "#%*"[which];
}

/* Without Unicode: how much of the column. */
static uint32_t ascii_rune(const struct line *n, const struct column *at)
{
    return at->ran > 0.7 ? full_rune(n, at) : at->ran > 0.35 ? '=' : '|';
}

static uint32_t block_rune(const struct line *n, const struct column *at, struct style *style)
{
    int eighths = (int)(at->ran * EIGHTHS + 0.5);
    if (eighths >= EIGHTHS)
        return full_rune(n, at);
    if (at->runs == 1 && at->from_start)
        return eighths ? (uint32_t)(LEFT_EIGHTH - eighths + 1) : LEFT_EIGHTH;
    if (at->runs == 1 && at->to_end) {
        if (eighths < 2)
            return RIGHT_EIGHTH;
        style->attr = STYLE_REVERSE; /* the rest of the column as a block in the paper's colour */
        return (uint32_t)(LEFT_EIGHTH - (EIGHTHS - eighths) + 1);
    }
    if (eighths < 2)
        return 0x2502;
    return eighths < 4 ? SHADE : eighths < 6 ? SHADE + 1 : SHADE + 2;
}

static void draw_column(struct line *n, int i, struct style row_style)
{
    const struct column *at = &n->column[i];
    uint64_t tick;
    int x = n->l->x + i;
    if (at->runs) {
        struct style style = n->t->view.by_cpu ? row_colour(at->row, n->caps) : row_style;
        uint32_t rune = n->caps->unicode ? block_rune(n, at, &style) : ascii_rune(n, at);
        canvas_fill(n->c, x, n->y, 1, 1, style, rune);
    } else if (at->waited > 0.15) {
        canvas_fill(n->c, x, n->y, 1, 1, row_style, n->caps->unicode ? 0x2500 : '-');
    } else if (timeline_big_tick(n->t, n->l, i, &tick)) {
        canvas_fill(n->c, x, n->y, 1, 1, grey, n->caps->unicode ? 0xB7 : '.');
    }
}

static void draw_columns(struct line *n, size_t shown)
{
    struct style style = row_colour(timeline_row(n->t, shown), n->caps);
    for (int i = 0; i < n->l->width; i++)
        draw_column(n, i, style);
}

/* In full columns of one run: a CPU's task, a task's CPU. */
static void label_run(struct line *n, const struct sched_run *run)
{
    double from = column_of_time(n->l, run->start_ns), to = column_of_time(n->l, run->end_ns);
    int first = from <= 0 ? 0 : (int)(from + 0.999),
        width = (int)(to > n->l->width ? n->l->width : to);
    struct style style = row_colour(run->row, n->caps);
    SCOPED_BUF text = BUF_INIT;
    if (n->caps->colours) {
        style.bg = style.fg;
        style.fg = COLOUR_BLACK;
    } else {
        style.attr = STYLE_REVERSE;
    }
    width -= first;
    if (n->t->view.by_cpu && run->row)
        buf_adds(&text, sched_names_get(n->t->names, run->row->pid));
    else if (!n->t->view.by_cpu)
        buf_printf(&text, "%d", run->cpu);
    bool cut = !n->t->view.by_cpu && (int)text.len > width - 1; /* half a number would be another */
    if (width >= 4 && text.len && run->cpu >= 0 && !cut) {
        canvas_clip(n->c, n->l->x + first, n->y, width - 1, 1);
        canvas_put(n->c, n->l->x + first, n->y, style, buf_str(&text));
        canvas_unclip(n->c);
    }
}

static void label_runs(struct line *n, size_t shown)
{
    struct sched_run run;
    for (size_t i = timeline_run_after(n->t, shown, n->l->left_ns);
         timeline_run(n->t, shown, i, &run); i++) {
        if (run.start_ns >= n->l->left_ns + n->l->span_ns)
            break;
        label_run(n, &run);
    }
}

/* --- the row's words --- */

static bool is_fitting(const struct buf *text, int width)
{
    return width >= 0 && text_columns(buf_str(text), text->len) <= (size_t)width;
}

/* In the format of trace(1); where that does not fit only the run time, or only the name: a number
 * is never cut. */
static void print_task(const struct timeline *t, const struct sched_row *row, int width,
                       struct buf *out)
{
    const char *name = sched_names_get(t->names, row->pid);
    sched_row_text(out, row, name, t->now_ns);
    if (is_fitting(out, width))
        return;
    buf_clear(out);
    buf_printf(out, "%" PRId32 " %s ", row->pid, name);
    sched_time_text(out, (int64_t)row->stats.run_ns);
    if (is_fitting(out, width))
        return;
    buf_clear(out);
    buf_printf(out, "%" PRId32 " %s", row->pid, name);
}

static void print_cpu_counts(const struct sched_cpu *cpu, struct buf *out)
{
    buf_printf(out, " | %s, %" PRIu64 " moved here", counted(cpu->runs, "run").text,
               cpu->migrations_in);
    if (cpu->lost)
        buf_printf(out, ", %" PRIu64 " lost", cpu->lost);
}

static void print_cpu(const struct timeline *t, const struct timeline_layout *l, size_t shown,
                      int width, struct buf *out)
{
    uint64_t ran = 0, end = l->left_ns + l->span_ns;
    uint64_t start = l->left_ns > sched_origin(t->spans) ? l->left_ns : sched_origin(t->spans);
    struct sched_run run;
    if (end > t->now_ns)
        end = t->now_ns;
    for (size_t i = timeline_run_after(t, shown, start); timeline_run(t, shown, i, &run); i++) {
        uint64_t from = run.start_ns > start ? run.start_ns : start;
        uint64_t to = run.end_ns < end ? run.end_ns : end;
        ran += to > from ? to - from : 0;
    }
    buf_printf(out, " busy %.1f%%", end > start ? 100.0 * (double)ran / (double)(end - start) : 0);
    SCOPED_BUF counts = BUF_INIT;
    print_cpu_counts(timeline_cpu(t, shown), &counts);
    if (is_fitting(&counts, width - (int)out->len))
        buf_add(out, counts.data, counts.len);
}

static void draw_text(const struct line *n, size_t shown, int width)
{
    const struct timeline *t = n->t;
    const struct sched_row *row = timeline_row(t, shown);
    SCOPED_BUF name = BUF_INIT, text = BUF_INIT;
    timeline_name(t, shown, &name);
    if (row)
        print_task(t, row, width, &text);
    else
        print_cpu(t, n->l, shown, width - (int)name.len, &text);
    canvas_clip(n->c, 0, n->y, width, 1);
    int x = canvas_put(n->c, 0, n->y, shown == t->view.rows.cursor ? marked : bold, buf_str(&name));
    canvas_put(n->c, x, n->y, quiet, buf_str(&text) + (row && text.len >= name.len ? name.len : 0));
    canvas_unclip(n->c);
}

void timeline_draw_row(const struct timeline *t, struct canvas *c, const struct caps *caps,
                       const struct timeline_layout *l, size_t shown, int y)
{
    struct line n = {.t = t, .l = l, .caps = caps, .c = c, .y = y};
    draw_text(&n, shown, l->x ? l->x - 1 : c->width);
    n.y = y + l->lines - 1;
    measure_columns(&n, shown);
    draw_columns(&n, shown);
    if (t->view.by_cpu && l->lines == ROW_LINES) { /* no arrows need the line between */
        n.y--;
        draw_columns(&n, shown);
        n.y++;
    }
    label_runs(&n, shown);
    timeline_draw_marks(t, c, caps, l, shown, l->lines == ROW_LINES ? y + 1 : n.y);
}
