#include "core/base/bytes.h"
#include "core/text/counted.h"
#include "perfdata_parts.h"
#include "perfdata_runs.h"
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
    struct perfdata_runs runs;
    struct perfdata_unpack unpack;
    struct perfrec plain; /* the last sample without fields of other lengths */
    uint64_t emitted;     /* the latest time handed on */
    bool damaged;         /* the compressed stream: the rest of it is left alone */
};

static void hand_on(struct reading *rd, const struct perfdata_event *e, const struct perfrec *r)
{
    rd->pd->counts.samples += r->type == PERFREC_SAMPLE;
    rd->pd->counts.lost += r->lost;
    rd->emit(rd->arg, e, r);
}

static void emit_record(struct reading *rd, long event, const struct perfdata_record *record)
{
    const struct perfdata_event *e = &rd->pd->event[event];
    const struct perfrec_layout *l = &rd->pd->layouts[event].sample;
    struct perfrec r;
    if (record->type == PERFREC_SAMPLE && l->plain && record->len >= l->plain) {
        perfrec_decode_plain(record->bytes, l, &e->format, &rd->plain);
        hand_on(rd, e, &rd->plain);
    } else if (perfrec_decode(record->bytes, record->len, &e->format, &r)) {
        hand_on(rd, e, &r);
    } else {
        rd->pd->counts.malformed++;
    }
}

/* --- a record before its turn --- */

/* Ids are few and numbered by the kernel one behind the other. */
static long event_of_id(struct perfdata *pd, uint64_t id)
{
    struct perfdata_found *found = &pd->found[id % PERFDATA_FOUND];
    if (found->id != id)
        *found = (struct perfdata_found){id, perfdata_event_of_id(pd, id)};
    return found->event;
}

/* perf's own records, and those from before ids were asked for, are the first event's. */
static long event_of(struct perfdata *pd, const struct perfdata_record *r)
{
    uint64_t id;
    if (!pd->several || (r->type != PERFREC_SAMPLE && !pd->event[0].format.sample_id_all))
        return 0;
    if (!perfrec_id(r->bytes, r->len, &pd->id_place, &id))
        return -1;
    return id ? event_of_id(pd, id) : 0;
}

/* 0: none, which perf writes as all ones too. */
static uint64_t time_of(const struct perfdata_layout *p, const struct perfdata_record *r)
{
    bool sample = r->type == PERFREC_SAMPLE;
    size_t from = sample ? p->sample.time : p->trailer_time;
    size_t at = sample ? from : r->len - from;
    if (from == 0 || at > r->len || r->len - at < 8)
        return 0;
    uint64_t time = get_le64(r->bytes + at);
    return time == UINT64_MAX ? 0 : time;
}

static bool is_decoded(const struct perfdata_record *r)
{
    return r->type < 32 && decoded & 1u << r->type;
}

/* A sample whose event was found before. False: it may be one all the same. */
static inline bool is_quick(const struct perfdata *pd, const struct perfdata_record *r, long *event,
                            uint64_t *time)
{
    const struct perfdata_quick *q = &pd->quick;
    if (r->type != PERFREC_SAMPLE || !q->least || r->len < q->least)
        return false;
    uint64_t id = q->id ? get_le64(r->bytes + q->id) : 0;
    const struct perfdata_found *found = &pd->found[id % PERFDATA_FOUND];
    *event = q->id ? found->event : 0;
    *time = get_le64(r->bytes + q->time);
    return (!q->id || (id && found->id == id && found->event >= 0)) && *time && *time != UINT64_MAX;
}

/* Whether it is handed on in its turn, and at once otherwise or never. */
static bool has_turn(struct perfdata *pd, const struct perfdata_record *r, long *event,
                     uint64_t *time)
{
    if (is_quick(pd, r, event, time))
        return true;
    *event = event_of(pd, r);
    *time = *event < 0 ? 0 : time_of(&pd->layouts[*event], r);
    return *time && is_decoded(r);
}

static void count_lost(struct perfdata_counts *counts, const struct perfdata_record *r)
{
    bool filtered = get_le16(r->bytes + 4) & LOST_TO_FILTER;
    if (r->type == LOST_SAMPLES && r->len >= PERFREC_HEADER_BYTES + 8 && !filtered)
        counts->lost_samples += get_le64(r->bytes + PERFREC_HEADER_BYTES);
}

