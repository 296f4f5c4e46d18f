/* Draws the live table: two summary lines, a header, rows, a line of keys. */
#include "top_rows.h"

#include "core/base/share.h"
#include "core/base/time_ns.h"
#include "core/text/counted.h"
#include "core/tui/styles.h"

#include <inttypes.h>

static const struct style kernel_style = {.fg = COLOUR_YELLOW};

/* Time is shown as a share of one CPU, events as a rate per second. */
static void draw_rates(const struct top *t, struct canvas *c)
{
    int x = canvas_put(c, 0, 0, bold, "tprof ");
    if (!t->sum.time_ns) {
        canvas_put(c, x, 0, plain, "waiting for samples");
        return;
    }
    x = canvas_printf(c, x, 0, plain, "%s: ", t->method ? t->method : "");
    if (t->clock) {
        x = canvas_printf(c, x, 0, plain, "CPU %.1f%%",
                          share_pct(t->sum.now - t->sum.now_wait, t->sum.span_ns));
        if (t->waits)
            x = canvas_printf(c, x, 0, plain, ", waiting %.1f%%",
                              share_pct(t->sum.now_wait, t->sum.span_ns));
        if (t->kernel)
            x = canvas_printf(c, x, 0, plain, ", kernel %.1f%%",
                              share_pct(t->sum.now_kernel, t->sum.span_ns));
        if (t->sum.idle)
            canvas_printf(c, x, 0, plain, ", idle %.1f%%",
                          share_pct(t->sum.now_idle, t->sum.span_ns));
    } else {
        canvas_printf(c, x, 0, plain, "%.0f/s",
                      t->sum.span_ns ? (double)t->sum.now * 1e9 / (double)t->sum.span_ns : 0.0);
    }
}

static void draw_state(const struct top *t, struct canvas *c)
{
    static const char *const bys[] = {"function", "module", "thread", "process"};
    static const char *const sorts[] = {"now", "total", "name"};
    int x = canvas_printf(c, 0, 1, plain, "%s, %" PRIu64 " lost; by %s, sorted by %s",
                          counted(t->sum.samples, "sample").text, t->sum.lost,
                          bys[t->view.into ? TOP_FUNCTION : t->view.by], sorts[t->view.sort]);
    if (t->view.into)
        x = canvas_printf(c, x, 1, bold, "; in %s", t->view.inside_name);
    if (t->view.filter[0] || t->view.typing)
        x = canvas_printf(c, x, 1, bold, "; /%s%s", t->view.filter, t->view.typing ? "_" : "");
    if (t->view.paused)
        x = canvas_put(c, x, 1, marked, " paused ");
    if (t->err)
        canvas_put(c, x, 1, marked, " out of memory ");
}

static void draw_row(const struct top *t, struct canvas *c, int y, const struct top_row *row,
                     bool selected)
{
    struct style name = row->kernel ? kernel_style : plain;
    int x = canvas_printf(c, 0, y, plain, "%6.1f %6.1f ", share_pct(row->now, t->sum.now),
                          share_pct(row->total, t->sum.total));
    uint64_t ran = row->total - row->wait;
    uint64_t amount = t->clock ? (ran + NS_PER_MS / 2) / NS_PER_MS : ran;
    x = canvas_printf(c, x, y, quiet, "%9" PRIu64 "  ", amount);
    if (t->waits)
        x = canvas_printf(c, x, y, quiet, "%9" PRIu64 "  ",
                          (row->wait + NS_PER_MS / 2) / NS_PER_MS);
    canvas_put_name(c, x, y, &(struct canvas_name){row->name, row->module, t->view.filter, name});
    if (selected)
        canvas_restyle(c, 0, y, c->width, 1, marked);
}

static void draw_rows(const struct top *t, struct canvas *c)
{
    int lines = top_row_lines(c->height);
    canvas_printf(c, 0, 2, bold, "%6s %6s %9s  %s%s", "now %", "all %",
                  !t->sum.time_ns ? ""
                  : t->clock      ? "ms"
                                  : "count",
                  t->waits ? "     wait  " : "",
                  t->view.by == TOP_FUNCTION || t->view.into ? "function" : "name");
    for (int i = 0; i < lines && t->view.list.first + (size_t)i < t->view.list.count; i++)
        draw_row(t, c, 3 + i, top_shown(t, t->view.list.first + (size_t)i),
                 t->view.list.first + (size_t)i == t->view.list.cursor);
    if (!t->view.list.count)
        canvas_put(c, 2, 4, plain, t->view.filter[0] ? "nothing of that name" : "no samples yet");
}

static void draw_help(struct canvas *c)
{
    static const char *const lines[] = {
        "f m t p     rows are functions, modules, threads, processes",
        "enter esc   open the thread, process or module; go back",
        "s           sort by: now, total, name",
        "/           show only names with this text; esc: all",
        "space       pause the view; sampling goes on",
        "arrows page home end, wheel, click    move the cursor",
        "q ^C        quit, and print the report",
        "",
        "now %       share of what was sampled in the last second",
        "all %       share of everything sampled so far",
        "CPU 200%    two CPUs were busy",
    };
    for (int i = 0; i < (int)(sizeof lines / sizeof *lines); i++)
        canvas_put(c, 4, 4 + i, plain, lines[i]);
}

static void draw_keys(const struct top *t, struct canvas *c)
{
    const char *keys =
        "q end h help  f function m module t thread p process  s sort / filter space stop";
    canvas_put(c, 0, c->height - 1, quiet, t->view.answer.text[0] ? t->view.answer.text : keys);
}

void top_draw(const struct top *t, struct canvas *c)
{
    canvas_clear(c);
    draw_rates(t, c);
    draw_state(t, c);
    if (t->view.help)
        draw_help(c);
    else
        draw_rows(t, c);
    draw_keys(t, c);
}
