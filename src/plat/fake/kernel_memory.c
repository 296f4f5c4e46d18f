/* kcore FILE: reads as /proc/kcore does; without it, the kernel has no such file. */
#include "plat/kernel_memory.h"

#include "returns.h"
#include "scenario.h"

#include <errno.h>
#include <string.h>

enum { MAX_BYTES = 1 << 20 };

int kernel_memory_open(struct fail *f)
{
    int r = scenario_fail("kernel_memory_open", f);
    if (r == 0 && !scenario_get("kcore"))
        r = fail_set(f, ENOENT, "/proc/kcore");
    return r;
}

RETURNS(, void, kernel_memory_close, int handle)

size_t kernel_memory_read(int handle, uint64_t offset, void *to, size_t len)
{
    SCOPED_BUF bytes = BUF_INIT;
    const char *file = scenario_get("kcore");
    scenario_file(file ? file : "", MAX_BYTES, &bytes, NULL);
    size_t left = offset < bytes.len ? bytes.len - (size_t)offset : 0;
    len = len < left ? len : left;
    if (len)
        memcpy(to, bytes.data + offset, len);
    return len;
}
