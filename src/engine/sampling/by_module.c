#include "engine/sampling/by_module.h"

#include "core/base/time_ns.h"
#include "core/sample/hits.h"
#include "private.h"

#include <errno.h>
#include <stdlib.h>

enum { ROUND_MS = 250 };

struct module_sampling {
    struct sampling sampling;
};

int module_sampling_start(uint32_t interval_ms, struct module_sampling **out, struct fail *f)
{
    struct sampling_want want = {
        .everything = true, .event = "cpu-clock", .period = (uint64_t)interval_ms * NS_PER_MS};
    struct module_sampling *s = calloc(1, sizeof *s);
    if (!s)
        return fail_set(f, ENOMEM, "profiling");
    int r = sampling_begin(&want, &s->sampling, f);
    if (r < 0)
        module_sampling_free(s);
    else
        *out = s;
    return r;
}

void module_sampling_free(struct module_sampling *s)
{
    if (s)
        sampling_release(&s->sampling);
    free(s);
}

int module_sampling_tend(struct module_sampling *s)
{
    sampling_poll(&s->sampling);
    return ROUND_MS;
}

/* NULL: it is no file of code, or not wanted. */
static struct profdev_module *counted_module(struct profdev *p, const struct module *m,
                                             uint64_t *text)
{
    uint64_t end;
    struct profdev_file file;
    if (!m || !m->file || !m->elf || !elf_text(m->elf, text, &end))
        return NULL;
    file = (struct profdev_file){m->path, m->identity.major, m->identity.minor, m->identity.inode};
    return profdev_intern(p, &file);
}

/* Hits are in the order of modules, and in each of addresses. */
static int count_hits(const struct sampled *s, struct hits *hits, struct profdev *p)
{
    struct profdev_module *to = NULL;
    uint64_t text = 0;
    const struct module *module = NULL;
    struct hit h;
    int r = 0;
    while (r == 0 && hits_next(hits, &h)) {
        const struct module *of = sampled_module(s, h.module);
        if (of != module)
            to = counted_module(p, of, &text);
        module = of;
        if (to && h.known && h.vaddr >= text)
            r = profdev_counted(to, h.vaddr - text, h.samples);
    }
    return r;
}

int module_sampling_count(struct module_sampling *s, bool all, struct profdev *p, struct fail *f)
{
    struct sampling *sampling = &s->sampling;
    struct hits hits;
    int r = 0;
    if (all) {
        sample_stop(sampling->run.sampler);
        r = sampling_last_round(sampling);
    } else {
        sampling_poll(sampling);
    }
    profdev_recount(p);
    if (r == 0) {
        r = hits_make(&sampling->sampled, true, &hits);
        r = r == 0 ? count_hits(&sampling->sampled, &hits, p) : r;
        hits_release(&hits);
    }
    return r < 0 ? fail_set(f, -r, "histogram") : 0;
}
