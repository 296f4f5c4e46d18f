#include "core/snap/contents.h"

#include "core/base/time_ns.h"

int64_t snap_stats_time(const struct snap_contents *c, uint64_t time_ms)
{
    uint64_t offset_ns =
        snap_file_u64(c->file, SNAP_BEGIN_REAL) - snap_file_u64(c->file, SNAP_BEGIN_MONO);
    return (int64_t)(time_ms * (uint64_t)NS_PER_MS - offset_ns - c->begin_ns);
}

int64_t snap_clock_drift(const struct snap_contents *c)
{
    uint64_t begin_ns =
        snap_file_u64(c->file, SNAP_BEGIN_REAL) - snap_file_u64(c->file, SNAP_BEGIN_MONO);
    uint64_t end_ns = snap_file_u64(c->file, SNAP_END_REAL) - snap_file_u64(c->file, SNAP_END_MONO);
    return snap_file_u64(c->file, SNAP_END_MONO) ? (int64_t)(end_ns - begin_ns) : 0;
}

uint64_t snap_samples_shown(const struct snap_contents *c)
{
    const struct sampled_timeline *t = c->samples ? &c->samples->sampled->timeline : NULL;
    uint64_t n = 0;
    for (size_t i = 0; t && i < t->count; i++)
        n += t->one[i].time_ns >= c->begin_ns && t->one[i].time_ns < c->end_ns;
    return n;
}
