/* stats_processes: reads /proc/PID/stat of all processes. */
#pragma once

#include "core/stats/usage.h"

enum { STATS_PROCESSES_MAX = 1 << 16 }; /* those beyond it are passed over */

/* add gets each process that can be read; its name is of that call only. */
void stats_processes_read(void (*add)(void *arg, const struct usage_process *p), void *arg);
