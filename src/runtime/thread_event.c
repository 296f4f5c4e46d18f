/*
 * An event of the kernel for each thread: the clock of its time on a CPU, which takes a sample (the
 * program's address alone, also when the kernel works for it or is interrupting it) each SAMPLE_NS.
 * What is used of it is its page: its lock moves whenever the
 * thread is switched out or in, and data_head with each sample. The hooks look at both; no signal
 * and no system call is needed. The ring is overwritten: a thread that calls nothing for long needs
 * no more than the number of its samples.
 *
 * For time in user mode alone (clock_user.c) it is an event that counts cycles and takes no sample.
 *
 * A forked child has no such mapping, and one that was made by the system call itself does not
 * know: the hooks find the page by an offset that is wiped there.
 */
#include "event.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SAMPLE_NS = 100000, RING_PAGES = 1 };

const struct perf_event_mmap_page psprof_no_page;
const volatile struct rt_watch psprof_no_watch;

static size_t page_bytes;
static bool without_kernel, counts_cycles;

/* config1 on ARM: a counter that programs may read, of 64 bits. */
static struct perf_event_attr cycles_attr(void)
{
    return (struct perf_event_attr){.type = PERF_TYPE_HARDWARE,
                                    .size = sizeof(struct perf_event_attr),
                                    .config = PERF_COUNT_HW_CPU_CYCLES,
                                    .config1 = 3,
                                    .exclude_kernel = 1,
                                    .exclude_hv = 1};
}

static struct perf_event_attr samples_attr(void)
{
    return (struct perf_event_attr){.type = PERF_TYPE_SOFTWARE,
                                    .size = sizeof(struct perf_event_attr),
                                    .config = PERF_COUNT_SW_TASK_CLOCK,
                                    .sample_period = SAMPLE_NS,
                                    .sample_type = PERF_SAMPLE_REGS_USER,
                                    .sample_regs_user = UINT64_C(1) << RT_PERF_PC,
                                    .exclude_kernel = without_kernel,
                                    .exclude_hv = 1};
}

static int open_event(void)
{
    struct perf_event_attr a = counts_cycles ? cycles_attr() : samples_attr();
    return (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static void *map_event(void)
{
    int fd = open_event();
    if (fd < 0)
        return NULL;
    void *page = mmap(NULL, (1 + RING_PAGES) * page_bytes, PROT_READ, MAP_SHARED, fd, 0);
    close(fd); /* the mapping keeps the event */
    return page == MAP_FAILED ? NULL : page;
}

static void unmap_event(void *page)
{
    munmap(page, (1 + RING_PAGES) * page_bytes);
}

/* Kernels that let nobody sample the kernel let a process sample itself, mostly. */
static void *try_event(void)
{
    without_kernel = false;
    void *page = map_event();
    if (page)
        return page;
    without_kernel = true;
    return map_event();
}

bool rt_event_start(struct psprof_header *h)
{
    int kept = errno;
    page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    void *page = try_event();
    if (page)
        unmap_event(page);
    h->sample_ns = page ? SAMPLE_NS : 0;
    h->sampling = page && !without_kernel ? PSPROF_SAMPLED_KERNEL : 0;
    errno = kept;
    return page != NULL;
}

bool rt_event_count(bool on)
{
    int kept = errno;
    page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    counts_cycles = on;
    void *page = on ? map_event() : NULL;
    if (page)
        unmap_event(page);
    counts_cycles = page != NULL;
    errno = kept;
    return counts_cycles;
}

static struct rt_watch *watch_new(void)
{
    void *at = mmap(NULL, page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    if (madvise(at, page_bytes, MADV_WIPEONFORK) == 0)
        return at;
    munmap(at, page_bytes);
    return NULL;
}

static void note_lost(const char *what)
{
    strncpy(psprof_header->type_note, what, sizeof psprof_header->type_note - 1);
}

/* An event that others' events crowd out, or that is of another kind of CPU, waits. */
void rt_event_check(void)
{
    rt_page *page = rt_page_of(&psprof_tls);
    uint64_t enabled = page->time_enabled, running = page->time_running;
    if (counts_cycles && enabled > running && enabled - running > enabled / 100)
        note_lost("the counter was not always to be had: times are too small");
}

void rt_watch_free(struct rt_thread *t)
{
    if (t->watch)
        munmap(t->watch, page_bytes);
    t->watch = NULL;
}

void rt_event_begin(struct rt_thread *t)
{
    bool wanted = counts_cycles || psprof_header->sample_ns;
    void *page = NULL;
    if (wanted && !t->watch)
        t->watch = watch_new();
    if (wanted && t->watch)
        page = map_event();
    if (!page && counts_cycles)
        note_lost("a thread had no counter: its times are 0");
    if (page)
        t->watch->offset = (uintptr_t)page - (uintptr_t)&psprof_no_page;
    psprof_tls.watch = page ? t->watch : &psprof_no_watch;
    rt_samples_drop(&psprof_tls);
}

void rt_event_end(struct rt_thread *t)
{
    void *page = (void *)rt_page_of(&psprof_tls);
    rt_event_check();
    psprof_tls.watch = &psprof_no_watch;
    RT_ORDERED();
    if (page == (void *)&psprof_no_page)
        return;
    t->watch->offset = 0;
    unmap_event(page);
}
