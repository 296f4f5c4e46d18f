#include "core/profdev/memory.h"

#include "core/base/grow.h"

enum { ADDRESS_BITS = 47 };

static uint32_t make_place(struct profdev_memory *m, uint32_t module, uint64_t address)
{
    if (!grow_zeroed(&m->module, &m->modules, (size_t)module + 1, sizeof *m->module) ||
        !grow_within(&m->place, &m->place_cap, m->places, PROFDEV_MAX_PLACES, sizeof *m->place))
        return 0;
    m->place[m->places++] = (struct profdev_place){.module = module, .address = address};
    return (uint32_t)m->places;
}

uint32_t profdev_memory_place(struct profdev_memory *m, uint32_t module, uint64_t address)
{
    if (module >= PROFDEV_MAX_PLACE_MODULES || address >> ADDRESS_BITS)
        return 0;
    uint64_t *number = imap_at(&m->index, ((uint64_t)module + 1) << ADDRESS_BITS | address);
    if (!number)
        return 0;
    if (!*number)
        *number = make_place(m, module, address);
    return (uint32_t)*number;
}

static void change(struct profdev_bytes *b, uint64_t bytes, bool gone)
{
    b->now = gone ? b->now - bytes : b->now + bytes;
    if (b->now > b->most)
        b->most = b->now;
}

void profdev_memory_changed(struct profdev_memory *m, uint32_t place, uint64_t bytes, bool gone)
{
    if (!place || place > m->places)
        return;
    struct profdev_place *p = &m->place[place - 1];
    change(&p->bytes, bytes, gone);
    change(&m->module[p->module], bytes, gone);
}
