/* Draws the table of processes below the graphs. */
#include "view_private.h"

#include "core/text/shown.h"

#include <inttypes.h>

enum { SHARE = 3 /* of the lines, at most one of so many */, MIN_ROWS = 3 };

static const struct style dim = {.fg = COLOUR_INDEX(245)};

int statsview_process_lines(const struct statsview *v, int lines, size_t graphs)
{
    int rows = lines / SHARE - 1;
    if (!v->processes || !v->top)
        return 0;
    if ((size_t)lines < graphs + 1 + MIN_ROWS)
        return 0;
    if ((size_t)(lines - rows - 1) < graphs)
        rows = lines - (int)graphs - 1;
    if (rows > STATS_TOP_MAX)
        rows = STATS_TOP_MAX;
    return rows < MIN_ROWS ? 0 : rows + 1;
}

static void draw_row(const struct stats_top *t, size_t i, struct canvas *c, int y)
{
    const struct stats_process *p = &t->process[i];
    char resident[STATS_TEXT];
    SCOPED_BUF name = BUF_INIT;
    stats_number_text((double)p->resident_bytes, resident);
    shown_adds(&name, p->name);
    int x = canvas_printf(c, 0, y, plain, "%7d", p->pid);
    x = canvas_printf(c, x, y, bold, "  %6.1f", stats_top_pct(t, i));
    x = canvas_printf(c, x, y, plain, "  %7sB  %7" PRIu64 "  %-5c  ", resident, p->threads,
                      p->state > ' ' && p->state < 0x7f ? p->state : '?');
    canvas_put(c, x, y, plain, buf_str(&name));
}

void statsview_draw_processes(const struct statsview *v, struct canvas *c, int y, int lines)
{
    const struct stats_top *t = v->top;
    SCOPED_BUF text = BUF_INIT;
    if (lines < 1)
        return;
    canvas_printf(c, 0, y, bold, "%7s  %6s  %8s  %7s  %-5s  program", "pid", "CPU %", "resident",
                  "threads", "state");
    if (v->held)
        buf_adds(&text, "only the newest are known");
    else if (!t->span_ns)
        buf_adds(&text, "first reading: no CPU time yet");
    if (text.len)
        canvas_put(c, 2, y + 1, dim, buf_str(&text));
    for (size_t i = 0; !text.len && i < t->count && (int)i + 1 < lines; i++)
        draw_row(t, i, c, y + 1 + (int)i);
}