static const uint8_t *base_of(const struct reading *rd, bool unpacked)
{
    return unpacked ? (const uint8_t *)rd->unpack.bytes.data : rd->pd->bytes;
}

static int kernel_record(struct reading *rd, const struct perfdata_record *r, bool unpacked)
{
    struct perfdata_counts *counts = &rd->pd->counts;
    uint64_t at = (uint64_t)(r->bytes - base_of(rd, unpacked)), time;
    long event;
    if (is_quick(rd->pd, r, &event, &time) && time >= rd->emitted &&
        perfdata_runs_extend(&rd->runs, at, r->len, time, unpacked)) {
        counts->records++;
        return 0;
    }
    struct perfdata_run part = {.at = at, .end = at + r->len, .read = at, .unpacked = unpacked};
    bool turn = has_turn(rd->pd, r, &part.event, &part.time);
    counts->records++;
    count_lost(counts, r);
    if (turn) {
        counts->out_of_order += part.time < rd->emitted;
        return perfdata_runs_add(&rd->runs, &part) ? 0 : -ENOMEM;
    }
    perfdata_runs_skip(&rd->runs, &part);
    counts->unknown_events += part.event < 0;
    if (part.event >= 0 && part.time == 0 && is_decoded(r))
        emit_record(rd, part.event, r);
    return 0;
}

/* --- rounds --- */

/* Where a run is read on. */
struct at_run {
    struct perfdata_run *run;
    const uint8_t *at, *end;
    struct perfdata_record record;
    long event;
};

/* The record at `at', whose bytes may have been changed since it was put into the run; false: there
 * is none, and the run ends. */
static bool read_at(struct at_run *a)
{
    size_t left = (size_t)(a->end - a->at), len = perfrec_size(a->at, left);
    if (len)
        a->record = (struct perfdata_record){a->at, len, get_le32(a->at)};
    else
        a->at = a->end;
    return len;
}

/* From the record at `at' on to the first that has its turn; false: there is none. */
static bool find_turn(struct reading *rd, struct at_run *a)
{
    for (; read_at(a); a->at += a->record.len)
        if (has_turn(rd->pd, &a->record, &a->event, &a->run->time))
            return true;
    return false;
}

static void note_read(struct reading *rd, struct perfdata_run *run)
{
    if (!run->unpacked && run->at > run->read)
        perfdata_window_read(&rd->pd->window, rd->pd->bytes + run->read,
                             (size_t)(run->at - run->read));
    run->read = run->at;
}

/* Hands on the records of the first run that come before those of the others. */
static void emit_run(struct reading *rd, struct perfdata_run *run, uint64_t due)
{
    const uint8_t *base = base_of(rd, run->unpacked);
    struct at_run a = {
        .run = run, .at = base + run->at, .end = base + run->end, .event = run->event};
    bool more = read_at(&a);
    while (more && run->time <= due && !perfdata_runs_overtaken(&rd->runs, run->time)) {
        emit_record(rd, a.event, &a.record);
        a.at += a.record.len;
        run->at = (uint64_t)(a.at - base);
        if (run->at - run->read > PERFDATA_WINDOW_BYTES / 2)
            note_read(rd, run);
        more = find_turn(rd, &a);
    }
    run->at = (uint64_t)(a.at - base);
    run->event = a.event;
    perfdata_runs_moved(&rd->runs);
}

static void emit_due(struct reading *rd, uint64_t due)
{
    struct perfdata_run *first;
    while ((first = perfdata_runs_first(&rd->runs, due))) {
        if (first->time > rd->emitted)
            rd->emitted = first->time;
        emit_run(rd, first, due);
    }
}

static int end_round(struct reading *rd, bool last)
{
    uint64_t due;
    if (!perfdata_runs_begin(&rd->runs, last, &due))
        return -ENOMEM;
    emit_due(rd, due);
    for (size_t i = 0; i < rd->runs.count; i++)
        note_read(rd, &rd->runs.run[i]);
    perfdata_runs_end(&rd->runs);
    return rd->unpack.bytes.len ? perfdata_unpack_trim(&rd->unpack, &rd->runs) : 0;
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
    perfdata_runs_release(&rd.runs);
    perfdata_unpack_release(&rd.unpack);
    return err ? fail_read(err, f) : 0;
}
