/* Copies of the stack of two sizes: the size is the event's, so each event has another beside it,
 * which children inherit, too. One of the two runs. */
#include "perf.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

void perf_attr_longer(const struct perf_event_attr *a, uint32_t bytes, struct perf_event_attr *out)
{
    *out = *a;
    out->sample_stack_user = bytes;
    out->disabled = 1;
    out->enable_on_exec = 0;
}

/* Of the events of one size, with those that children have inherited. */
static void request_all(const struct perf_sampler *s, bool of_longer, unsigned long request)
{
    size_t next = 0;
    for (size_t i = 0; i < s->events; i++) {
        bool is_longer = next < s->longer.events && s->event[i] == s->longer.event[next];
        next += is_longer;
        if (is_longer == of_longer)
            ioctl(s->event[i], request, 0);
    }
}

uint32_t perf_short_stack(const struct sampler *base)
{
    const struct perf_sampler *s = (const struct perf_sampler *)base;
    return s->longer.events ? s->attr.sample_stack_user : 0;
}

/* Both run for a moment: an event that does not run reports no mappings, of which none may be
 * missing. */
void perf_lengthen_stack(struct sampler *base, bool longer)
{
    struct perf_sampler *s = (struct perf_sampler *)base;
    size_t at = strlen(s->method);
    request_all(s, longer, PERF_EVENT_IOC_ENABLE);
    request_all(s, !longer, PERF_EVENT_IOC_DISABLE);
    if (!s->longer.ran)
        snprintf(s->method + at, sizeof s->method - at, ", %u KB where needed",
                 (s->longer.bytes + 1023) / 1024);
    s->longer.ran = true;
}
