/* cpustat: the kernel's accounting of CPU time, as raw text. */
#pragma once

#include "core/base/buf.h"
#include "core/base/fail.h"

#include <stdint.h>

/* Appends /proc/stat, for core/procfs/cpu_stat.h. */
int cpustat_text(struct buf *out, struct fail *f);

/* Its ticks a second. */
uint64_t cpustat_hz(void);
