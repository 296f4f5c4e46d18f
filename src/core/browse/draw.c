/* Draws the browser: what is shown, of which samples, those over time, a header, rows, keys. */
#include "private.h"

#include "core/stacks/format.h"
#include "core/text/counted.h"
#include "core/tui/styles.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct style kernel_style = {.fg = COLOUR_YELLOW}, hot = {.fg = COLOUR_GREEN},
                          hottest = {.fg = COLOUR_RED};

enum { HOT_PCT = 5 }; /* of a function's samples, as in perf annotate */

static struct call_scale scale_of(const struct browse *b)
{
    const struct stacks *s = b->graph.stacks;
    return call_scale_of(&s->value[s->values - 1], b->graph.whole);
}

/* --- the head --- */

static void draw_title(const struct browse *b, struct canvas *c)
{
    static const char *const titles[] = {"functions", "modules",     "threads",     "processes",
                                         "call tree", "callees of ", "callers of ", ""};
    static const char *const sorts[] = {"self", "total", "name"};
    enum browse_view view = b->place.view;
    int x = canvas_put(c, 0, 0, bold, "tprof ");
    x = canvas_printf(c, x, 0, plain, "%.40s: ", b->source.name);
    if (b->source.sampled_by)
        x = canvas_printf(c, x, 0, bold, "%.40s: ", b->source.sampled_by);
    x = canvas_put(c, x, 0, bold, titles[view]);
    if (view < BROWSE_TREE) {
        canvas_printf(c, x, 0, plain, ", sorted by %s", sorts[b->sort]);
    } else if (view > BROWSE_TREE) {
        const struct call_row *row = &b->graph.tree.rows.row[b->place.function];
        canvas_put_name(c, x, 0, &(struct canvas_name){row->name, row->module, "", bold});
    }
}

static void browse_seconds(char *to, size_t size, const struct browse *b, uint64_t ns)
{
    double all = (double)b->graph.duration_ns / 1e9;
    snprintf(to, size, "%.*f", all >= 10 ? 2 : all >= 0.1 ? 3 : 6, (double)ns / 1e9);
}

static int draw_filters(const struct browse *b, struct canvas *c, int x)
{
    const struct stacks *s = b->graph.stacks;
    char from[32], to[32];
    if (b->scope.by_process)
        x = canvas_printf(c, x, 1, bold, "; in process %" PRIu32, b->scope.pid);
    if (b->scope.thread != STACKS_NONE)
        x = canvas_printf(c, x, 1, bold, "; in thread %" PRIu32 " %s",
                          s->thread[b->scope.thread].tid, s->thread[b->scope.thread].name);
    if (b->place.view == BROWSE_FUNCTIONS && b->place.module != UINT32_MAX)
        x = canvas_printf(c, x, 1, bold, "; in %s", b->graph.module[b->place.module]);
    if (b->scope.by_time) {
        browse_seconds(from, sizeof from, b, b->scope.from_ns);
        browse_seconds(to, sizeof to, b, b->scope.to_ns);
        x = canvas_printf(c, x, 1, bold, "; %s-%s s", from, to);
    }
    if (b->pattern[0])
        x = canvas_printf(c, x, 1, bold, "; /%s", b->pattern);
    return x;
}

static void draw_sums(const struct browse *b, struct canvas *c)
{
    struct call_scale scale = scale_of(b);
    SCOPED_BUF text = BUF_INIT;
    call_amount(&scale, 0, (double)b->graph.tree.total, &text);
    if (b->graph.tree.total != b->graph.whole) {
        buf_adds(&text, " of ");
        call_amount(&scale, 0, (double)b->graph.whole, &text);
    }
    buf_printf(&text, " %s", scale.unit);
    if (b->graph.samples && !scale.bare)
        buf_printf(&text, ", %s", counted(b->graph.samples, "sample").text);
    int x = canvas_put(c, 0, 1, plain, buf_str(&text));
    x = draw_filters(b, c, x);
    if (b->branches.err == -EFBIG)
        canvas_put(c, x, 1, marked, " the tree is too large ");
    else if (b->rows.err || b->branches.err || b->text.err)
        canvas_put(c, x, 1, marked, " out of memory ");
    else if (b->graph.stacks->origin.method[0])
        canvas_printf(c, x, 1, quiet, "; %s", b->graph.stacks->origin.method);
}

/* --- samples over time --- */

void browse_strip(const struct browse *b, int width, int *x, int *columns)
{
    char end[32];
    browse_seconds(end, sizeof end, b, b->graph.duration_ns);
    *x = 2;
    *columns = width - *x - 3 - (int)strlen(end);
    *columns = *columns < 0 ? 0 : *columns > BROWSE_BINS ? BROWSE_BINS : *columns;
}

static uint64_t column_amount(const struct browse *b, int column, int columns)
{
    int first = column * BROWSE_BINS / columns, end = (column + 1) * BROWSE_BINS / columns;
    uint64_t sum = 0;
    for (int i = first; i < end; i++)
        sum += b->graph.bin[i];
    return sum;
}

