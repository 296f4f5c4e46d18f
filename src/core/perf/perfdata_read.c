#include "core/base/bytes.h"
#include "core/text/counted.h"
#include "perfdata_parts.h"
#include "perfdata_queue.h"
#include "perfdata_unpack.h"

#include <errno.h>

enum { LOST_SAMPLES = 13, LOST_TO_FILTER = 1 << 15 };

/* The kinds perfrec decodes. */
static const uint32_t decoded = 1u << PERFREC_MMAP | 1u << PERFREC_LOST | 1u << PERFREC_COMM |
                                1u << PERFREC_EXIT | 1u << PERFREC_THROTTLE |
                                1u << PERFREC_UNTHROTTLE | 1u << PERFREC_FORK |
                                1u << PERFREC_SAMPLE | 1u << PERFREC_MMAP2 | 1u << PERFREC_CGROUP;

struct reading {
    struct perfdata *pd;
    perfdata_emit_fn *emit;
    void *arg;
    struct perfdata_queue queue;
    struct perfdata_unpack unpack;
    uint64_t emitted; /* the latest time handed on */
    bool damaged;     /* the compressed stream: the rest of it is left alone */
};

static void emit_record(struct reading *rd, size_t event, const uint8_t *bytes, size_t len)
{
    struct perfdata_counts *counts = &rd->pd->counts;
    const struct perfdata_event *e = &rd->pd->event[event];
    struct perfrec r;
    if (!perfrec_decode(bytes, len, &e->format, &r)) {
        counts->malformed++;
        return;
    }
    counts->samples += r.type == PERFREC_SAMPLE;
    counts->lost += r.lost;
    rd->emit(rd->arg, e, &r);
}

/* --- a record before its turn --- */

/* Of a CPU's records, which are together in a round, most have one id. */
static long event_of_id(struct perfdata *pd, uint64_t id)
{
    if (pd->last.id != id) {
        pd->last.event = perfdata_event_of_id(pd, id);
        pd->last.id = id;
    }
    return pd->last.event;
}

/* perf's own records, and those from before ids were asked for, are the first event's. */
static long event_of(struct perfdata *pd, const struct perfdata_record *r)
{
    const struct perfrec_format *first = &pd->event[0].format;
    uint64_t id;
    if (pd->events == 1 || (r->type != PERFREC_SAMPLE && !first->sample_id_all) ||
        !(first->fields & (PERFREC_ID | PERFREC_IDENTIFIER)))
        return 0;
    if (!perfrec_id(r->bytes, r->len, &pd->id_place, &id))
        return -1;
    return id ? event_of_id(pd, id) : 0;
}

/* 0: none, which perf writes as all ones too. */
static uint64_t time_of(const struct perfdata_layout *p, const struct perfdata_record *r)
{
    size_t at = r->type == PERFREC_SAMPLE ? p->sample_time : r->len - p->trailer_time;
    if ((r->type == PERFREC_SAMPLE ? p->sample_time : p->trailer_time) == 0 || at > r->len ||
        r->len - at < 8)
        return 0;
    uint64_t time = get_le64(r->bytes + at);
    return time == UINT64_MAX ? 0 : time;
}

static void count_lost(struct perfdata_counts *counts, const struct perfdata_record *r)
{
    bool filtered = get_le16(r->bytes + 4) & LOST_TO_FILTER;
    if (r->type == LOST_SAMPLES && r->len >= PERFREC_HEADER_BYTES + 8 && !filtered)
        counts->lost_samples += get_le64(r->bytes + PERFREC_HEADER_BYTES);
}

static int queue_record(struct reading *rd, struct perfdata_queued e)
{
    rd->pd->counts.out_of_order += e.time < rd->emitted;
    return perfdata_queue_add(&rd->queue, e) ? 0 : -ENOMEM;
}

static int kernel_record(struct reading *rd, const struct perfdata_record *r, bool unpacked)
{
    struct perfdata *pd = rd->pd;
    const uint8_t *base = unpacked ? (const uint8_t *)rd->unpack.bytes.data : pd->bytes;
    pd->counts.records++;
    count_lost(&pd->counts, r);
    long event = event_of(pd, r);
    if (event < 0) {
        pd->counts.unknown_events++;
        return 0;
    }
    uint64_t time = time_of(&pd->layouts[event], r);
    if (r->type >= 32 || !(decoded & 1u << r->type)) {
        perfdata_queue_seen(&rd->queue, time);
        return 0;
    }
    if (time == 0) {
        emit_record(rd, (size_t)event, r->bytes, r->len);
        return 0;
    }
    return queue_record(rd, (struct perfdata_queued){.time = time,
                                                     .at = (uint64_t)(r->bytes - base),
                                                     .unpacked = unpacked,
                                                     .event = (uint64_t)event});
}

/* --- rounds --- */

