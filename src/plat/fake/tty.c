/* tty WIDTH: standard error is a terminal of that width; default none. */
#include "plat/tty.h"

#include "scenario.h"

#include <stdlib.h>

int tty_err_width(void)
{
    const char *width = scenario_get("tty");
    return width ? atoi(width) : 0;
}
