#include "uptime.h"

#include "core/base/buf.h"
#include "core/procfs/counters.h"
#include "plat/sysfile.h"

/* The first number of /proc/uptime. */
uint64_t uptime_ticks(uint64_t hz)
{
    SCOPED_BUF text = BUF_INIT;
    uint64_t ms = 0;
    if (sysfile_text("/proc/uptime", &text, NULL) == 0)
        kernel_load(buf_str(&text), &ms);
    return ms * hz / 1000;
}
