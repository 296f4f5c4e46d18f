/*
 * An event of the kernel for each thread: the clock of its time on a CPU, which takes samples (the
 * program's address alone, also when the kernel works for it or is interrupting it). What is used
 * of it is its page: its lock moves whenever the thread is switched out or in, and data_head with
 * each sample. The hooks look at both; no signal and no system call is needed. The ring is
 * overwritten: a thread that calls nothing for long needs no more than the number of its samples.
 *
 * Samples are so far apart that their interrupts take SHARE_PCT of the thread's time, by what one
 * takes on this machine (sample_cost.c), and no nearer than MIN_NS. Beyond MAX_NS there would be
 * too few of them, and there are none; so no machine is kept busy by its timer, however slow.
 * profsample in the environment takes the place of the measurement.
 *
 * For time in user mode alone (clock_user.c) it is an event that counts cycles and takes no sample.
 *
 * The event is closed at once and lives as long as its mapping, so that the program sees no
 * descriptor. A forked child has no such mapping, and one that was made by the system call itself
 * does not know: the hooks find the page by an offset that is wiped there.
 */
#include "event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    SHARE_PCT = 5,
    MIN_NS = 100000,
    MAX_NS = 1000000,
    TRIAL_NS = 50000,       /* while the cost is measured */
    MAX_ASKED_US = 1000000, /* profsample */
    MAX_EVENTS = 1024,      /* at a time: the kernel locks two pages for each */
    RING_PAGES = 1
};

const volatile struct rt_watch psprof_no_watch;
_Static_assert(sizeof psprof_no_watch >= sizeof(struct perf_event_mmap_page), "read as a page");

static size_t page_bytes;
static bool without_kernel, counts_cycles;
static bool has_events;    /* each thread gets one */
static uint32_t period_ns; /* between two samples; 0: the event takes none */
static unsigned events;

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
                                    .sample_period = period_ns,
                                    .sample_type = PERF_SAMPLE_REGS_USER,
                                    .sample_regs_user = UINT64_C(1) << RT_PERF_PC,
                                    .exclude_kernel = without_kernel,
                                    .exclude_hv = 1};
}

