/* Boxes over the graphs: the menu of graphs, and help. */
#include "view_private.h"

enum { HELP_WIDTH = 62 };

static const struct style box_style = {.fg = COLOUR_INDEX(250)};

static void draw_box(struct canvas *c, struct canvas_rect r, const char *title)
{
    canvas_fill(c, r.x, r.y, r.width, r.height, plain, ' ');
    canvas_hline(c, r.x, r.y, r.width, box_style);
    canvas_hline(c, r.x, r.y + r.height - 1, r.width, box_style);
    for (int side = 0; side < 2; side++) {
        canvas_fill(c, r.x + side * (r.width - 1), r.y, 1, r.height, box_style, 0x2502);
        canvas_fill(c, r.x + side * (r.width - 1), r.y, 1, 1, box_style, side ? 0x2510 : 0x250C);
        canvas_fill(c, r.x + side * (r.width - 1), r.y + r.height - 1, 1, 1, box_style,
                    side ? 0x2518 : 0x2514);
    }
    canvas_put(c, r.x + 2, r.y, bold, title);
}

static int centre_offset(int whole, int part)
{
    return whole > part ? (whole - part) / 2 : 0;
}

void statsview_menu_place(int width, int height, int *x, int *y)
{
    *x = centre_offset(width, STATSVIEW_MENU_WIDTH);
    *y = centre_offset(height, statsview_menu_rows(height) + 2) + 1;
}

int statsview_menu_rows(int height)
{
    return height - 2 >= STATS_GRAPHS ? STATS_GRAPHS : height > 3 ? height - 2 : 1;
}

void statsview_draw_menu(const struct statsview *v, struct canvas *c)
{
    struct list graphs = v->graphs;
    int x, y, rows = statsview_menu_rows(c->height);
    list_go(&graphs, graphs.cursor, rows);
    int first = (int)graphs.first;
    statsview_menu_place(c->width, c->height, &x, &y);
    draw_box(c, (struct canvas_rect){x, y - 1, STATSVIEW_MENU_WIDTH, rows + 2},
             " add and drop: enter   back: esc ");
    for (int i = first; i < first + rows; i++) {
        const struct stats_graph_info *info = stats_graph_info((enum stats_graph)i);
        bool there = stats_chosen(&v->choice, (enum stats_graph)i);
        canvas_printf(c, x + 2, y + i - first, there ? bold : plain, "%c %c %-9s %-28s",
                      there ? '*' : ' ', stats_graph_letter((enum stats_graph)i), info->name,
                      info->summary);
        if ((size_t)i == graphs.cursor)
            canvas_restyle(c, x + 1, y + i - first, STATSVIEW_MENU_WIDTH - 2, 1, marked);
    }
}

void statsview_draw_help(const struct statsview *v, struct canvas *c)
{
    static const char *const lines[] = {
        "m             menu: add and remove graphs",
        "space         pause the view; sampling goes on",
        "left right    while paused: earlier, later",
        "+ -           double, halve the height of the graphs",
        "g             log axes: full scale at 2/3, three decades",
        "a             fit the scales, except percentages; again: undo",
        "o             overview: is the machine well?",
        "y             label the lines with values, for one CPU",
        "q ^C          quit",
        "",
        "The newest sample is at the right. A red number in a graph's",
        "upper left corner is a value that exceeds its scale.",
    };
    static const char *const replay[] = {
        "left right    one sample back, forward",
        "page up, down one minute back, forward",
        "home end      the first, the last",
        "< >           halve, double the speed",
    };
    enum { LINES = sizeof lines / sizeof *lines, REPLAY = sizeof replay / sizeof *replay };
    int more = v->replay ? REPLAY : v->top ? 1 : 0;
    int n = LINES + more, x = centre_offset(c->width, HELP_WIDTH + 4),
        y = centre_offset(c->height, n + 2);
    draw_box(c, (struct canvas_rect){x, y, HELP_WIDTH + 4, n + 2}, " help ");
    for (int i = 0; i < n; i++)
        canvas_put(c, x + 2, y + 1 + i, plain,
                   i < LINES   ? lines[i]
                   : v->replay ? replay[i - LINES]
                               : "t             show or hide the processes");
}
