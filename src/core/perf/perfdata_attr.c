#include "core/base/bytes.h"
#include "core/base/grow.h"
#include "perfdata_parts.h"

#include <errno.h>

/* perf_event_attr, as far as it is wanted. Its first form had 64 bytes; what a shorter one does not
 * reach reads 0. */
enum { ATTR_FIRST_BYTES = 64, ATTR_BYTES = 104, ATTR_MAX_BYTES = 4096 };
enum attr_offset {
    AT_TYPE = 0,
    AT_SIZE = 4,
    AT_CONFIG = 8,
    AT_PERIOD = 16,
    AT_SAMPLE_TYPE = 24,
    AT_READ_FORMAT = 32,
    AT_FLAGS = 40,
    AT_BRANCHES = 72,
    AT_REGS_USER = 80,
    AT_CLOCK = 92,
    AT_REGS_INTERRUPTED = 96,
};
enum attr_flag {
    EXCLUDE_USER = 1 << 4,
    EXCLUDE_KERNEL = 1 << 5,
    FREQ = 1 << 10,
    SAMPLE_ID_ALL = 1 << 18,
    USE_CLOCK = 1 << 25,
};

static struct perfrec_format format_of(const uint8_t *a, uint64_t flags)
{
    uint64_t period = get_le64(a + AT_PERIOD);
    return (struct perfrec_format){
        .fields = get_le64(a + AT_SAMPLE_TYPE),
        .read_format = get_le64(a + AT_READ_FORMAT),
        .branch_fields = get_le64(a + AT_BRANCHES),
        .regs_user = get_le64(a + AT_REGS_USER),
        .regs_interrupted = get_le64(a + AT_REGS_INTERRUPTED),
        .period = flags & FREQ ? 1 : period,
        .sample_id_all = flags & SAMPLE_ID_ALL,
    };
}

static struct perfdata_event event_of(const uint8_t *a)
{
    uint64_t flags = get_le64(a + AT_FLAGS);
    return (struct perfdata_event){
        .name = "",
        .type = get_le32(a + AT_TYPE),
        .config = get_le64(a + AT_CONFIG),
        .freq = flags & FREQ,
        .period_or_freq = get_le64(a + AT_PERIOD),
        .user = !(flags & EXCLUDE_USER),
        .kernel = !(flags & EXCLUDE_KERNEL),
        .has_clock = flags & USE_CLOCK,
        .clock = (int32_t)get_le32(a + AT_CLOCK),
        .format = format_of(a, flags),
    };
}

int perfdata_add_event(struct perfdata *pd, struct cursor *b)
{
    uint8_t attr[ATTR_BYTES] = {0};
    size_t left = (size_t)(b->end - b->at);
    if (left < ATTR_FIRST_BYTES)
        return -EINVAL;
    size_t size = get_le32(b->at + AT_SIZE);
    if (size == 0)
        size = ATTR_FIRST_BYTES;
    if (size < ATTR_FIRST_BYTES || size > ATTR_MAX_BYTES || size > left ||
        pd->events == PERFDATA_EVENTS_MAX)
        return -EINVAL;
    if (!grow(&pd->event, &pd->event_cap, pd->events, sizeof *pd->event))
        return -ENOMEM;
    memcpy(attr, b->at, size < sizeof attr ? size : sizeof attr);
    pd->event[pd->events++] = event_of(attr);
    b->at += size;
    return 0;
}

int perfdata_add_ids(struct perfdata *pd, size_t event, struct cursor *ids)
{
    while (ids->end - ids->at >= 8) {
        uint64_t *value = imap_at(&pd->of_id, cursor_u64(ids));
        if (!value)
            return -ENOMEM;
        *value = event + 1;
        pd->event[event].ids++;
    }
    return 0;
}

long perfdata_event_of_id(const struct perfdata *pd, uint64_t id)
{
    return (long)imap_get(&pd->of_id, id) - 1;
}

static uint32_t count_bytes(uint64_t fields)
{
    return 8 * (uint32_t)__builtin_popcountll(fields);
}

static struct perfdata_layout layout_of(const struct perfrec_format *f)
{
    struct perfdata_layout p = {.sample = perfrec_layout(f)};
    if (f->fields & PERFREC_TIME && f->sample_id_all)
        p.trailer_time = count_bytes(f->fields & (PERFREC_TIME | PERFREC_ID | PERFREC_STREAM_ID |
                                                  PERFREC_CPU | PERFREC_IDENTIFIER));
    return p;
}

static void find_quick(struct perfdata *pd)
{
    uint32_t id = pd->several ? pd->id_place.sample : 0;
    uint32_t time = pd->events ? pd->layouts[0].sample.time : 0;
    pd->quick = (struct perfdata_quick){0};
    if (!time || (pd->several && !id))
        return;
    for (size_t i = 1; i < pd->events && pd->several; i++)
        if (pd->layouts[i].sample.time != time)
            return;
    pd->quick = (struct perfdata_quick){(time > id ? time : id) + 8, id, time};
}

/* All names share one buffer, which moves as it grows; so pointers are set last. */
static int name_events(struct perfdata *pd)
{
    buf_clear(&pd->names);
    for (size_t i = 0; i < pd->events; i++) {
        if (pd->event[i].name[0])
            continue;
        perfdata_event_name(pd->event[i].type, pd->event[i].config, &pd->names);
        buf_addc(&pd->names, '\0');
    }
    if (buf_error(&pd->names))
        return -ENOMEM;
    const char *at = pd->names.data;
    for (size_t i = 0; i < pd->events; i++) {
        if (pd->event[i].name[0])
            continue;
        pd->event[i].name = at;
        at += strlen(at) + 1;
    }
    return 0;
}

int perfdata_finish_events(struct perfdata *pd)
{
    for (size_t i = 0; i < pd->events; i++) {
        if (!grow(&pd->layouts, &pd->layout_cap, i, sizeof *pd->layouts))
            return -ENOMEM;
        pd->layouts[i] = layout_of(&pd->event[i].format);
    }
    pd->several = pd->events > 1 && pd->event[0].format.fields & (PERFREC_ID | PERFREC_IDENTIFIER);
    if (pd->events)
        pd->id_place = perfrec_id_place(&pd->event[0].format);
    find_quick(pd);
    return name_events(pd);
}
