/* What a recording was sampled by, one event or several, and how the chains of the wanted one
 * ended. */
#include "core/base/time_ns.h"
#include "core/unwind/unwind.h"
#include "count.h"
#include "recording_reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what was sampled by --- */

static uint64_t fact_number(const struct reading *r, enum recording_fact_key key)
{
    return strtoull(buf_str(&r->recording->fact[key]), NULL, 10);
}

/* The first one is what the facts are of. */
static void describe_first(struct reading *r)
{
    struct recording_event *e = &r->recording->event[0];
    const struct buf *name = &r->recording->fact[RECORDING_EVENT];
    e->is = r->sampled->event;
    e->is.clock = fact_number(r, RECORDING_CLOCK) == 1;
    e->hz = fact_number(r, RECORDING_HZ);
    if (name->len)
        snprintf(e->is.name, sizeof e->is.name, "%s", buf_str(name));
}

void recording_apply_facts(struct reading *r)
{
    const struct recording *of = r->recording;
    if (r->applied)
        return;
    r->applied = true;
    describe_first(r);
    for (unsigned i = 0; i < of->events; i++)
        r->period[i] = of->event[i].hz ? NS_PER_S / of->event[i].hz : 1;
    unsigned wanted = r->sampled->want.event;
    if (wanted >= of->events)
        return;
    r->sampled->want.hz = of->event[wanted].hz;
    r->sampled->event = of->event[wanted].is;
}

/* They come in the order of their numbers; more than can be told apart are passed over. */
void recording_read_event(struct reading *r, struct varints *c)
{
    uint64_t number = get_varint(c), flags = get_varint(c), hz = get_varint(c);
    size_t len;
    const char *name = get_text(c, &len);
    if (c->bad || number != r->recording->events || number >= SAMPLED_MAX_EVENTS || r->applied)
        return;
    struct recording_event *e = &r->recording->event[r->recording->events++];
    *e = (struct recording_event){.is.clock = flags & EVENT_CLOCK,
                                  .user = flags & EVENT_USER,
                                  .kernel = flags & EVENT_KERNEL,
                                  .hz = hz};
    memcpy(e->is.name, name, len < sizeof e->is.name ? len : sizeof e->is.name - 1);
}

/* --- how chains ended --- */

/* Of another event than the first, what a record of its own has of that. */
static uint64_t *counted_apart(struct reading *r, uint64_t end)
{
    struct sampled_unwound *u = &r->sampled->unwound;
    return end == SAMPLED_END_BY_CODE      ? &u->by_code
           : end == SAMPLED_END_GUESSED    ? &u->guessed
           : end == SAMPLED_END_FROM_CACHE ? &u->from_cache
                                           : NULL;
}

static void read_end_row(struct reading *r, uint64_t end, uint64_t module, uint64_t chains)
{
    uint64_t *apart = r->sampled->want.event ? counted_apart(r, end) : NULL;
    if (apart) {
        *apart = chains;
        return;
    }
    if (end >= UNWIND_ENDS || module > r->modules)
        return recording_fail(r, -EINVAL);
    struct sampled_end *row = sampled_end_of(
        &r->sampled->unwound.ends, module ? r->module[module - 1] : SAMPLED_OUTSIDE, (uint32_t)end);
    if (row)
        row->chains = chains;
    else
        recording_fail(r, -ENOMEM);
}

static void read_ends_of(struct reading *r, struct varints *c)
{
    while (c->at < c->end && !r->err) {
        uint64_t end = get_varint(c), module = get_varint(c), chains = get_varint(c);
        if (c->bad)
            return;
        read_end_row(r, end, module, chains);
    }
}

void recording_read_ends(struct reading *r, struct varints *c)
{
    if (!r->sampled->want.event)
        read_ends_of(r, c);
}

void recording_read_event_ends(struct reading *r, struct varints *c)
{
    uint64_t event = get_varint(c);
    if (!c->bad && event && event == r->sampled->want.event)
        read_ends_of(r, c);
}
