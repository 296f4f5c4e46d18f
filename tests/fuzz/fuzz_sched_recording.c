/* Recordings of traces, and Plan 9's stream: read, put on a timeline and reported; what was read is
 * written again and read the same. */
#include "fuzz.h"

#include "core/base/buf.h"
#include "core/text/json.h"
#include "core/timeline/report.h"
#include "core/trace/plan9.h"
#include "core/trace/recording.h"
#include "fuzz_trace.h"

struct seen {
    struct sched_names names;
    struct sched_spans spans;
    struct sched_recording_writer *writer;
    struct buf lines;
    uint64_t events, sum;
};

static void take(void *arg, const struct sched_event *e)
{
    struct seen *s = arg;
    s->events++;
    s->sum = s->sum * 31 + e->time_ns + (uint64_t)e->pid * 3 + (uint64_t)e->other + e->arg +
             e->kind + e->state + (uint64_t)e->cpu + (uint64_t)e->priority + e->policy + e->flags;
    sched_spans_add(&s->spans, e);
    if (s->writer)
        sched_recording_event(s->writer, &s->names, e);
    buf_clear(&s->lines);
    sched_event_line(&s->lines, e);
    sched_report_event(&s->names, 0, e, &s->lines);
    sched_report_event_json(&s->names, e, &s->lines);
}

static void report(struct seen *s)
{
    struct sched_report r = {.spans = &s->spans,
                             .names = &s->names,
                             .method = "m",
                             .begin_ns = s->spans.first_ns,
                             .end_ns = s->spans.last_ns};
    struct json j;
    sched_report_summary(&r, &s->lines);
    sched_report_latency(&r, &s->lines);
    json_start(&j, &s->lines, "trace");
    sched_report_json(&r, &j);
    json_end(&j);
    fuzz_trace_check(&s->spans);
    sched_spans_reset(&s->spans, 1);
}

static void release(struct seen *s)
{
    sched_names_release(&s->names);
    sched_spans_release(&s->spans);
    buf_release(&s->lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct sched_recording rec;
    struct sched_recording_writer w;
    struct sched_limits few = {.runs = 1024, .marks = 1024, .rows = 32};
    struct seen first = {.writer = &w}, second = {.writer = NULL};
    sched_spans_init(&first.spans, &few, 0);
    sched_spans_init(&second.spans, &few, 0);
    sched_recording_start(&w);
    if (sched_recording_detect(data, len)) {
        sched_recording_read(data, len, &first.names, &rec, take, &first, NULL);
        sched_recording_close(&rec);
    } else {
        bool big = sched_plan9_big(data, len);
        for (size_t at = 0; at + SCHED_PLAN9_BYTES <= len; at += SCHED_PLAN9_BYTES) {
            struct sched_event e;
            sched_plan9_read(data + at, big, &e);
            if (e.kind < SCHED_KINDS)
                take(&first, &e);
        }
    }
    report(&first);
    sched_recording_end(&w);
    sched_recording_read((const uint8_t *)w.out.data, w.out.len, &second.names, &rec, take, &second,
                         NULL);
    if (!rec.ended || rec.truncated || first.events != second.events || first.sum != second.sum)
        abort();
    sched_recording_close(&rec);
    sched_recording_release(&w);
    release(&first);
    release(&second);
    return 0;
}
