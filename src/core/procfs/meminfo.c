#include "core/procfs/meminfo.h"

#include "core/base/scan.h"

/* 0 where the kernel has no such line; one that is absurd is no more than can be summed. */
static uint64_t read_kb(const char *text, const char *key)
{
    uint64_t v = 0;
    scan_key(text, key, &v);
    return v < UINT64_MAX >> 12 ? v : UINT64_MAX >> 12;
}

bool meminfo_parse(const char *text, struct meminfo *out)
{
    uint64_t total, shared = read_kb(text, "Shmem:");
    if (!scan_key(text, "MemTotal:", &total))
        return false;
    struct meminfo m = {.total_kb = read_kb(text, "MemTotal:"),
                        .available_kb = read_kb(text, "MemAvailable:"),
                        .cma_free_kb = read_kb(text, "CmaFree:"),
                        .kernel_kb = read_kb(text, "SUnreclaim:") + read_kb(text, "KernelStack:") +
                                     read_kb(text, "PageTables:") + read_kb(text, "Percpu:"),
                        .programs_kb = read_kb(text, "AnonPages:") + shared,
                        .cached_kb = read_kb(text, "Buffers:") + read_kb(text, "Cached:") +
                                     read_kb(text, "SReclaimable:"),
                        .free_kb = read_kb(text, "MemFree:"),
                        .slab_kb = read_kb(text, "Slab:"),
                        .swap_total_kb = read_kb(text, "SwapTotal:"),
                        .swap_free_kb = read_kb(text, "SwapFree:")};
    m.cached_kb -= m.cached_kb > shared ? shared : m.cached_kb; /* Cached has it, too */
    if (!scan_after(text, "MemAvailable:"))
        m.available_kb = m.free_kb + read_kb(text, "Buffers:") + read_kb(text, "Cached:");
    *out = m;
    return true;
}

uint64_t meminfo_free_bytes(const struct meminfo *m)
{
    return m->available_kb > m->cma_free_kb ? (m->available_kb - m->cma_free_kb) << 10 : 0;
}
