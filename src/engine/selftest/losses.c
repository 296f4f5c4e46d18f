/* More samples than a ring takes: what was read and what was reported as lost is what was written.
 */
#include "core/perf/perfrec.h"
#include "plat/sample.h"
#include "work.h"

#include <stdio.h>

/* Kernels before Linux 6.0 say what they lost only in a record before the next sample of that ring:
 * the second part brings it, into the same ring, as the workload stays on its CPU. */
enum { FAULTS = 20000, FAULTS_AFTER = 64, SMALL_RING = 4096 };

struct taken {
    struct perfrec_format format;
    uint64_t samples, lost;
};

static void take_record(void *arg, const void *record, size_t len)
{
    struct taken *taken = arg;
    struct perfrec r;
    if (!perfrec_decode(record, len, &taken->format, &r))
        return;
    taken->samples += r.type == PERFREC_SAMPLE;
    taken->lost += r.type == PERFREC_LOST ? r.lost : 0;
}

static int overflow_ring(struct selftest *t, struct work *w, struct sampler *s, struct taken *taken,
                         struct fail *f)
{
    int r = work_do(t, w, FAULTS, NULL, NULL, f);
    if (r < 0)
        return r;
    sample_read(s, take_record, taken);
    r = work_do(t, w, FAULTS_AFTER, NULL, NULL, f);
    sample_stop(s);
    sample_read(s, take_record, taken);
    uint64_t all = sample_lost(s);
    if (all > taken->lost)
        taken->lost = all;
    return r;
}

static int sample_faults(struct selftest *t, struct work *w, struct taken *taken, struct fail *f)
{
    struct sample_want want = {
        .pid = w->pid, .backend = SAMPLE_PERF, .hz = 1, .ring_bytes = SMALL_RING};
    struct sampler *s;
    int r = sample_event_find("page-faults:u", &want.event, f);
    if (r == 0)
        r = work_do(t, w, 1, NULL, NULL, f); /* its own pages are there then */
    if (r == 0)
        r = sample_open(&want, &s, f);
    if (r < 0)
        return r;
    sample_format(s, &taken->format);
    r = overflow_ring(t, w, s, taken, f);
    sample_close(s);
    return r;
}

static void judge_losses(struct selftest_check *c, const struct taken *taken)
{
    snprintf(c->how, sizeof c->how, "%llu read, %llu reported as lost",
             (unsigned long long)taken->samples, (unsigned long long)taken->lost);
    c->counter = true;
    if (!taken->lost && (double)taken->samples >= c->min)
        selftest_unverified(c, "the ring took all: %llu samples",
                            (unsigned long long)taken->samples);
    else
        selftest_judge(c, (double)(taken->samples + taken->lost));
}

void measure_losses(struct selftest *t)
{
    struct taken taken = {.samples = 0};
    struct work w;
    struct fail f;
    struct selftest_check *c = selftest_add(t->report, "", 0, "samples read and lost");
    double n = FAULTS + FAULTS_AFTER;
    selftest_expect(c, n, n, n + 10);
    if (selftest_is_late(t))
        return;
    int r = work_start(t, &w, "touch", &f);
    if (r == 0) {
        r = sample_faults(t, &w, &taken, &f);
        work_end(&w);
    }
    if (r < 0)
        selftest_fail_pending(t, &f);
    else
        judge_losses(c, &taken);
}
