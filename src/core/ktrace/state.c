/* tracectl's text. Comments that Plan 9 does not have appear only where there is something to say.
 */
#include "core/ktrace/device.h"

#include <inttypes.h>

static void add_ranges(const struct ktrace *k, struct buf *out)
{
    for (size_t i = k->ranges; i-- > 0;)
        buf_printf(out, "trace %" PRIx64 " %" PRIx64 " new %s\n", k->range[i].start,
                   k->range[i].end, k->range[i].name);
    for (size_t i = k->ranges; i-- > 0;)
        buf_printf(out, "#trace %" PRIx64 " traced? %d\n", k->range[i].start, k->range[i].on);
    for (size_t i = k->ranges; i-- > 0;)
        if (k->range[i].on)
            buf_printf(out, "trace %s on\n", k->range[i].name);
}

static void add_counts(const struct ktrace *k, struct buf *out)
{
    buf_printf(out, "#tracehits %" PRIu64 ", in queue %" PRIu64 "\n", k->entries + k->exits,
               k->produced - k->consumed);
    buf_printf(out, "#tracelog %zu\n#traceactive %d\n", k->log ? k->log_events : 0, k->active);
    buf_printf(out, "#traceinhits %" PRIu64 "\n#traceouthits %" PRIu64 "\n", k->entries, k->exits);
    if (k->dropped)
        buf_printf(out, "#dropped %" PRIu64 "\n", k->dropped);
    if (k->interrupted)
        buf_printf(out, "#ininterrupts %" PRIu64 "\n", k->interrupted);
}

void ktrace_state_text(const struct ktrace *k, struct buf *out)
{
    buf_printf(out, "logsize %zu\n", k->log_events);
    add_ranges(k, out);
    for (size_t i = 0; i < k->watches; i++)
        buf_printf(out, "watch %" PRIu64 "\n", k->watched[i]);
    if (k->active)
        buf_adds(out, k->all ? "all\n" : "start\n");
    add_counts(k, out);
}
