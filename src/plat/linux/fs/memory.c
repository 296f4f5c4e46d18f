/* How much memory this process may use. */

#include "core/procfs/cgroup.h"
#include "core/procfs/meminfo.h"
#include "plat/sysfile.h"

#include <stdint.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

static size_t physical_memory_bytes(void)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    size_t bytes;
    if (pages <= 0 || __builtin_mul_overflow((size_t)pages, sysfile_page_bytes(), &bytes))
        return SIZE_MAX;
    return bytes;
}

/* UINT64_MAX where there is no such file, which is usual. */
static uint64_t group_limit(const char *file)
{
    SCOPED_BUF text = BUF_INIT;
    uint64_t bytes =
        sysfile_text(file, &text, NULL) < 0 ? UINT64_MAX : cgroup_memory_limit(buf_str(&text));
    return bytes;
}

/* What our control groups leave of it. */
static uint64_t group_memory_bytes(void)
{
    SCOPED_BUF own = BUF_INIT, files = BUF_INIT;
    uint64_t least = UINT64_MAX, limit;
    if (sysfile_text("/proc/self/cgroup", &own, NULL) == 0)
        cgroup_memory_files(buf_str(&own), &files);
    for (size_t at = 0; !buf_error(&files) && at < files.len; at += strlen(files.data + at) + 1)
        if ((limit = group_limit(files.data + at)) < least)
            least = limit;
    return least;
}

size_t sysfile_memory_bytes(void)
{
    size_t bytes = physical_memory_bytes();
    uint64_t least = group_memory_bytes();
    return least < bytes ? (size_t)least : bytes;
}

/* Less than what is available: without what the kernel could free. */
static uint64_t unused_memory_bytes(void)
{
    struct sysinfo s;
    return sysinfo(&s) == 0 ? (uint64_t)s.freeram * s.mem_unit : UINT64_MAX;
}

uint64_t sysfile_free_bytes(void)
{
    SCOPED_BUF text = BUF_INIT;
    struct meminfo m;
    uint64_t bytes = unused_memory_bytes(), limit = group_memory_bytes();
    if (sysfile_text("/proc/meminfo", &text, NULL) == 0 && meminfo_parse(buf_str(&text), &m))
        bytes = meminfo_free_bytes(&m);
    return limit < bytes ? limit : bytes;
}