static void emit_queued(struct reading *rd, struct perfdata_queued e)
{
    const uint8_t *base = e.unpacked ? (const uint8_t *)rd->unpack.bytes.data : rd->pd->bytes;
    const uint8_t *record = base + e.at;
    size_t len = get_le16(record + 6);
    emit_record(rd, e.event, record, len);
    if (!e.unpacked)
        perfdata_window_read(&rd->pd->window, record, len);
}

static int end_round(struct reading *rd, bool last)
{
    size_t due;
    if (!perfdata_queue_round(&rd->queue, last, &due))
        return -ENOMEM;
    for (size_t i = 0; i < due; i++)
        emit_queued(rd, rd->queue.entry[i]);
    if (due && rd->queue.entry[due - 1].time > rd->emitted)
        rd->emitted = rd->queue.entry[due - 1].time;
    perfdata_queue_drop(&rd->queue, due);
    return rd->unpack.bytes.len ? perfdata_unpack_trim(&rd->unpack, &rd->queue) : 0;
}

/* --- compressed records --- */

static int read_unpacked(struct reading *rd)
{
    struct perfdata_record r;
    int err = 0;
    while (!err && perfdata_unpack_next(&rd->unpack, &r))
        if (r.type < PERFDATA_USER_TYPES)
            err = kernel_record(rd, &r, true);
    if (!err && rd->unpack.bytes.len > PERFDATA_UNPACKED_MAX)
        err = end_round(rd, true);
    return !err && perfdata_unpack_damaged(&rd->unpack) ? -EBADMSG : err;
}

static int unpack_all(struct reading *rd, struct unzstd_in in)
{
    int more = 1, err = perfdata_unpack_begin(&rd->unpack, &in);
    while (!err && more) {
        more = perfdata_unpack_more(&rd->unpack, &in);
        err = more < 0 && more != -EBADMSG ? more : read_unpacked(rd);
        if (!err && more < 0)
            err = more;
    }
    return err;
}

static int read_compressed(struct reading *rd, const struct perfdata_record *r)
{
    if (!unzstd_available())
        return -ENOSYS;
    if (rd->damaged)
        return 0;
    int err = unpack_all(rd, perfdata_packed(r));
    if (err != -EBADMSG)
        return err;
    perfdata_warn(rd->pd, "compressed records are damaged at byte %zu: what follows is missing",
                  (size_t)(r->bytes - rd->pd->bytes));
    rd->damaged = true;
    return 0;
}

/* --- all of it --- */

static int read_record(struct reading *rd, const struct perfdata_record *r)
{
    if (r->type < PERFDATA_USER_TYPES)
        return kernel_record(rd, r, false);
    switch (r->type) {
    case PERFDATA_FINISHED_ROUND:
        return end_round(rd, false);
    case PERFDATA_COMPRESSED:
    case PERFDATA_COMPRESSED2:
        return read_compressed(rd, r);
    default:
        return 0;
    }
}

static void warn_of_end(struct reading *rd, const struct perfdata_walk *w)
{
    size_t at = (size_t)(w->at - rd->pd->bytes);
    if (w->state == PERFDATA_DAMAGED)
        perfdata_warn(rd->pd, "damaged at byte %zu: what follows is missing", at);
    else if (w->state == PERFDATA_CUT)
        perfdata_warn(rd->pd, "cut off in the record at byte %zu", at);
    else if (rd->unpack.bytes.len > rd->unpack.done && !rd->damaged)
        perfdata_warn(rd->pd, "cut off in a compressed record");
    if (rd->pd->counts.unknown_events)
        perfdata_warn(rd->pd, "%s of unknown events",
                      counted(rd->pd->counts.unknown_events, "record").text);
    if (rd->pd->counts.malformed)
        perfdata_warn(rd->pd, "%s truncated", counted(rd->pd->counts.malformed, "record").text);
}

static int fail_read(int err, struct fail *f)
{
    if (err != -ENOSYS)
        return fail_set(f, -err, "perf.data's records");
    fail_set(f, 0, "written with perf record -z; this build has no zstd");
    fail_hint(f, "use a psuite that was built with libzstd, or record without -z");
    return err;
}

int perfdata_read(struct perfdata *pd, perfdata_emit_fn *emit, void *arg, struct fail *f)
{
    struct reading rd = {.pd = pd, .emit = emit, .arg = arg};
    struct perfdata_walk w = perfdata_records(pd);
    struct perfdata_record r;
    int err = 0;
    pd->counts = (struct perfdata_counts){0};
    while (!err && perfdata_next(&w, &r)) {
        err = read_record(&rd, &r);
        perfdata_window_read(&pd->window, r.bytes, r.len);
    }
    if (!err)
        err = end_round(&rd, true);
    perfdata_window_end(&pd->window);
    if (!err)
        warn_of_end(&rd, &w);
    perfdata_queue_release(&rd.queue);
    perfdata_unpack_release(&rd.unpack);
    return err ? fail_read(err, f) : 0;
}
