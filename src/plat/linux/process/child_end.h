/* child_end: converts the results of wait4 to those of plat/child.h. */
#pragma once

#include "plat/child.h"

#include <sys/resource.h>

/* Our own peak RSS so far, which a command started by us inherits as its floor. */
uint64_t child_floor_bytes(void);

/* real_ns and floor_rss_bytes are the caller's to fill. */
void child_end_of(int status, const struct rusage *used, struct child_end *out);
