/*
 * canvas_name: a function's name with its module, in what is left of a line of the canvas.
 */
#pragma once

#include "core/tui/canvas.h"

struct canvas_name {
    const char *name;
    const char *module; /* NULL or empty: none is shown */
    const char *match; /* is kept when the name is shortened (core/text/name_fit.h); may be empty */
    struct style style; /* of the name */
};

/* Puts `name [module]' at x; the name is shortened so that its module fits. Returns the column
 * after it. */
int canvas_put_name(struct canvas *c, int x, int y, const struct canvas_name *name);
