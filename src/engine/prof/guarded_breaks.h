/* guarded_breaks: a command with breakpoints, whose callbacks read its files of code: these may
 * shrink meanwhile. */
#pragma once

#include "plat/breaks.h"

/* Runs the command to its end. *lost: breaks_lost. As breaks_command and breaks_run. */
int guarded_breaks(char *const *command, const struct breaks_callbacks *to, struct child_end *end,
                   uint64_t *lost, struct fail *f);
