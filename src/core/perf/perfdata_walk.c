#include "core/base/bytes.h"
#include "perfdata_parts.h"

/* Bytes behind a record that belong to it: the tracing data's size is in 4 bytes and is rounded
 * up to 8, the hardware trace's in 8. */
static uint64_t payload_size(const struct perfdata_record *r)
{
    if (r->type == PERFDATA_TRACING_DATA && r->len >= PERFREC_HEADER_BYTES + 4)
        return ((uint64_t)get_le32(r->bytes + PERFREC_HEADER_BYTES) + 7) & ~7ULL;
    if (r->type == PERFDATA_AUXTRACE && r->len >= PERFREC_HEADER_BYTES + 8)
        return get_le64(r->bytes + PERFREC_HEADER_BYTES);
    return 0;
}

static bool stop_walk(struct perfdata_walk *w, enum perfdata_end reason)
{
    w->state = reason;
    return false;
}

bool perfdata_next(struct perfdata_walk *w, struct perfdata_record *out)
{
    size_t left = (size_t)(w->end - w->at);
    if (w->state != PERFDATA_MORE)
        return false;
    if (left == 0)
        return stop_walk(w, PERFDATA_WHOLE);
    if (left < PERFREC_HEADER_BYTES)
        return stop_walk(w, PERFDATA_CUT);
    size_t size = get_le16(w->at + 6);
    if (size < PERFREC_HEADER_BYTES)
        return stop_walk(w, PERFDATA_DAMAGED);
    if (size > left)
        return stop_walk(w, PERFDATA_CUT);
    *out = (struct perfdata_record){w->at, size, get_le32(w->at)};
    w->at += size;
    if (out->type >= PERFDATA_USER_TYPES) {
        uint64_t more = payload_size(out);
        if (more > left - size)
            return stop_walk(w, PERFDATA_CUT);
        w->at += more;
    }
    return true;
}

void perfdata_window_end(struct perfdata_window *w)
{
    if (w->release.range && w->bytes)
        w->release.range(w->release.arg, w->low, (size_t)(w->high - w->low));
    w->bytes = 0;
}
