#include "parts.h"

#include "core/doctor/facts.h"
#include "process/descriptors.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { US = 0, EVERYBODY = -1, INIT = 1 };

static const struct attempt {
    const char *key;
    uint32_t type;
    uint64_t config;
    int pid;
    bool kernel;
    uint64_t period; /* not 0: samples */
} probe_events[] = {
    {"perf.user", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, US, false, 0},
    {"perf.kernel", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, US, true, 0},
    {"perf.all", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, EVERYBODY, false, 0},
    {"perf.other", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, INIT, false, 0},
    {"perf.cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, US, false, 0},
    {"perf.instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, US, false, 0},
    {"perf.tlb_misses", PERF_TYPE_HW_CACHE,
     PERF_COUNT_HW_CACHE_DTLB | PERF_COUNT_HW_CACHE_OP_READ << 8 |
         PERF_COUNT_HW_CACHE_RESULT_MISS << 16,
     US, false, 0},
    {"perf.cycles_sampling", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, US, false, 1000000},
};

enum { PROBE_EVENTS = sizeof probe_events / sizeof probe_events[0], RING_PAGES = 1 + 8 };

static int open_event(const struct attempt *a)
{
    struct perf_event_attr attr = {
        .type = a->type,
        .size = sizeof attr,
        .config = a->config,
        .sample_period = a->period,
        .sample_type = a->period ? PERF_SAMPLE_IP : 0,
        .exclude_kernel = !a->kernel,
        .exclude_hv = !a->kernel,
    };
    int cpu = a->pid == EVERYBODY ? sched_getcpu() : -1;
    long fd = syscall(SYS_perf_event_open, &attr, a->pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
    return fd < 0 ? -errno : (int)fd;
}

static void burn_cpu(void)
{
    for (volatile int i = 0; i < 100000; i++)
        ;
}

static void probe_event(struct facts *out, const struct attempt *a)
{
    uint64_t count = 0;
    SCOPED_FD fd = open_event(a);
    if (fd < 0) {
        facts_fail(out, a->key, fd);
        return;
    }
    burn_cpu();
    if (read(fd, &count, sizeof count) == sizeof count)
        facts_addf(out, a->key, "%" PRIu64, count);
    else
        facts_fail(out, a->key, -errno);
}

static void probe_ring(struct facts *out)
{
    static const struct attempt sampler = {
        "perf.ring", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, US, false, 1000000};
    size_t len = RING_PAGES * (size_t)sysconf(_SC_PAGESIZE);
    SCOPED_FD fd = open_event(&sampler);
    void *at = fd < 0 ? MAP_FAILED : mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    probe_result(out, sampler.key, fd < 0 ? fd : at == MAP_FAILED ? -errno : 0);
    if (at != MAP_FAILED)
        munmap(at, len);
}

void probe_perf(struct facts *out)
{
    for (size_t i = 0; i < PROBE_EVENTS; i++)
        probe_event(out, &probe_events[i]);
    probe_ring(out);
}
