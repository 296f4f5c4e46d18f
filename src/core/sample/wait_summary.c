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

void waits_sums_text(const struct sampled *s, const char *before, struct buf *out)
{
    const struct sampled_waits *w = &s->waits;
    if (!s->want.waits)
        return;
    buf_printf(out,
               "%s%" PRIu64 " ms running; %" PRIu64 " waits of %" PRIu64 " ms: %" PRIu64
               " asleep, %" PRIu64 " for a CPU",
               before, sampled_amount(s, sampled_running(s)), w->count,
               sampled_amount(s, w->weight[0]), sampled_amount(s, w->weight[SAMPLED_ASLEEP]),
               sampled_amount(s, w->weight[SAMPLED_PREEMPTED]));
    if (w->forgotten)
        buf_printf(out, "; %" PRIu64 " more whose end was lost", w->forgotten);
    if (w->spanning)
        buf_printf(out, "; %" PRIu64 " may be too long, as records were lost in them", w->spanning);
}

void waits_json(const struct sampled *s, struct json *j)
{
    const struct sampled_waits *w = &s->waits;
    if (!s->want.waits)
        return;
    json_object(j, "waits");
    json_u64(j, "count", w->count);
    json_u64(j, "running_ms", sampled_amount(s, sampled_running(s)));
    json_u64(j, "wait_ms", sampled_amount(s, w->weight[0]));
    json_u64(j, "asleep_ms", sampled_amount(s, w->weight[SAMPLED_ASLEEP]));
    json_u64(j, "preempted_ms", sampled_amount(s, w->weight[SAMPLED_PREEMPTED]));
    json_u64(j, "end_lost", w->forgotten);
    json_u64(j, "spanning_lost", w->spanning);
    json_object_end(j);
}
