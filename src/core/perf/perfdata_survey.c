/* Before the kernel's records are read: what perf says among them about events, programs and
 * itself. */
#include "perfdata_parts.h"

#include <errno.h>

enum { UPDATE_NAME = 2 };

static int one_event(struct perfdata *pd, struct cursor b)
{
    int err = perfdata_add_event(pd, &b);
    if (!err)
        return perfdata_add_ids(pd, pd->events - 1, &b);
    if (err == -EINVAL)
        perfdata_warn(pd, "the description of an event is malformed");
    return err == -ENOMEM ? err : 0;
}

static void new_name(struct perfdata *pd, struct cursor b)
{
    uint64_t update_type = cursor_u64(&b);
    long event = perfdata_event_of_id(pd, cursor_u64(&b));
    const char *name = cursor_string(&b);
    if (update_type == UPDATE_NAME && event >= 0 && name[0])
        pd->event[event].name = name;
}

static int read_feature(struct perfdata *pd, struct cursor b)
{
    uint64_t number = cursor_u64(&b);
    return !b.bad && number <= UINT16_MAX ? perfdata_feature(pd, (unsigned)number, b) : 0;
}

static int read_table(struct perfdata *pd, const struct perfdata_record *r)
{
    struct cursor body = cursor_of(r->bytes + PERFREC_HEADER_BYTES, r->len - PERFREC_HEADER_BYTES);
    switch (r->type) {
    case PERFDATA_ATTR: /* a file has them in a table of its own */
        return pd->facts.stream ? one_event(pd, body) : 0;
    case PERFDATA_EVENT_UPDATE:
        new_name(pd, body);
        return 0;
    case PERFDATA_BUILD_ID:
        return perfdata_add_build_id(pd, r->bytes, r->len);
    case PERFDATA_FEATURE:
        return read_feature(pd, body);
    default:
        return 0;
    }
}

int perfdata_survey(struct perfdata *pd)
{
    struct perfdata_walk w = perfdata_records(pd);
    struct perfdata_record r;
    int err = 0;
    while (!err && perfdata_next(&w, &r)) {
        if (r.type >= PERFDATA_USER_TYPES)
            err = read_table(pd, &r);
        perfdata_window_read(&pd->window, r.bytes, r.len);
    }
    perfdata_window_end(&pd->window);
    return err;
}