static int open_event(struct perf_event_attr a)
{
    return (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static void *map_event(int fd)
{
    void *page = mmap(NULL, (1 + RING_PAGES) * page_bytes, PROT_READ, MAP_SHARED, fd, 0);
    return page == MAP_FAILED ? NULL : page;
}

/* The mapping keeps the event. */
static void *event_page(void)
{
    int fd = open_event(counts_cycles ? cycles_attr() : samples_attr());
    if (fd < 0)
        return NULL;
    void *page = map_event(fd);
    close(fd);
    return page;
}

static void unmap_event(void *page)
{
    munmap(page, (1 + RING_PAGES) * page_bytes);
}

/* In memory that is wiped in a forked child; older kernels have none, and then there are no events.
 */
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

void rt_watch_free(struct rt_thread *t)
{
    if (t->watch)
        munmap(t->watch, page_bytes);
    t->watch = NULL;
}

static bool can_watch(void)
{
    struct rt_watch *watch = watch_new();
    if (watch)
        munmap(watch, page_bytes);
    return watch != NULL;
}

static bool can_map(void)
{
    void *page = event_page();
    if (page)
        unmap_event(page);
    return page != NULL;
}

/* --- how far apart the samples are --- */

static struct rt_sample_cost trial_cost(uint64_t ticks_per_second)
{
    struct rt_sample_cost cost = {0};
    period_ns = TRIAL_NS;
    struct perf_event_attr a = samples_attr();
    a.disabled = 1;
    int fd = open_event(a);
    void *page = fd < 0 ? NULL : map_event(fd);
    if (page) {
        cost = rt_sample_cost(fd, page, ticks_per_second);
        unmap_event(page);
    }
    if (fd >= 0)
        close(fd);
    return cost;
}

static uint32_t measured_period_ns(struct psprof_header *h)
{
    struct rt_sample_cost cost = trial_cost(h->ticks_per_second);
    bool slow = !cost.high_ns || cost.high_ns * 100 > (uint64_t)MAX_NS * SHARE_PCT;
    uint64_t ns = cost.typical_ns * 100 / SHARE_PCT, shown = slow ? cost.high_ns : cost.typical_ns;
    h->sample_cost_ns = shown < UINT32_MAX ? (uint32_t)shown : UINT32_MAX;
    if (slow) {
        h->sampling = cost.high_ns ? PSPROF_SAMPLES_SLOW : PSPROF_SAMPLES_UNKNOWN;
        return 0;
    }
    return ns > MIN_NS ? (uint32_t)ns : MIN_NS;
}

/* Microseconds; -1: not asked. */
static long asked_us(void)
{
    const char *word = getenv("profsample");
    if (!word || !*word)
        return -1;
    char *end;
    long us = strtol(word, &end, 10);
    if (!*end && us >= 0 && us <= MAX_ASKED_US)
        return us;
    rt_warn("profsample", "not a number of microseconds up to 1000000: using the default");
    return -1;
}

/* 0: none, and h->sampling says why. */
static uint32_t chosen_period_ns(struct psprof_header *h)
{
    long us = asked_us();
    if (us < 0)
        return measured_period_ns(h);
    if (us == 0)
        h->sampling = PSPROF_SAMPLES_UNWANTED;
    return us == 0 || us > MIN_NS / 1000 ? (uint32_t)us * 1000 : MIN_NS;
}

/* Most kernels that forbid sampling the kernel let a process sample itself. */
static bool can_sample(void)
{
    period_ns = MIN_NS;
    without_kernel = false;
    if (can_map())
        return true;
    without_kernel = true;
    return can_map();
}

bool rt_event_start(struct psprof_header *h)
{
    int kept = errno;
    page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    events = 0; /* a forked child has none yet */
    has_events = can_watch() && can_sample();
    h->sampling = has_events ? 0 : PSPROF_SAMPLES_REFUSED;
    period_ns = has_events ? chosen_period_ns(h) : 0;
    h->sample_ns = period_ns;
    if (period_ns && !without_kernel)
        h->sampling = PSPROF_SAMPLED_KERNEL;
    errno = kept;
    return has_events;
}

void rt_event_stop(void)
{
    has_events = counts_cycles = false;
}

bool rt_event_count(void)
{
    int kept = errno;
    page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    counts_cycles = true;
    counts_cycles = has_events = can_watch() && can_map();
    errno = kept;
    return has_events;
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
        note_lost("the counter was not always available: times are too small");
}

static void *new_page(struct rt_thread *t)
{
    if (!t->watch)
        t->watch = watch_new();
    if (!t->watch || __atomic_load_n(&events, __ATOMIC_RELAXED) >= MAX_EVENTS || rt_is_filtered())
        return NULL;
    return event_page();
}

static void count_unsampled(void)
{
    if (counts_cycles)
        note_lost("a thread had no counter: its times are 0");
    psprof_header->threads_unsampled++;
}

void rt_event_begin(struct rt_thread *t)
{
    void *page = has_events ? new_page(t) : NULL;
    if (has_events && !page)
        count_unsampled();
    if (page) {
        t->watch->offset = (uintptr_t)page - (uintptr_t)t->watch;
        __atomic_fetch_add(&events, 1, __ATOMIC_RELAXED);
    }
    psprof_tls.watch = page ? t->watch : &psprof_no_watch;
    rt_samples_drop(&psprof_tls);
}

void rt_event_end(struct rt_thread *t)
{
    void *page = (void *)rt_page_of(&psprof_tls);
    bool has_page = psprof_tls.watch->offset != 0;
    rt_event_check();
    psprof_tls.watch = &psprof_no_watch;
    RT_ORDERED();
    if (!has_page)
        return;
    t->watch->offset = 0;
    unmap_event(page);
    __atomic_fetch_sub(&events, 1, __ATOMIC_RELAXED);
}
