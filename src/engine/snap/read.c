#include "engine/snap/read.h"

#include <string.h>

static void note(struct snap_reading *r, const char *name, const struct fail *f)
{
    buf_printf(&r->file.stream[SNAP_NOTES], "%s: %s%s%s\n", name, f->what, f->err ? ": " : "",
               f->err ? strerror(f->err) : "");
}

static void note_text(struct snap_reading *r, const char *name, const char *text)
{
    if (text[0])
        buf_printf(&r->file.stream[SNAP_NOTES], "%s: %s\n", name, text);
}

/* --- samples --- */

/* The reading has the bytes, and frees them. */
static void read_samples(struct snap_reading *r, const struct snap_naming *naming)
{
    struct buf *bytes = &r->file.stream[SNAP_SAMPLES];
    const struct sampling_want want = {
        .timeline = true, .by = SAMPLED_BY_THREAD, .search = naming->search};
    const struct sampling_view view = {.applet = "tprof", .no_demangle = naming->no_demangle};
    struct image image = {(const uint8_t *)bytes->data, bytes->len, false};
    struct fail f;
    if (!bytes->len)
        return;
    *bytes = (struct buf)BUF_INIT;
    r->sampled = true;
    bool read = sampling_read_image(&want, &image, "recording", &r->sampling, &f) == 0;
    r->stacked = read;
    if (read && sampling_stacks_indexed(&r->sampling, &view, &r->stacks, &r->indexes, &f) == 0) {
        r->samples = (struct snap_samples){&r->sampling.sampled, &r->stacks, &r->indexes,
                                           r->sampling.described};
        r->contents.samples = &r->samples;
        note_text(r, "samples", r->sampling.source.warning);
        note_text(r, "samples", r->sampling.source.unsure);
    } else {
        note(r, "samples", &f);
    }
}

/* --- the scheduler --- */

static void begin_spans(struct snap_reading *r, const struct tracing *t)
{
    const struct sched_limits limits = {
        .runs = SNAP_MAX_RUNS, .marks = SNAP_MAX_RUNS, .dead = SCHED_MAX_ROWS / 2};
    sched_spans_init(&r->spans, &limits, t->begin_ns);
    r->begun = true;
}

static void take_event(void *arg, const struct tracing *t, const struct sched_event *e)
{
    struct snap_reading *r = arg;
    if (!r->begun)
        begin_spans(r, t);
    sched_spans_add(&r->spans, e);
}

static void read_scheduler(struct snap_reading *r)
{
    struct buf *bytes = &r->file.stream[SNAP_SCHEDULER];
    struct tracing_want want = {.event = take_event, .arg = r};
    struct fail f;
    if (!bytes->len)
        return;
    r->traced = true;
    int e = tracing_read_bytes(&want, (const uint8_t *)bytes->data, bytes->len, &r->tracing, &f);
    r->tracing.want = NULL;
    if (e < 0)
        note(r, "scheduler", &f);
    else if (r->tracing.file.cut || !r->tracing.file.ended)
        note_text(r, "scheduler", "cut off or damaged at its end: only what precedes it is shown");
    buf_release(bytes);
    if (e < 0)
        return;
    if (!r->begun)
        begin_spans(r, &r->tracing);
    r->scheduler =
        (struct sched_export){.spans = &r->spans, .names = &r->tracing.names, .title = ""};
    r->contents.scheduler = &r->scheduler;
}

/* --- statistics --- */

static void read_stats(struct snap_reading *r)
{
    const struct buf *bytes = &r->file.stream[SNAP_STATS];
    struct fail f;
    if (!bytes->len)
        return;
    r->measured = stats_replay_open(&r->stats, bytes->data, bytes->len, "recording", &f) == 0;
    if (!r->measured)
        note(r, "stats", &f);
    else if (r->stats.samples)
        r->contents.stats = &r->stats;
    else
        note_text(r, "stats", "cut off before the end of the first sample");
}

/* --- the time that is shown --- */

/* A snap that was cut off lasts as long as there is anything. */
static uint64_t last_time(const struct snap_reading *r)
{
    uint64_t last_ns = r->contents.samples ? r->sampling.sampled.last_ns : 0;
    return r->contents.scheduler && r->spans.last_ns > last_ns ? r->spans.last_ns : last_ns;
}

/* One that was cut off before its beginning was noted begins with what there is. */
static uint64_t first_time(const struct snap_reading *r)
{
    uint64_t first_ns = r->contents.scheduler ? r->spans.first_ns : UINT64_MAX;
    return r->contents.samples && r->sampling.sampled.first_ns < first_ns
               ? r->sampling.sampled.first_ns
               : first_ns;
}

static void set_window(struct snap_reading *r)
{
    struct snap_contents *c = &r->contents;
    c->begin_ns = snap_file_u64(&r->file, SNAP_BEGIN_MONO);
    c->end_ns = snap_file_u64(&r->file, SNAP_END_MONO);
    if (!c->begin_ns)
        c->begin_ns = first_time(r);
    if (c->begin_ns == UINT64_MAX) /* nothing has a time */
        c->begin_ns = 0;
    if (!c->end_ns)
        c->end_ns = last_time(r);
    if (c->end_ns <= c->begin_ns)
        c->end_ns = c->begin_ns + 1;
    r->scheduler.from_ns = c->begin_ns;
    r->scheduler.to_ns = c->end_ns;
}

int snap_read(const uint8_t *bytes, size_t len, const struct snap_naming *naming,
              struct snap_reading *out, struct fail *f)
{
    *out = (struct snap_reading){.contents.file = &out->file};
    int r = snap_file_read(bytes, len, &out->file, f);
    if (r < 0)
        return r;
    read_samples(out, naming);
    read_scheduler(out);
    read_stats(out);
    set_window(out);
    return 0;
}

void snap_read_release(struct snap_reading *r)
{
    if (r->stacked) {
        stacks_release(&r->stacks);
        sampled_indexes_release(&r->indexes);
    }
    if (r->sampled)
        sampling_release(&r->sampling);
    if (r->begun)
        sched_spans_release(&r->spans);
    if (r->traced)
        tracing_release(&r->tracing);
    if (r->measured)
        stats_replay_release(&r->stats);
    snap_file_release(&r->file);
}
