/*
 * The thread's time on a CPU without a system call. Each thread maps the page of a task-clock event
 * of its own: the kernel moves the page's lock whenever the thread is switched out or in. As long
 * as the lock stands still the thread runs, and its time is the processor's counter and an offset;
 * when it has moved, the offset is made anew from CLOCK_THREAD_CPUTIME_ID. Where perf events are
 * refused that clock itself is read each time.
 */
#include "cpu.h"
#include "event.h"

#include <linux/perf_event.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double ticks_a_ns;
static bool by_counter;
static size_t page_bytes;
const volatile uint32_t
    psprof_no_lock; /* of a thread without a page: its clock is always made anew */

static void *map_event(void)
{
    struct perf_event_attr a = {.type = PERF_TYPE_SOFTWARE,
                                .size = sizeof a,
                                .config = PERF_COUNT_SW_TASK_CLOCK,
                                .exclude_kernel = 1,
                                .exclude_hv = 1};
    int fd = (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (fd < 0)
        return NULL;
    void *page = mmap(NULL, page_bytes, PROT_READ, MAP_SHARED, fd, 0);
    close(fd); /* the mapping keeps the event */
    return page == MAP_FAILED ? NULL : page;
}

static uint64_t cpu_time(void)
{
    return (uint64_t)((double)rt_clock_ns(CLOCK_THREAD_CPUTIME_ID) * ticks_a_ns);
}

/* Where the thread's tree goes on from. */
static uint64_t not_back(const struct rt_thread *t, uint64_t now)
{
    now += t->clock_base + 1;
    return now < t->slot->last_ticks ? t->slot->last_ticks : now;
}

/* Offset and counter of one run between two switches. A handler that comes between makes its own.
 */
static uint64_t anew(void)
{
    struct rt_tls *t = &psprof_tls;
    if (!t->thread) /* asked for its steps */
        return by_counter ? cpu_ticks() : cpu_time();
    for (int tries = 0; t->thread->clock_page && tries < 100; tries++) {
        uint32_t seen = *t->clock_lock;
        uint64_t now = not_back(t->thread, cpu_time()), offset = now - cpu_ticks();
        if (seen != *t->clock_lock)
            continue;
        t->clock_offset = offset;
        RT_ORDERED();
        t->clock_seen = seen;
        return now;
    }
    return not_back(t->thread, cpu_time());
}

uint64_t rt_thread_clock(void)
{
    uint64_t now = rt_page_clock(&psprof_tls);
    return now ? now : anew();
}

/* Writes the header's clock. */
bool rt_thread_clock_start(struct psprof_header *h)
{
    page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    void *page = cpu_ticks_usable() ? map_event() : NULL;
    if (page)
        munmap(page, page_bytes);
    else
        h->ticks_per_second = 1000000000;
    strcpy(h->clock_name, page ? "cpu time by " : "thread cpu clock");
    if (page)
        strcat(h->clock_name, cpu_clock_name);
    by_counter = page != NULL;
    ticks_a_ns = (double)h->ticks_per_second / 1e9;
    return by_counter;
}

/* A tree that had other owners goes on where it stood. */
void rt_thread_clock_begin(struct rt_thread *t)
{
    if (psprof_clock != rt_thread_clock)
        return;
    t->clock_base = t->slot->last_ticks;
    struct perf_event_mmap_page *page = t->clock_page = by_counter ? map_event() : NULL;
    psprof_tls.clock_lock = page ? &page->lock : &psprof_no_lock;
    psprof_tls.clock_seen = *psprof_tls.clock_lock - 1;
}

void rt_thread_clock_end(struct rt_thread *t)
{
    void *page = t->clock_page;
    t->clock_page = NULL;
    psprof_tls.clock_lock = &psprof_no_lock;
    psprof_tls.clock_seen = psprof_no_lock - 1;
    RT_ORDERED();
    if (page)
        munmap(page, page_bytes);
}
