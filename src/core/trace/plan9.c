#include "core/trace/plan9.h"

#include "core/base/bytes.h"

#include <string.h>

enum { LOOKED_AT = 256 };

static uint64_t sum_of_types(const uint8_t *bytes, size_t events, bool big)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < events; i++)
        sum += get_u32(bytes + i * SCHED_PLAN9_BYTES + 4, big);
    return sum;
}

bool sched_plan9_big(const uint8_t *bytes, size_t len)
{
    size_t events = len / SCHED_PLAN9_BYTES;
    if (events > LOOKED_AT)
        events = LOOKED_AT;
    return sum_of_types(bytes, events, true) < sum_of_types(bytes, events, false);
}

/* Our kinds begin where Plan 9's end: one that Plan 9 does not have is none here, either. */
void sched_plan9_read(const uint8_t *bytes, bool big, struct sched_event *out)
{
    uint32_t type = get_u32(bytes + 4, big);
    uint32_t low = get_u32(bytes + (big ? 12 : 8), big),
             high = get_u32(bytes + (big ? 8 : 12), big);
    unsigned kind = type & 0xffff;
    *out = (struct sched_event){.time_ns = (uint64_t)high << 32 | low,
                                .pid = (int32_t)get_u32(bytes, big),
                                .other = -1,
                                .arg = type >> 16,
                                .cpu = -1,
                                .kind = (uint8_t)(kind < SCHED_PLAN9 ? kind : SCHED_ILLEGAL),
                                .priority = INT16_MIN};
    if (out->kind == SCHED_ILLEGAL)
        out->arg = kind;
}

void sched_plan9_write(const struct sched_event *e, uint8_t *bytes)
{
    uint32_t pid = (uint32_t)e->pid, type = e->kind | (e->kind == SCHED_INTS ? e->arg << 16 : 0);
    memcpy(bytes, &pid, sizeof pid);
    memcpy(bytes + 4, &type, sizeof type);
    memcpy(bytes + 8, &e->time_ns, sizeof e->time_ns);
}
