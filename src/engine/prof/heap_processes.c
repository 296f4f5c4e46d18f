/* The processes of a heap profile: what their tracer calls. */
#include "heap_parts.h"

#include <stdlib.h>

static struct heap_image *make_image(struct heap_run *h, const struct breaks_stop *s)
{
    struct heap_image *m = calloc(1, sizeof *m);
    h->failed |= !m;
    if (m)
        *m = (struct heap_image){.pid = (uint32_t)s->pid, .heap = {.watch = h->watch}};
    breaks_set_data(s->image, m);
    return m;
}

static void copy_image(struct heap_run *h, struct heap_image *m, const struct heap_image *from)
{
    struct imap_slot slot;
    m->loaded = from->loaded;
    for (size_t i = 0; imap_next(&from->functions, &i, &slot);) {
        uint64_t *to = imap_at(&m->functions, slot.key);
        h->failed |= !to;
        if (to)
            *to = slot.value;
    }
    heap_fork(&m->heap, &from->heap);
    sampled_add_record(&h->sampling->sampled, &(struct perfrec){.type = PERFREC_FORK,
                                                                .pid = m->pid,
                                                                .tid = m->pid,
                                                                .ppid = from->pid,
                                                                .ptid = from->pid});
}

static enum breaks_next on_started(void *arg, const struct breaks_stop *s,
                                   const struct breaks_image *copied)
{
    struct heap_run *h = arg;
    struct sampled *sampled = &h->sampling->sampled;
    struct heap_image *m = make_image(h, s);
    const struct heap_image *from = copied ? breaks_data(copied) : NULL;
    if (!m)
        return BREAKS_RUN;
    if (from) {
        copy_image(h, m, from);
        return BREAKS_RUN;
    }
    if (!sampled->want.pid)
        sampled_process(sampled, m->pid);
    sampled_add_record(
        sampled, &(struct perfrec){
                     .type = PERFREC_COMM, .pid = m->pid, .tid = m->pid, .exec = true, .name = ""});
    heap_image_look(h, s);
    return BREAKS_RUN;
}

static void on_ended(void *arg, struct breaks_image *image)
{
    struct heap_run *h = arg;
    SCOPED_FREE struct heap_image *m = breaks_data(image);
    if (!m)
        return;
    heap_calls_forget(h, image);
    if (m->functions.used)
        h->failed |= !heap_add(&h->sampling->sampled.heap, &m->heap);
    heap_release(&m->heap);
    imap_release(&m->functions);
    imap_release(&m->reserved);
}

static enum breaks_next on_reached(void *arg, const struct breaks_stop *s)
{
    struct heap_run *h = arg;
    const struct heap_image *m = breaks_data(s->image);
    enum heap_function function = m ? imap_get(&m->functions, s->pc) : 0;
    if (m && s->pc == m->loaded)
        heap_image_look(h, s);
    else if (function)
        heap_call_begins(h, s, function);
    else if (m)
        heap_call_returns(h, s);
    return BREAKS_RUN;
}

struct breaks_callbacks heap_callbacks(struct heap_run *h)
{
    return (struct breaks_callbacks){
        .arg = h, .started = on_started, .ended = on_ended, .reached = on_reached};
}
