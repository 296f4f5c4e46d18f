/*
 * cpustat FILE: /proc/stat reads as FILE does; the nth line at the nth time, the last ever after.
 */
#include "plat/cpustat.h"

#include "plat/file.h"
#include "returns.h"
#include "scenario.h"

#include <errno.h>
#include <stddef.h>

int cpustat_text(struct buf *out, struct fail *f)
{
    static size_t asked;
    int r = scenario_fail("cpustat_text", f);
    if (r < 0)
        return r;
    const char *file = scenario_nth_or_last("cpustat", asked++);
    return file ? scenario_file(file, SIZE_MAX / 2, out, f) : fail_set(f, ENOENT, "/proc/stat");
}

RETURNS(100, uint64_t, cpustat_hz, void)
