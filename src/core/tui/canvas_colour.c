#include "canvas_parts.h"

enum { NAMED = 16, CUBE = 16, GREYS = 232, EACH = 6 };

struct rgb {
    int r, g, b;
};

/* xterm's palette: sixteen named colours, a cube of 6 x 6 x 6, 24 greys. */
static const struct rgb named[NAMED] = {
    {0, 0, 0},     {205, 0, 0},     {0, 205, 0},     {205, 205, 0},   {0, 0, 238}, {205, 0, 205},
    {0, 205, 205}, {229, 229, 229}, {127, 127, 127}, {255, 0, 0},     {0, 255, 0}, {255, 255, 0},
    {92, 92, 255}, {255, 0, 255},   {0, 255, 255},   {255, 255, 255},
};

static int step_to_level(int step)
{
    return step ? 55 + 40 * step : 0;
}

static struct rgb index_to_rgb(int index)
{
    if (index < NAMED)
        return named[index];
    if (index >= GREYS) {
        int grey = 8 + 10 * (index - GREYS);
        return (struct rgb){grey, grey, grey};
    }
    index -= CUBE;
    return (struct rgb){step_to_level(index / EACH / EACH), step_to_level(index / EACH % EACH),
                        step_to_level(index % EACH)};
}

static int rgb_distance(struct rgb a, struct rgb b)
{
    int r = a.r - b.r, g = a.g - b.g, bl = a.b - b.b;
    return r * r + g * g + bl * bl;
}

static int nearest_named(int index)
{
    struct rgb want = index_to_rgb(index);
    int best = 0;
    for (int i = 1; i < NAMED; i++)
        if (rgb_distance(named[i], want) < rgb_distance(named[best], want))
            best = i;
    return best;
}

uint16_t canvas_colour(uint16_t colour, int colours)
{
    int index = colour - 1;
    if (colours == 0 || index < 0 || index > 255)
        return COLOUR_DEFAULT;
    if (colours < 256 && index >= NAMED)
        index = nearest_named(index);
    if (colours < 16 && index == COLOUR_GREY - 1)
        return COLOUR_DEFAULT;
    return COLOUR_INDEX(colours < 16 ? index % 8 : index);
}
