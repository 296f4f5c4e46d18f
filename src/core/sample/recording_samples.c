/* The samples of a recording, which are nearly all of its bytes. */
#include "core/base/varint.h"
#include "count.h"
#include "recording_reading.h"

/* Of the event that is wanted. */
static uint64_t period_of(const struct reading *r)
{
    return r->period[r->sampled->want.event];
}

/* Where nothing but sums by chain is asked for, a sample is counted at its node here, which is the
 * only memory that it touches; what else is to be summed is summed by node when all are read. */
static bool is_summed(const struct sampled *s)
{
    return s->want.by == SAMPLED_WHOLE && !s->want.timeline && !s->want.recent && !s->hooks.counted;
}

static void add_to_cell(struct sampled *s, uint32_t node, uint64_t samples, uint64_t weight)
{
    uint32_t cell = sampled_cell_of_node(&s->cells, &s->cell_of, node);
    if (cell == INTERN_NONE) {
        s->err = -ENOMEM;
        return;
    }
    struct sampled_cell *c = (struct sampled_cell *)s->cells.record + cell;
    c->samples += samples;
    c->weight += weight;
}

static void empty_node(struct reading *r, struct read_node *n)
{
    add_to_cell(r->sampled, n->node, n->samples, n->samples * period_of(r));
    n->samples = 0;
}

static void add_sample(struct reading *r, struct read_node *n, const struct sampled_one *one)
{
    struct sampled *s = r->sampled;
    struct sampled_thread *t = &s->threads.thread[one->thread];
    if (!n->samples || n->samples == READ_MAX_SAMPLES) /* cells come in the order of samples */
        empty_node(r, n);
    n->samples++;
    if (one->weight != period_of(r))
        add_to_cell(s, n->node, 0, one->weight - period_of(r));
    t->samples++;
    t->weight += one->weight;
    s->count.samples++;
    s->count.weight += one->weight;
    s->count.shortened += n->shortened;
    sampled_span(s, one, n->wait);
}

/* False: it is cut off, or damaged. */
static bool read_sample(struct reading *r, struct varints *c, unsigned event, bool summed)
{
    uint64_t thread = get_varint(c), node = get_varint(c), cpu = get_varint(c);
    uint64_t time = get_varint(c), weight = time & 1 ? get_varint(c) : r->period[event];
    if (c->bad)
        return false;
    if (thread >= r->threads || !r->thread[thread] || node >= r->nodes) {
        r->err = -EINVAL;
        return false;
    }
    r->time_ns[event] += (uint64_t)unzigzag(time >> 1);
    struct read_node *n = &r->node[node];
    const struct sampled_one one = {r->time_ns[event], weight,       r->thread[thread] - 1, n->node,
                                    (uint32_t)cpu,     n->shortened, (uint8_t)event};
    r->recording->event[event].samples++;
    if (event != r->sampled->want.event)
        return true;
    if (summed)
        add_sample(r, n, &one);
    else
        sampled_count(r->sampled, &one);
    return true;
}

static void read_samples_of(struct reading *r, struct varints *c, unsigned event)
{
    bool summed = is_summed(r->sampled);
    recording_apply_facts(r);
    while (c->at < c->end && read_sample(r, c, event, summed))
        ;
}

void recording_read_samples(struct reading *r, struct varints *c)
{
    read_samples_of(r, c, 0);
}

void recording_read_event_samples(struct reading *r, struct varints *c)
{
    uint64_t event = get_varint(c);
    if (!c->bad && event && event < r->recording->events)
        read_samples_of(r, c, (unsigned)event);
}

void recording_sum_samples(struct reading *r)
{
    if (!is_summed(r->sampled) || r->sampled->want.event >= SAMPLED_MAX_EVENTS)
        return;
    for (size_t i = 0; i < r->nodes; i++)
        if (r->node[i].samples)
            empty_node(r, &r->node[i]);
    sampled_sum_places(r->sampled);
}
