#include "plat/cpustat.h"

#include "plat/file.h"
#include "plat/proc.h"

enum { MAX_TEXT = 16 << 20 }; /* a line a CPU, and a number an interrupt */

int cpustat_text(struct buf *out, struct fail *f)
{
    return file_read("/proc/stat", MAX_TEXT, out, f);
}

uint64_t cpustat_hz(void)
{
    return proc_ticks_hz();
}
