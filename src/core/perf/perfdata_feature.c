#include "core/base/grow.h"
#include "perfdata_parts.h"

#include <errno.h>

enum feature {
    FEATURE_BUILD_ID = 2,
    FEATURE_HOST = 3,
    FEATURE_OS_RELEASE = 4,
    FEATURE_VERSION = 5,
    FEATURE_MACHINE = 6,
    FEATURE_CPUS = 7,
    FEATURE_CPU = 8,
    FEATURE_MEMORY = 10,
    FEATURE_COMMAND = 11,
    FEATURE_EVENTS = 12,
    FEATURE_SAMPLE_TIME = 21,
    FEATURE_CLOCK = 23,
    FEATURE_FOLDER = 24,
    FEATURE_COMPRESSED = 27,
    FEATURE_CLOCK_DATA = 29,
};

/* Length, text, padding. "" when it is not there or not terminated. */
static const char *read_text(struct cursor *c)
{
    size_t len = cursor_u32(c);
    const uint8_t *p = cursor_bytes(c, len);
    return p && memchr(p, '\0', len) ? (const char *)p : "";
}

/* --- build-ids --- */

enum {
    MISC_MODE = 7,
    MISC_BUILD_ID_SIZE = 1 << 15, /* else all 20 bytes are it */
    BUILD_ID_CAP = 24,            /* 20 bytes, their number, padding */
};

int perfdata_add_build_id(struct perfdata *pd, const uint8_t *record, size_t len)
{
    struct cursor b = cursor_of(record, len);
    unsigned misc = (cursor_u32(&b), cursor_u32(&b)) & 0xffff;
    struct perfdata_build_id id = {.mode = misc & MISC_MODE};
    id.pid = cursor_u32(&b);
    id.id = cursor_bytes(&b, BUILD_ID_CAP);
    id.path = cursor_string(&b);
    if (b.bad)
        return 0;
    id.id_len = misc & MISC_BUILD_ID_SIZE ? id.id[PERFREC_BUILD_ID_MAX] : PERFREC_BUILD_ID_MAX;
    if (id.id_len == 0 || id.id_len > PERFREC_BUILD_ID_MAX || !id.path[0])
        return 0;
    return GROW_ADD(pd->build_id, pd->build_id_cap, pd->build_ids, id) ? 0 : -ENOMEM;
}

static int build_ids(struct perfdata *pd, struct cursor b)
{
    int err = 0;
    size_t size;
    while (!err && (size = perfrec_size(b.at, (size_t)(b.end - b.at))))
        err = perfdata_add_build_id(pd, cursor_bytes(&b, size), size);
    return err;
}

/* --- events --- */

/* One description: the attr again, ids, and the name, which is only here. It is of the event
 * that has the first of the ids, else of the i-th. */
static int read_description(struct perfdata *pd, struct cursor *b, size_t attr_bytes, size_t i)
{
    cursor_bytes(b, attr_bytes);
    uint32_t ids = cursor_u32(b);
    const char *name = read_text(b);
    const uint8_t *id = ids <= (size_t)(b->end - b->at) / 8 ? cursor_bytes(b, 8 * ids) : NULL;
    if (b->bad || !id)
        return -EINVAL;
    struct cursor first = cursor_of(id, 8 * ids), all = first;
    long known = ids ? perfdata_event_of_id(pd, cursor_u64(&first)) : -1;
    size_t event = known >= 0 ? (size_t)known : i;
    if (event >= pd->events)
        return 0;
    pd->event[event].name = name;
    return pd->event[event].ids ? 0 : perfdata_add_ids(pd, event, &all);
}

static int describe_events(struct perfdata *pd, struct cursor b)
{
    uint32_t count = cursor_u32(&b);
    uint32_t attr_bytes = cursor_u32(&b);
    for (size_t i = 0; i < count; i++) {
        int err = read_description(pd, &b, attr_bytes, i);
        if (err)
            return err == -ENOMEM ? err : 0;
    }
    return 0;
}

/* --- the rest --- */

static int read_command(struct perfdata *pd, struct cursor b)
{
    uint32_t words = cursor_u32(&b);
    buf_clear(&pd->command);
    for (uint32_t i = 0; i < words && !b.bad; i++) {
        const char *word = read_text(&b);
        if (i && !b.bad)
            buf_addc(&pd->command, ' ');
        buf_adds(&pd->command, word);
    }
    pd->facts.command = buf_str(&pd->command);
    return buf_error(&pd->command);
}

static void read_compression(struct perfdata_facts *facts, struct cursor *b)
{
    cursor_u32(b); /* version */
    cursor_u32(b); /* type; only zstd is known */
    facts->compression_level = cursor_u32(b);
}

static void read_clock(struct perfdata_facts *facts, struct cursor *b)
{
    cursor_u32(b); /* version */
    cursor_u32(b); /* clock: the events name it too */
    facts->wall_ns = cursor_u64(b);
    facts->wall_at_ns = cursor_u64(b);
}

static void read_pair(struct cursor *b, uint64_t *first, uint64_t *second)
{
    *first = cursor_u64(b);
    *second = cursor_u64(b);
}

static void read_cpus(struct perfdata_facts *facts, struct cursor *b)
{
    facts->cpus_present = cursor_u32(b);
    facts->cpus_online = cursor_u32(b);
}

/* Where a fact goes that is one string; NULL: it is none. */
static const char **text_of(struct perfdata_facts *facts, unsigned number)
{
    switch (number) {
    case FEATURE_HOST:
        return &facts->host;
    case FEATURE_OS_RELEASE:
        return &facts->os_release;
    case FEATURE_VERSION:
        return &facts->perf_version;
    case FEATURE_MACHINE:
        return &facts->machine;
    case FEATURE_CPU:
        return &facts->cpu;
    default:
        return NULL;
    }
}

static void read_fact(struct perfdata *pd, unsigned number, struct cursor *b)
{
    struct perfdata_facts *facts = &pd->facts;
    const char **text = text_of(facts, number);
    if (text)
        *text = read_text(b);
    switch (number) {
    case FEATURE_CPUS:
        read_cpus(facts, b);
        break;
    case FEATURE_MEMORY:
        facts->memory_kb = cursor_u64(b);
        break;
    case FEATURE_SAMPLE_TIME:
        read_pair(b, &facts->first_ns, &facts->last_ns);
        break;
    case FEATURE_CLOCK:
        facts->clock_resolution_ns = cursor_u64(b);
        break;
    case FEATURE_CLOCK_DATA:
        read_clock(facts, b);
        break;
    case FEATURE_COMPRESSED:
        read_compression(facts, b);
        break;
    case FEATURE_FOLDER:
        perfdata_warn(pd, "part of a directory: perf wrote samples to its other files");
        break;
    default:
        break;
    }
}

int perfdata_feature(struct perfdata *pd, unsigned number, struct cursor b)
{
    switch (number) {
    case FEATURE_BUILD_ID:
        pd->names_builds = true;
        return build_ids(pd, b);
    case FEATURE_EVENTS:
        pd->names_events = true;
        return describe_events(pd, b);
    case FEATURE_COMMAND:
        return read_command(pd, b);
    default:
        read_fact(pd, number, &b);
        return 0;
    }
}
