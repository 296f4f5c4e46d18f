#include "core/ktrace/device.h"

#include <stdlib.h>

void ktrace_init(struct ktrace *k)
{
    *k = (struct ktrace){.log_events = KTRACE_LOG_EVENTS};
}

void ktrace_release(struct ktrace *k)
{
    free(k->log);
    k->log = NULL;
}

static bool is_watched(const struct ktrace *k, uint64_t pid)
{
    size_t i = 0;
    while (i < k->watches && k->watched[i] != pid)
        i++;
    return k->all || !k->watches || i < k->watches;
}

/* Memory that cannot be had is a log without room. */
static bool has_room(struct ktrace *k)
{
    if (!k->log)
        k->log = calloc(k->log_events, sizeof *k->log);
    return k->log && k->produced - k->consumed < k->log_events;
}

void ktrace_add(struct ktrace *k, const struct ktrace_event *e)
{
    if (e->interrupt && !k->all) {
        k->interrupted++;
        return;
    }
    if (!is_watched(k, e->pid))
        return;
    *(e->exit ? &k->exits : &k->entries) += 1;
    if (has_room(k))
        k->log[k->produced++ % k->log_events] = *e;
    else
        k->dropped++;
}

size_t ktrace_read(struct ktrace *k, char *out, size_t len)
{
    size_t n = 0;
    for (; k->consumed < k->produced && len - n >= KTRACE_LINE_BYTES; n += KTRACE_LINE_BYTES)
        ktrace_line(&k->log[k->consumed++ % k->log_events], out + n);
    return n;
}
