#include "event_names.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#define CACHE(cache, op, result)                                                                   \
    PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##op << 8 |           \
                            PERF_COUNT_HW_CACHE_RESULT_##result << 16
#define HARD(event) PERF_TYPE_HARDWARE, PERF_COUNT_HW_##event
#define SOFT(event) PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##event

static const struct event_name known[] = {
    {"task-clock", NULL, SOFT(TASK_CLOCK)},
    {"cpu-clock", NULL, SOFT(CPU_CLOCK)},
    {"context-switches", "cs", SOFT(CONTEXT_SWITCHES)},
    {"cpu-migrations", "migrations", SOFT(CPU_MIGRATIONS)},
    {"page-faults", "faults", SOFT(PAGE_FAULTS)},
    {"minor-faults", NULL, SOFT(PAGE_FAULTS_MIN)},
    {"major-faults", NULL, SOFT(PAGE_FAULTS_MAJ)},
    {"alignment-faults", NULL, SOFT(ALIGNMENT_FAULTS)},
    {"emulation-faults", NULL, SOFT(EMULATION_FAULTS)},
    {"cycles", "cpu-cycles", HARD(CPU_CYCLES)},
    {"instructions", NULL, HARD(INSTRUCTIONS)},
    {"branches", "branch-instructions", HARD(BRANCH_INSTRUCTIONS)},
    {"branch-misses", NULL, HARD(BRANCH_MISSES)},
    {"cache-references", NULL, HARD(CACHE_REFERENCES)},
    {"cache-misses", NULL, HARD(CACHE_MISSES)},
    {"bus-cycles", NULL, HARD(BUS_CYCLES)},
    {"ref-cycles", NULL, HARD(REF_CPU_CYCLES)},
    {"stalled-cycles-frontend", "idle-cycles-frontend", HARD(STALLED_CYCLES_FRONTEND)},
    {"stalled-cycles-backend", "idle-cycles-backend", HARD(STALLED_CYCLES_BACKEND)},
    {"L1-dcache-loads", NULL, CACHE(L1D, READ, ACCESS)},
    {"L1-dcache-load-misses", NULL, CACHE(L1D, READ, MISS)},
    {"L1-dcache-stores", NULL, CACHE(L1D, WRITE, ACCESS)},
    {"L1-dcache-store-misses", NULL, CACHE(L1D, WRITE, MISS)},
    {"L1-icache-loads", NULL, CACHE(L1I, READ, ACCESS)},
    {"L1-icache-load-misses", NULL, CACHE(L1I, READ, MISS)},
    {"LLC-loads", NULL, CACHE(LL, READ, ACCESS)},
    {"LLC-load-misses", NULL, CACHE(LL, READ, MISS)},
    {"LLC-stores", NULL, CACHE(LL, WRITE, ACCESS)},
    {"LLC-store-misses", NULL, CACHE(LL, WRITE, MISS)},
    {"dTLB-loads", NULL, CACHE(DTLB, READ, ACCESS)},
    {"dTLB-load-misses", NULL, CACHE(DTLB, READ, MISS)},
    {"dTLB-stores", NULL, CACHE(DTLB, WRITE, ACCESS)},
    {"dTLB-store-misses", NULL, CACHE(DTLB, WRITE, MISS)},
    {"iTLB-loads", NULL, CACHE(ITLB, READ, ACCESS)},
    {"iTLB-load-misses", NULL, CACHE(ITLB, READ, MISS)},
    {"branch-loads", NULL, CACHE(BPU, READ, ACCESS)},
    {"branch-load-misses", NULL, CACHE(BPU, READ, MISS)},
    {"node-loads", NULL, CACHE(NODE, READ, ACCESS)},
    {"node-load-misses", NULL, CACHE(NODE, READ, MISS)},
};
enum { KNOWN = sizeof known / sizeof known[0] };

static bool is_name(const char *name, const char *text, size_t len)
{
    return name && strlen(name) == len && memcmp(name, text, len) == 0;
}

const struct event_name *event_name_find(const char *name, size_t len)
{
    for (size_t i = 0; i < KNOWN; i++)
        if (is_name(known[i].name, name, len) || is_name(known[i].alias, name, len))
            return &known[i];
    return NULL;
}

const struct event_name *event_name_at(size_t i)
{
    return i < KNOWN ? &known[i] : NULL;
}

bool event_name_raw(const char *name, size_t len, uint64_t *config)
{
    if (len < 2 || len > 17 || name[0] != 'r' ||
        strspn(name + 1, "0123456789abcdefABCDEF") < len - 1)
        return false;
    *config = strtoull(name + 1, NULL, 16);
    return true;
}

bool event_is_counter(uint32_t type)
{
    return type != PERF_TYPE_SOFTWARE && type != PERF_TYPE_TRACEPOINT;
}

bool event_in_kernel(uint32_t type, uint64_t config)
{
    return type == PERF_TYPE_TRACEPOINT ||
           (type == PERF_TYPE_SOFTWARE &&
            (config == PERF_COUNT_SW_CONTEXT_SWITCHES || config == PERF_COUNT_SW_CPU_MIGRATIONS));
}

bool event_is_clock(uint32_t type, uint64_t config)
{
    return type == PERF_TYPE_SOFTWARE &&
           (config == PERF_COUNT_SW_CPU_CLOCK || config == PERF_COUNT_SW_TASK_CLOCK);
}
