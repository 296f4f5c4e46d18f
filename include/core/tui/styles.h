/* styles: what the views have in common: titles are bold, what matters less is quiet or grey, the
 * row of the cursor is marked. */
#pragma once

#include "core/tui/canvas.h"

static const struct style plain, bold = {.attr = STYLE_BOLD}, quiet = {.fg = COLOUR_CYAN},
                                 grey = {.fg = COLOUR_GREY}, marked = {.attr = STYLE_REVERSE};
