/* A graph's curve: an area of block elements, a column a sample. */
#include "view_private.h"

#include <math.h>

enum { EIGHTHS = 8, EIGHTH = 0x2580, FULL = 0x2588, HALF = 0x2584, SHADES = 4, HUES = 6 };

/* From the foot of a graph to its top. */
static const uint8_t hues[HUES][SHADES] = {
    {31, 38, 45, 51},     /* cyan */
    {28, 34, 76, 119},    /* green */
    {130, 172, 214, 221}, /* amber */
    {61, 99, 141, 183},   /* violet */
    {125, 161, 204, 211}, /* rose */
    {25, 33, 75, 117},    /* blue */
};

static struct style shade_at(size_t place, int from_foot, int rows)
{
    int n = rows > 1 ? from_foot * (SHADES - 1) / (rows - 1) : SHADES - 2;
    return (struct style){.fg = COLOUR_INDEX(hues[place % HUES][n])};
}

struct style statsview_hue(size_t place)
{
    struct style s = shade_at(place, SHADES - 2, SHADES);
    s.attr = STYLE_BOLD;
    return s;
}

/* A value's height in eighths of a cell; -1: nothing is drawn. One that is there has a
 * foot. */
static int height_in_eighths(const struct statsview *v, double value, double full, int rows)
{
    double height = stats_height(value, full, v->scale, v->log);
    if (isnan(height))
        return -1;
    double n = height * rows * EIGHTHS;
    return n < 1 ? 1 : n > rows * EIGHTHS ? rows * EIGHTHS : (int)n;
}

static uint32_t block_rune(const struct statsview *v, int level)
{
    if (level >= EIGHTHS)
        return FULL;
    return v->halves ? (level > EIGHTHS * 3 / 4 ? FULL : HALF) : (uint32_t)(EIGHTH + level);
}

void statsview_curve(const struct statsview *v, const struct statsview_source *s,
                     enum stats_graph graph, size_t place, struct canvas *c,
                     struct canvas_rect body)
{
    double full = statsview_full(v, s, graph, body.width);
    for (int x = 0; x < body.width; x++) {
        struct statsview_point p =
            statsview_ago(v, s, graph, v->held + (uint64_t)(body.width - 1 - x));
        int high = height_in_eighths(v, (double)p.value, full, body.height);
        for (int row = 0; row * EIGHTHS < high; row++)
            canvas_fill(c, body.x + x, body.y + body.height - 1 - row, 1, 1,
                        shade_at(place, row, body.height), block_rune(v, high - row * EIGHTHS));
    }
}
