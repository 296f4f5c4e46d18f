/* Pages of the ring buffer, decoded by a kernel's formats, merged, inferred from and put on a
 * timeline. The first byte: log 2 of the page's size, less 6, the kernel's long, and whether they
 * are perf's samples instead. */
#include "fuzz.h"

#include "core/timeline/timeline_model.h"
#include "core/trace/deadline.h"
#include "core/trace/decode.h"
#include "core/trace/merge.h"
#include "fuzz_trace.h"

#include <stdlib.h>

struct way {
    struct sched_merge merge;
    struct sched_deadlines deadlines;
    struct sched_spans spans;
    uint64_t added, handed;
    size_t cpu;
};

static void take_inferred(void *arg, const struct sched_event *e)
{
    struct way *w = arg;
    sched_spans_add(&w->spans, e);
}

static void take_merged(void *arg, const struct sched_event *e)
{
    struct way *w = arg;
    w->handed++;
    sched_deadlines_feed(&w->deadlines, e, take_inferred, w);
}

static void take_decoded(void *arg, const struct sched_event *e)
{
    struct way *w = arg;
    w->added++;
    sched_merge_add(&w->merge, w->cpu, e);
}

static bool ask(void *arg, int32_t pid, struct sched_parameters *out)
{
    (void)arg;
    *out = (struct sched_parameters){1000, 4000, (uint64_t)pid % 7 * 1000};
    return pid % 3 != 0;
}

/* perf's records, one behind the other, as a ring hands them out. */
static void take_samples(struct trace_decoder *d, const uint8_t *data, size_t len, struct way *w)
{
    for (size_t at = 0; at + 8 <= len;) {
        size_t size = data[at + 6] | (size_t)data[at + 7] << 8;
        if (size < 8 || size > len - at)
            return;
        uint8_t *record = malloc(size);
        memcpy(record, data + at, size);
        trace_decode_sample(d, (int)w->cpu, record, size, take_decoded, w);
        free(record);
        at += size;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct sched_names names = {0};
    struct trace_decoder d;
    struct sched_limits few = {.runs = 1024, .marks = 1024, .rows = 64};
    if (len < 1)
        return 0;
    struct way w = {.deadlines = {.names = &names, .get_parameters = ask}};
    size_t page = (size_t)64 << (data[0] & 7), commit = data[0] & 8 ? 4 : 8;
    fuzz_trace_decoder(&d, &names);
    d.layout =
        (struct trace_page_layout){8, (uint32_t)commit, (uint32_t)(8 + commit), (uint32_t)page};
    sched_spans_init(&w.spans, &few, data[0] & 16 ? 1 : 0);
    if (data[0] & 32)
        take_samples(&d, data + 1, len - 1, &w);
    for (size_t at = 1; !(data[0] & 32) && at + 16 <= len; at += page, w.cpu = (w.cpu + 1) & 3) {
        size_t left = len - at;
        trace_decode_page(&d, (int)w.cpu, data + at, left < page ? left : page, take_decoded, &w);
        sched_merge_until(&w.merge, w.added * 100, take_merged, &w);
    }
    sched_merge_until(&w.merge, UINT64_MAX, take_merged, &w);
    if (w.handed + w.merge.dropped != w.added || w.merge.waiting)
        abort();
    fuzz_trace_check(&w.spans);
    sched_spans_release(&w.spans);
    sched_merge_release(&w.merge);
    sched_deadlines_release(&w.deadlines);
    sched_names_release(&names);
    return 0;
}
