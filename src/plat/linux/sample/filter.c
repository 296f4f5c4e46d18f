/* Of the records of all CPUs those of some processes. */
#include "perf.h"

#include <errno.h>

static bool add_process(struct perf_filter *f, uint32_t pid)
{
    uint64_t *at = imap_at(&f->pids, pid);
    if (at)
        *at = 1;
    return at != NULL;
}

int perf_filter_start(struct perf_filter *f, const struct sample_want *want,
                      const struct perfrec_format *format)
{
    bool whole = add_process(f, (uint32_t)want->pid);
    for (size_t i = 0; i < want->others; i++)
        whole = add_process(f, (uint32_t)want->other[i]) && whole;
    f->on = true;
    f->format = *format;
    return whole ? 0 : -ENOMEM;
}

/* Losses and pauses are of a CPU, not of a process. */
static bool is_of_process(const struct perfrec *r)
{
    return r->type != PERFREC_LOST && r->type != PERFREC_THROTTLE && r->type != PERFREC_UNTHROTTLE;
}

bool perf_filter_passes(const struct perf_filter *f, const void *record, size_t len)
{
    struct perfrec r;
    if (!f->on)
        return true;
    return perfrec_decode(record, len, &f->format, &r) &&
           (!is_of_process(&r) || imap_get(&f->pids, r.pid));
}
