/* perf.data in any state, as a file or a stream, read twice: the same both times, in the order that
 * was promised. */
#include "fuzz.h"

#include "core/perf/perfdata.h"

#include <stdlib.h>
#include <string.h>

struct seen {
    uint64_t records, sum;
};

static void touch(struct seen *s, const void *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        s->sum = s->sum * 31 + ((const uint8_t *)bytes)[i];
}

static void take(void *arg, const struct perfdata_event *event, const struct perfrec *r)
{
    struct seen *s = arg;
    s->records++;
    s->sum += r->time + r->sample.pc + r->cgroup + event->config;
    touch(s, event->name, strlen(event->name));
    if (r->sample.chain)
        touch(s, r->sample.chain, r->sample.chain_len * 8);
    if (r->sample.stack)
        touch(s, r->sample.stack, r->sample.stack_len);
    if (r->name)
        touch(s, r->name, strlen(r->name));
}

static void touch_tables(const struct perfdata *pd, struct seen *s)
{
    const struct perfdata_facts *f = perfdata_facts(pd);
    const char *texts[] = {f->host, f->os_release, f->perf_version, f->machine, f->cpu, f->command};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        touch(s, texts[i], strlen(texts[i]));
    for (size_t i = 0; i < perfdata_build_ids(pd); i++) {
        const struct perfdata_build_id *b = perfdata_build_id(pd, i);
        touch(s, b->id, b->id_len);
        touch(s, b->path, strlen(b->path));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct perfdata *pd;
    struct fail f;
    struct seen first = {0}, second = {0};
    if (perfdata_open(data, len, NULL, &pd, &f) < 0)
        return 0;
    touch_tables(pd, &first);
    second = first;
    int err = perfdata_read(pd, take, &first, &f);
    if (err == 0) {
        const struct perfdata_counts c = *perfdata_counts(pd);
        if (perfdata_read(pd, take, &second, &f) < 0 || first.records != second.records ||
            first.sum != second.sum || c.samples > c.records || first.records > c.records)
            abort();
    }
    perfdata_free(pd);
    return 0;
}
