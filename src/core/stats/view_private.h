/* statsview_parts: what the files of core/stats/view.h share. */
#pragma once

#include "core/stats/view.h"
#include "core/tui/styles.h"

/* The value so many samples before the newest; NAN where there is none. */
struct statsview_point statsview_ago(const struct statsview *v, const struct statsview_source *s,
                                     enum stats_graph graph, uint64_t ago);

/* The sample at the right edge as a value; its full scale is that of so many visible columns. */
struct stats_value statsview_now(const struct statsview *v, const struct statsview_source *s,
                                 enum stats_graph graph, int columns);

/* The full scale of a graph; one that fits is the next 1, 2 or 5 times a power of ten over what all
 * sources have in so many columns. */
double statsview_full(const struct statsview *v, const struct statsview_source *s,
                      enum stats_graph graph, int columns);

/* No source has had a value of it, and there was time for one. */
bool statsview_is_dead(const struct statsview *v, enum stats_graph graph);

/* How many of the newest samples are remembered. */
uint64_t statsview_remembered(const struct statsview *v);

/* One graph's curve. Its cells that stay empty are not drawn. */
void statsview_curve(const struct statsview *v, const struct statsview_source *s,
                     enum stats_graph graph, size_t place, struct canvas *c,
                     struct canvas_rect body);
/* The colour of a graph's name: that of its curve at the top. */
struct style statsview_hue(size_t place);

/* Below the graphs: the lines that it takes of so many, which as many graphs share; and drawing it
 * there. */
int statsview_process_lines(const struct statsview *v, int lines, size_t graphs);
void statsview_draw_processes(const struct statsview *v, struct canvas *c, int y, int lines);

/* Over the graphs. */
void statsview_draw_menu(const struct statsview *v, struct canvas *c);
void statsview_draw_help(const struct statsview *v, struct canvas *c);

/* Where the menu's first row is, and the box's left edge. */
void statsview_menu_place(int width, int height, int *x, int *y);
/* How many rows it has: what does not fit is scrolled. */
int statsview_menu_rows(int height);
enum { STATSVIEW_MENU_WIDTH = 46 };