static bool is_in_time(const struct browse *b, int column, int columns)
{
    double at = (column + 0.5) / columns * (double)b->graph.duration_ns;
    return !b->scope.by_time || (at >= (double)b->scope.from_ns && at < (double)b->scope.to_ns);
}

static void draw_strip(const struct browse *b, struct canvas *c)
{
    int x, columns, y = BROWSE_STRIP_LINE;
    uint64_t max = 0;
    char end[32];
    if (!b->graph.duration_ns) {
        canvas_put(c, 0, y, grey,
                   "no graph over time: the times of the samples are not known, "
                   "or they are too many");
        return;
    }
    browse_strip(b, c->width, &x, &columns);
    for (int i = 0; i < columns; i++)
        max = column_amount(b, i, columns) > max ? column_amount(b, i, columns) : max;
    canvas_put(c, 0, y, grey, "0");
    for (int i = 0; i < columns; i++) {
        uint64_t amount = column_amount(b, i, columns);
        uint32_t rune = amount ? 0x2581 + (uint32_t)((double)amount / (double)max * 7.99) : ' ';
        canvas_fill(c, x + i, y, 1, 1, is_in_time(b, i, columns) ? hot : grey,
                    rune > 0x2588 ? 0x2588 : rune);
    }
    browse_seconds(end, sizeof end, b, b->graph.duration_ns);
    canvas_printf(c, x + columns + 1, y, grey, "%s s", end);
}

/* --- rows --- */

static void draw_header(const struct browse *b, struct canvas *c)
{
    struct call_scale scale = scale_of(b);
    SCOPED_BUF text = BUF_INIT;
    int width = scale.width > 5 ? scale.width : 5;
    if (b->place.view == BROWSE_TEXT_OF)
        buf_printf(&text, "     %% %*s  %s", width, scale.unit,
                   b->text.file    ? b->text.file
                   : b->text.count ? "instructions"
                                   : "");
    else
        buf_printf(&text, "self %% total %% %*s %*s  %s", width, "self", width,
                   scale.bare ? "total" : scale.unit,
                   b->place.view == BROWSE_MODULES     ? "module"
                   : b->place.view == BROWSE_THREADS   ? "thread"
                   : b->place.view == BROWSE_PROCESSES ? "process"
                                                       : "function");
    canvas_put(c, 0, BROWSE_HEAD - 1, bold, buf_str(&text));
}

/* The indent of a branch, and whether it unfolds. The outer levels of one that is very deep are
 * left out. */
static int draw_branch_mark(const struct browse *b, struct canvas *c, int x, int y, uint32_t id)
{
    const struct browse_branch *branch = &b->branches.at[id];
    int max = (c->width - x) / 3, indent = 2 * (int)(branch->level < 1000 ? branch->level : 1000);
    if (indent > max) {
        canvas_put(c, x, y, grey, "..");
        indent = max;
    }
    const char *mark = branch->leaf ? "  " : branch->unfolded ? "- " : "+ ";
    return canvas_put(c, x + indent, y, quiet, mark);
}

static int draw_numbers(const struct browse *b, struct canvas *c, int y,
                        const struct browse_sums *sums, bool self)
{
    struct call_scale scale = scale_of(b);
    SCOPED_BUF text = BUF_INIT;
    int width = scale.width > 5 ? scale.width : 5;
    uint64_t all = b->graph.tree.total;
    if (self)
        buf_printf(&text, "%6.2f %7.2f ", share_pct(sums->self, all), share_pct(sums->total, all));
    else
        buf_printf(&text, "%6s %7.2f ", "", share_pct(sums->total, all));
    if (self)
        call_amount(&scale, width, (double)sums->self, &text);
    else
        buf_printf(&text, "%*s", width, "");
    buf_addc(&text, ' ');
    call_amount(&scale, width, (double)sums->total, &text);
    buf_adds(&text, "  ");
    return canvas_put(c, 0, y, plain, buf_str(&text));
}

static bool is_kernel(const struct browse *b, uint32_t row)
{
    const struct stacks_function *f = browse_row_function(&b->graph, row);
    return f && f->kind == STACKS_KERNEL;
}

static void draw_row(const struct browse *b, struct canvas *c, int y, const struct browse_row *row)
{
    bool tree = browse_is_tree(b->place.view), list = b->place.view == BROWSE_FUNCTIONS;
    uint32_t function = tree ? b->branches.at[row->id].row : row->id;
    bool has_self =
        list || b->place.view == BROWSE_MODULES || (tree && b->place.view != BROWSE_CALLERS);
    int x = draw_numbers(b, c, y, &row->sums, has_self);
    if (tree)
        x = draw_branch_mark(b, c, x, y, row->id);
    struct style style = (tree || list) && is_kernel(b, function) ? kernel_style : plain;
    x = canvas_put_name(c, x, y, &(struct canvas_name){row->name, row->module, b->pattern, style});
    if (tree && b->branches.at[row->id].depth > 1)
        canvas_printf(c, x, y, quiet, " x%" PRIu32, b->branches.at[row->id].depth);
}

