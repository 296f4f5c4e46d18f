#include "perfdata_parts.h"

#include <inttypes.h>

enum { TYPE_HARDWARE, TYPE_SOFTWARE, TYPE_TRACEPOINT, TYPE_CACHE, TYPE_RAW, TYPE_BREAKPOINT };

static const char *const hardware[] = {"cycles",
                                       "instructions",
                                       "cache-references",
                                       "cache-misses",
                                       "branches",
                                       "branch-misses",
                                       "bus-cycles",
                                       "stalled-cycles-frontend",
                                       "stalled-cycles-backend",
                                       "ref-cycles"};

static const char *const software[] = {
    "cpu-clock",        "task-clock",   "page-faults",  "context-switches",
    "cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
    "emulation-faults", "dummy",        "bpf-output",   "cgroup-switches"};

static const char *const types[] = {
    [TYPE_HARDWARE] = "hardware", [TYPE_SOFTWARE] = "software", [TYPE_TRACEPOINT] = "tracepoint",
    [TYPE_CACHE] = "cache",       [TYPE_RAW] = "raw",           [TYPE_BREAKPOINT] = "breakpoint"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

void perfdata_event_name(uint32_t type, uint64_t config, struct buf *out)
{
    if (type == TYPE_HARDWARE && config < COUNT(hardware))
        buf_adds(out, hardware[config]);
    else if (type == TYPE_SOFTWARE && config < COUNT(software))
        buf_adds(out, software[config]);
    else if (type < COUNT(types))
        buf_printf(out, "%s:0x%" PRIx64, types[type], config);
    else
        buf_printf(out, "pmu-%" PRIu32 ":0x%" PRIx64, type, config);
}
