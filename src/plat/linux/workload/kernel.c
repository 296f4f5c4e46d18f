/* Known numbers of what the processor and the kernel count. */
#include "private.h"

#include "core/base/scan.h"
#include "core/base/time_ns.h"
#include "loop.h"
#include "plat/workload.h"
#include "process/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

int workload_counted(uint64_t amount, uint64_t *number)
{
    if (amount)
        workload_loop((unsigned long)amount);
    return 0;
}

/* --- faults --- */

/* Of single pages: no huge page is put there, nor any other large one. */
static char *map_pages(size_t bytes)
{
    char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    madvise(at, bytes, MADV_NOHUGEPAGE);
    return at;
}

/* Not instrumented: a sanitizer's own memory has faults, too. */
__attribute__((no_sanitize("address"))) static void touch_pages(volatile char *at, uint64_t pages,
                                                                size_t page)
{
    for (uint64_t i = 0; i < pages; i++)
        at[i * page] = 1;
}

int workload_faults(uint64_t amount, uint64_t *number)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *at = map_pages(amount * page);
    if (!at)
        return -errno;
    touch_pages(at, amount, page);
    munmap(at, amount * page);
    return 0;
}

/* On the CPU where it is. */
static void stay_here(void)
{
    cpu_set_t set;
    int cpu = sched_getcpu();
    CPU_ZERO(&set);
    if (cpu < 0 || cpu >= CPU_SETSIZE)
        return;
    CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
}

int workload_touch(uint64_t amount, uint64_t *number)
{
    enum { PAGES = 64 };
    static char *at;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    stay_here();
    if (!at && !(at = map_pages(PAGES * page)))
        return -errno;
    for (uint64_t left = amount; left;) {
        uint64_t pages = left < PAGES ? left : PAGES;
        if (madvise(at, PAGES * page, MADV_DONTNEED) < 0)
            return -errno;
        touch_pages(at, pages, page);
        left -= pages;
    }
    return 0;
}

/* --- switches --- */

int workload_switches(uint64_t amount, uint64_t *number)
{
    for (uint64_t i = 0; i < amount; i++)
        workload_sleep_ns(NS_PER_MS);
    return 0;
}

/* --- input and output --- */

/* What the kernel has counted of this process so far, and how long the text was: reading it counts,
 * too. */
static int read_counted(uint64_t *number, size_t *len)
{
    static const char *const key[] = {"rchar:", "wchar:", "syscr:", "syscw:"};
    char text[512];
    SCOPED_FD fd = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
    ssize_t n = descriptor_text(fd, text, sizeof text);
    if (n < 0)
        return -errno;
    *len = (size_t)n;
    for (size_t i = 0; i < WORKLOAD_NUMBERS; i++) {
        const char *at = scan_after(text, key[i]);
        if (!at || !scan_u64(&at, &number[i]))
            return -ENODATA;
    }
    return WORKLOAD_NUMBERS;
}

static int copy_blocks(uint64_t amount, int in, int out)
{
    static char block[WORKLOAD_READ_BYTES];
    for (uint64_t i = 0; i < amount; i++)
        if (read(in, block, WORKLOAD_READ_BYTES) != WORKLOAD_READ_BYTES ||
            write(out, block, WORKLOAD_WRITE_BYTES) != WORKLOAD_WRITE_BYTES)
            return -EIO;
    return 0;
}

static int copy_devices(uint64_t amount)
{
    SCOPED_FD in = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    SCOPED_FD out = open("/dev/null", O_WRONLY | O_CLOEXEC);
    return in < 0 || out < 0 ? -errno : copy_blocks(amount, in, out);
}

/* Where the kernel does not count (CONFIG_TASK_IO_ACCOUNTING) there are no numbers. */
int workload_io(uint64_t amount, uint64_t *number)
{
    uint64_t before[WORKLOAD_NUMBERS];
    size_t first, second;
    int counted = read_counted(before, &first), r = copy_devices(amount);
    if (r < 0 || counted < 0)
        return r;
    counted = read_counted(number, &second);
    for (size_t i = 0; i < WORKLOAD_NUMBERS; i++)
        number[i] -= before[i];
    number[0] -= first; /* the first reading */
    number[2] -= 1;
    return counted;
}