/* Tabs stop at every eighth column of the line. */
static void expand_tabs(const char *line, struct buf *out)
{
    size_t column = 0;
    for (; *line && column < CANVAS_MAX_WIDTH; line++) {
        do
            buf_addc(out, *line == '\t' ? ' ' : *line);
        while (++column % 8 && *line == '\t');
    }
}

static void draw_text_row(const struct browse *b, struct canvas *c, int y, size_t at)
{
    struct call_scale scale = scale_of(b);
    const struct annotate_sum *sum = &b->text.row[at].sum;
    SCOPED_BUF numbers = BUF_INIT, line = BUF_INIT;
    int width = scale.width > 5 ? scale.width : 5;
    double share = share_pct(sum->weight, b->text.sum.weight);
    if (sum->samples) {
        buf_printf(&numbers, "%6.2f ", share);
        call_amount(&scale, width, (double)sum->weight, &numbers);
    }
    expand_tabs(annotate_row_text(&b->text, at), &line);
    canvas_put(c, 0, y, share >= HOT_PCT ? hottest : hot, buf_str(&numbers));
    canvas_put(c, 7 + width + 2, y, plain, buf_str(&line));
}

static const char *why_empty(const struct browse *b)
{
    enum browse_view view = b->place.view;
    if (view == BROWSE_TEXT_OF)
        return b->no_text[0][0] ? b->no_text[0] : "none of its lines is known";
    if (b->pattern[0] && !browse_is_tree(view))
        return "no row has this text";
    if (!b->graph.stacks->threads && (view == BROWSE_THREADS || view == BROWSE_PROCESSES))
        return "the recording does not distinguish threads and processes";
    return "no samples";
}

static void draw_rows(struct browse *b, struct canvas *c)
{
    list_go(&b->list, b->list.cursor, b->lines);
    draw_header(b, c);
    for (int i = 0; i < b->lines && b->list.first + (size_t)i < b->list.count; i++) {
        size_t at = b->list.first + (size_t)i;
        int y = BROWSE_HEAD + i;
        if (b->place.view == BROWSE_TEXT_OF)
            draw_text_row(b, c, y, at);
        else
            draw_row(b, c, y, &b->rows.row[at]);
        if (at == b->list.cursor)
            canvas_restyle(c, 0, y, c->width, 1, marked);
    }
    if (!b->list.count)
        canvas_put(c, 2, BROWSE_HEAD + 1, plain, why_empty(b));
    if (!b->list.count && b->place.view == BROWSE_TEXT_OF)
        canvas_put(c, 2, BROWSE_HEAD + 2, plain, b->no_text[1]);
}

/* --- keys --- */

static void draw_help(const struct browse *b, struct canvas *c)
{
    static const char switch_events[] = "E            the samples of the next event";
    static const char *const lines[] = {
        "f m t p      functions, modules, threads, processes",
        "c            the call tree, from the outermost functions down",
        "d u          callees (down) and callers (up) of the marked function",
        "a            its source, or its instructions; again: the other",
        "Enter Right  open: functions of a module, thread or process; callees; a branch",
        "Left         close a branch, go to the one around it; back",
        "Esc          back; first it ends what / selected",
        "e            open all branches below that have 1% or more",
        "s            sort by self, total, name",
        "/            show only names with this text; in trees and source: search",
        "n N          next, previous match",
        "[ ]          in source: previous, next line with samples",
        "+ - < >      half of the time, twice as much, earlier, later; or drag over it",
        "r            enter a range of time, as 2.5-4: seconds; nothing: all",
        "arrows page home end, wheel, click    move the cursor",
        "q ^C         quit",
        "",
        "self %       share of the samples shown: in the function itself",
        "total %      the same with all that it called; of callers: what they called",
    };
    for (int i = 0; i < (int)(sizeof lines / sizeof *lines); i++)
        canvas_put(c, 2, BROWSE_HEAD - 1 + i, plain,
                   !lines[i][0] && b->source.sampled_by ? switch_events : lines[i]);
}

static void draw_keys(const struct browse *b, struct canvas *c)
{
    int y = c->height - 1;
    if (b->typing)
        canvas_printf(c, 0, y, plain, b->typing == BROWSE_RANGE ? "seconds, FROM-TO: %s_" : "/%s_",
                      b->typed);
    else if (b->said[0])
        canvas_put(c, 0, y, plain, b->said);
    else
        canvas_put(
            c, 0, y, quiet,
            b->source.sampled_by
                ? "q quit h help E event  f functions c tree  d callees u callers a source"
                : "q quit h help  f functions c tree  d callees u callers a source  t p / r");
}

void browse_draw(struct browse *b, struct canvas *c)
{
    b->lines = c->height > BROWSE_HEAD + 1 ? c->height - BROWSE_HEAD - 1 : 0;
    canvas_clear(c);
    draw_title(b, c);
    draw_sums(b, c);
    if (b->help) {
        draw_help(b, c);
    } else {
        draw_strip(b, c);
        draw_rows(b, c);
    }
    draw_keys(b, c);
}
