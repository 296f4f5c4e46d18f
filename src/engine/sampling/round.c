/* From the rings to the order of time, and on to what counts. */
#include "core/perf/reorder.h"
#include "private.h"

#include <stdio.h>

/* Taken, or lost, while it was learnt what runs. */
static bool is_before_window(const struct sampling *s, const struct perfrec *r)
{
    return (r->type == PERFREC_SAMPLE || r->type == PERFREC_LOST) && r->time < s->run.window_ns;
}

static void add_ordered(void *arg, const void *record, size_t len)
{
    struct sampling *s = arg;
    struct perfrec r;
    if (!perfrec_decode(record, len, &s->run.format, &r) || is_before_window(s, &r))
        return;
    if (s->run.events > 1)
        r.event = (uint8_t)sample_event_of(s->run.sampler, r.id);
    sampled_add_record(&s->sampled, &r);
}

static void read_rings(struct sampling *s)
{
    struct order *o = s->run.order;
    struct perfrec r;
    sample_take(s->run.sampler, &o->bytes);
    for (size_t at = 0, size; at < o->bytes.len; at += size) {
        size = perfrec_size(o->bytes.data + at, o->bytes.len - at);
        if (!size)
            break;
        if (perfrec_decode(o->bytes.data + at, size, &s->run.format, &r))
            order_add(o, at, size, r.time);
    }
}

/* Copies of the stack are as long as the last chains needed them. */
static void choose_stack(struct sampling *s)
{
    struct stack_need *need = &s->sampled.unwound.need;
    stack_need_lost(need, s->sampled.loss.lost - s->run.lost_so_far);
    s->run.lost_so_far = s->sampled.loss.lost;
    if (need->is_short == s->run.short_stack)
        return;
    s->run.short_stack = need->is_short;
    sample_shorten_stack(s->run.sampler, need->is_short);
    snprintf(s->method, sizeof s->method, "%s", sample_method(s->run.sampler));
}

void sampling_poll(struct sampling *s)
{
    read_rings(s);
    sampled_round(&s->sampled);
    order_round(s->run.order, add_ordered, s);
    choose_stack(s);
}

int sampling_last_round(struct sampling *s)
{
    read_rings(s);
    return order_flush(s->run.order, add_ordered, s);
}
