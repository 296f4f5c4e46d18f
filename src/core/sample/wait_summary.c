#include "core/sample/wait_summary.h"

#include "core/base/buf.h"

#include <inttypes.h>

const char waits_header[] = "    ms    wait      %   sym\n";

void waits_row(const struct sampled *s, uint64_t weight, uint64_t wait, uint64_t whole,
               const char *name, struct buf *out)
{
    buf_printf(out, "%6" PRIu64 "\t%6" PRIu64 "\t%3" PRIu64 ".%" PRIu64 "\t%s\n",
               sampled_amount(s, weight - wait), sampled_amount(s, wait),
               whole ? 100 * weight / whole : 0, whole ? 1000 * weight / whole % 10 : 0, name);
}

void waits_part(const struct sampled *s, uint64_t wait, struct buf *out)
{
    if (s->want.waits)
        buf_printf(out, ", %" PRIu64 " of it waiting", sampled_amount(s, wait));
}

void waits_sums(const struct sampled *s, struct stacks_waits *out)
{
    const struct sampled_waits *w = &s->waits;
    *out = (struct stacks_waits){.sampled = s->want.waits};
    if (!s->want.waits)
        return;
    out->count = w->count;
    out->running_ms = sampled_amount(s, sampled_running(s));
    out->wait_ms = sampled_amount(s, w->weight[0]);
    out->asleep_ms = sampled_amount(s, w->weight[SAMPLED_ASLEEP]);
    out->preempted_ms = sampled_amount(s, w->weight[SAMPLED_PREEMPTED]);
    out->end_lost = w->forgotten;
    out->spanning_lost = w->spanning;
}

void waits_sums_text(const struct sampled *s, const char *before, struct buf *out)
{
    struct stacks_waits w;
    waits_sums(s, &w);
    stacks_waits_text(&w, before, out);
}
