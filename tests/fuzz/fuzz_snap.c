/* Files of snap: read, with the recordings in them, and made into the report and the page, in which
 * no byte of the file ends an element. */
#include "fuzz.h"

#include "core/sample/recording.h"
#include "core/snap/page.h"
#include "core/snap/report.h"
#include "core/symbol/demangle.h"
#include "core/trace/recording.h"
#include "json_check.h"

struct snap {
    struct snap_file file;
    struct snap_contents contents;
    struct sampled sampled;
    struct recording recording;
    struct stacks stacks;
    struct sampled_indexes indexes;
    struct snap_samples samples;
    struct sched_names names;
    struct sched_spans spans;
    struct sched_export scheduler;
    struct stats_replay stats;
    bool measured;
};

static void no_frames(void *arg, struct module *m, uint64_t vaddr, struct frames *out)
{
    (void)arg, (void)m, (void)vaddr, (void)out;
}

static void read_samples(struct snap *s)
{
    const struct buf *b = &s->file.stream[SNAP_SAMPLES];
    struct demangler names = {0};
    const struct sampled_want want = {
        .kernel = true, .timeline = true, .by = SAMPLED_BY_THREAD, .max_nodes = SAMPLED_MIN_NODES};
    struct sampled_naming naming = {
        .frames_at = no_frames, .names = &names, .indexes = &s->indexes};
    sampled_init(&s->sampled, &want);
    bool read = b->len && recording_read((const uint8_t *)b->data, b->len, &s->sampled,
                                         &s->recording, NULL) == 0;
    if (sampled_stacks(&s->sampled, &naming, &s->stacks) == 0 && read) {
        s->samples = (struct snap_samples){&s->sampled, &s->stacks, &s->indexes, "m"};
        s->contents.samples = &s->samples;
    }
    demangler_release(&names);
}

static void take_event(void *arg, const struct sched_event *e)
{
    sched_spans_add(arg, e);
}

static void read_scheduler(struct snap *s)
{
    const struct sched_limits few = {.runs = 1024, .marks = 1024, .rows = 32};
    const struct buf *b = &s->file.stream[SNAP_SCHEDULER];
    struct sched_recording rec;
    sched_spans_init(&s->spans, &few, 0);
    if (!b->len)
        return;
    if (sched_recording_read((const uint8_t *)b->data, b->len, &s->names, &rec, take_event,
                             &s->spans, NULL) == 0) {
        s->scheduler = (struct sched_export){.spans = &s->spans, .names = &s->names, .title = ""};
        s->contents.scheduler = &s->scheduler;
    }
    sched_recording_close(&rec);
}

static void set_window(struct snap *s)
{
    struct snap_contents *c = &s->contents;
    c->begin_ns = snap_file_u64(&s->file, SNAP_BEGIN_MONO);
    c->end_ns = snap_file_u64(&s->file, SNAP_END_MONO);
    if (c->end_ns <= c->begin_ns)
        c->begin_ns = 0, c->end_ns = UINT64_MAX;
    s->scheduler.from_ns = c->begin_ns;
    s->scheduler.to_ns = c->end_ns;
}

static void check_page(const struct snap_contents *c)
{
    enum { SCRIPTS = 4 + 8 }; /* the data, and the scripts */
    struct buf page = BUF_INIT;
    size_t ends = 0;
    if (snap_page(c, &page) == 0) {
        for (const char *at = buf_str(&page); (at = strstr(at, "</script")); at++)
            ends++;
        if (ends != SCRIPTS || strlen(page.data) != page.len)
            abort();
    }
    buf_release(&page);
}

static void check_report(const struct snap_contents *c)
{
    struct buf text = BUF_INIT, object = BUF_INIT;
    struct json j;
    snap_report_text(c, &text);
    json_start(&j, &object, "snap");
    snap_report_json(c, &j);
    json_end(&j);
    if (!buf_error(&object) && !json_check(object.data, object.len))
        abort();
    buf_release(&text);
    buf_release(&object);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct snap s = {.contents.file = &s.file};
    if (snap_file_read(data, len, &s.file, NULL) == 0) {
        const struct buf *b = &s.file.stream[SNAP_STATS];
        read_samples(&s);
        read_scheduler(&s);
        s.measured = b->len && stats_replay_open(&s.stats, b->data, b->len, "f", NULL) == 0;
        if (s.measured && s.stats.samples)
            s.contents.stats = &s.stats;
        set_window(&s);
        check_report(&s.contents);
        check_page(&s.contents);
        stacks_release(&s.stacks);
        sampled_indexes_release(&s.indexes);
        recording_close(&s.recording);
        sampled_release(&s.sampled);
        sched_spans_release(&s.spans);
        sched_names_release(&s.names);
    }
    if (s.measured)
        stats_replay_release(&s.stats);
    snap_file_release(&s.file);
    return 0;
}
