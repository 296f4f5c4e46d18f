/* duration: reads a length of time as people type it: 5, 0.5s, 200ms, 2m. */
#pragma once

#include <stdbool.h>

/* A decimal number, and ns, us, ms, s, m, min or h; without a unit it is of bare_ns nanoseconds.
 * false, and ns as it was: not so, or not over 0. */
bool duration_parse(const char *text, double bare_ns, double *ns);
