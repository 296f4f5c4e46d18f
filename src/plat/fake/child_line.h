/*
 * child_line: the scenario's commands, a line a run in the order in which they run; the last line
 * repeats: child exit=N signal=N core=1 real_ns=N user_ns=N sys_ns=N rss=BYTES floor=BYTES minor=N
 * major=N voluntary=N involuntary=N in=N out=N err=ERRNO COUNTER=N ... enabled=NS running=NS All
 * may be absent (0). err: the command could not be executed.
 */
#pragma once

#include "plat/child.h"

#include <stddef.h>

/* What follows `child' on the nth line (from 0), "" when the scenario has none. */
const char *child_line(size_t n);
void child_line_end(const char *line, struct child_end *out);
