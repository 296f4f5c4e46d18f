/* A sampling as the histogram that kprof(3) hands out. */
#include "core/report/kpdata.h"
#include "core/sample/hits.h"
#include "engine/sampling/report.h"

#include <string.h>

static bool is_kernel(const struct sampled *s, const struct hit *h)
{
    const struct module *m = sampled_module(s, h->module);
    return m && h->known && strcmp(m->name, "[kernel]") == 0;
}

static uint64_t count_hits(const struct sampled *s, struct hits *hits, struct kpdata *k)
{
    uint64_t apart = 0;
    struct hit h;
    while (hits_next(hits, &h)) {
        bool in = is_kernel(s, &h);
        kpdata_count(k, in ? h.vaddr : 0, h.samples);
        if (!in && h.module != SAMPLED_OUTSIDE)
            apart += h.samples;
    }
    kpdata_count(k, 0, s->count.idle + s->count.user);
    return apart;
}

size_t sampling_kpdata_length(const struct sampling *s)
{
    struct mapped_code text;
    bool known = mapped_kernel_at(&s->sampled.mapped, "[kernel]", &text);
    return known ? kpdata_length(text.start, text.end) : 0;
}

int sampling_kpdata(struct sampling *s, struct buf *out, uint64_t *apart, struct fail *f)
{
    const struct sampled *sampled = &s->sampled;
    struct mapped_code text;
    struct kpdata k;
    struct hits hits;
    if (!sampled->event.clock || !sampled->want.hz)
        return fail_set(f, 0, "a histogram counts clock ticks, not %s", sampled->event.name);
    if (!mapped_kernel_at(&sampled->mapped, "[kernel]", &text))
        return fail_set(f, 0, "the end of the kernel's text is not known");
    int r = kpdata_init(&k, text.start, text.end, (uint32_t)(1000000 / sampled->want.hz));
    if (r < 0)
        return fail_set(f, -r, "histogram");
    r = hits_make(sampled, true, &hits);
    if (r == 0) {
        *apart = count_hits(sampled, &hits, &k);
        kpdata_write(&k, out);
    }
    hits_release(&hits);
    kpdata_release(&k);
    return r < 0 ? fail_set(f, -r, "histogram") : 0;
}
