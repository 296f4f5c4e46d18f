#include "core/sample/to_stacks.h"

#include "core/base/buf.h"
#include "core/base/grow.h"
#include "core/base/time_ns.h"
#include "core/sample/chain_ends.h"
#include "core/sample/wait_summary.h"
#include "core/stacks/merge.h"
#include "core/symbol/demangle.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The stacks' frames of one place, outermost first; found once a place. */
struct place {
    uint64_t offset;
    uint32_t module, zero;
    size_t first, count; /* in making.frame */
};

struct making {
    const struct sampled *sampled;
    const struct sampled_naming *naming;
    struct stacks *out;
    struct intern places;
    uint32_t *frame; /* of all places */
    size_t frames, frame_cap;
    uint32_t *module; /* ours to theirs */
    struct frames found;
    bool failed;
};

/* --- names --- */

static uint32_t module_of(struct making *m, const struct module *of)
{
    char id[2 * sizeof of->identity.build_id + 1] = "";
    if (m->module[of->id] != STACKS_NONE)
        return m->module[of->id];
    for (size_t i = 0; i < of->identity.build_id_len; i++)
        snprintf(id + 2 * i, 3, "%02x", of->identity.build_id[i]);
    return m->module[of->id] = stacks_module(m->out, of->path, id);
}

static uint8_t kind_of(const struct module *m)
{
    return m->wait         ? STACKS_WAIT
           : m->kernel     ? STACKS_KERNEL
           : module_jit(m) ? STACKS_JIT
                           : STACKS_USER;
}

/* A function goes by its symbol, as in the flat profile; what was inlined has but its own name. */
static uint32_t named_function(struct making *m, const struct module *of, const struct frame *f,
                               const char *name)
{
    struct stacks_function fn = {.name = demangled(m->naming->names, name),
                                 .raw = name,
                                 .file = f->file,
                                 .module = module_of(m, of),
                                 .kind = kind_of(of)};
    return stacks_function(m->out, &fn);
}

/* A function that has no name goes by its start; what has no start, by whose memory it is in. */
static void name_nameless(const struct making *m, const struct module *of, uint64_t vaddr,
                          bool known, struct buf *out)
{
    uint64_t start;
    if (known && module_function_start(of, vaddr, &start))
        return buf_printf(out, "0x%" PRIx64, start);
    buf_adds(out, "(no symbol)");
    if (!m->naming->pooled)
        module_owner(of, m->sampled->want.pid, out);
}

static uint32_t nameless_function(struct making *m, const struct module *of, uint64_t vaddr,
                                  bool known)
{
    SCOPED_BUF name = BUF_INIT;
    if (!of)
        return stacks_function(
            m->out, &(struct stacks_function){.name = "(no module)", .module = STACKS_NONE});
    name_nameless(m, of, vaddr, known, &name);
    m->failed |= buf_error(&name) != 0;
    return stacks_function(m->out, &(struct stacks_function){.name = buf_str(&name),
                                                             .module = module_of(m, of),
                                                             .kind = kind_of(of)});
}

static void add_frame(struct making *m, const struct stacks_frame *f)
{
    uint32_t i = stacks_frame(m->out, f);
    if (i != STACKS_NONE && grow(&m->frame, &m->frame_cap, m->frames, sizeof *m->frame))
        m->frame[m->frames++] = i;
    else
        m->failed = true;
}

/* --- places --- */

static void name_place(struct making *m, struct place *p)
{
    struct module *of = sampled_module(m->sampled, p->module);
    uint64_t vaddr = 0;
    bool known = of && module_vaddr(of, p->offset, &vaddr);
    p->first = m->frames;
    frames_clear(&m->found);
    if (known)
        m->naming->frames_at(m->naming->arg, of, vaddr, &m->found);
    for (size_t i = m->found.count; i--;) {
        const struct frame *f = &m->found.frame[i];
        bool inlined = i + 1 < m->found.count;
        if (inlined && !m->naming->inlines)
            break;
        const char *name = !inlined && m->found.symbol ? m->found.symbol : f->function;
        add_frame(m,
                  &(struct stacks_frame){.function = name ? named_function(m, of, f, name)
                                                          : nameless_function(m, of, vaddr, true),
                                         .line = f->line,
                                         .address = vaddr,
                                         .inlined = inlined});
    }
    if (!m->found.count)
        add_frame(m, &(struct stacks_frame){.function = nameless_function(m, of, vaddr, known),
                                            .address = vaddr});
    p->count = m->frames - p->first;
}

static const struct place *place_of(struct making *m, const struct sampled_node *n)
{
    struct place key;
    memset(&key, 0, sizeof key);
    key.offset = n->offset;
    key.module = n->module;
    size_t before = m->places.count;
    uint32_t i = intern(&m->places, &key);
    if (i == INTERN_NONE)
        return NULL;
    struct place *p = (struct place *)m->places.record + i;
    if (m->places.count > before)
        name_place(m, p);
    return p;
}

/* --- nodes and samples --- */

static uint32_t node_of(struct making *m, const struct sampled_node *n, const uint32_t *mapped)
{
    const struct place *p = place_of(m, n);
    uint32_t node = n->parent == INTERN_NONE ? STACKS_NONE : mapped[n->parent];
    for (size_t i = 0; p && i < p->count; i++)
        node = stacks_node(m->out, node, m->frame[p->first + i]);
    m->failed |= !p;
    return node;
}

static uint32_t cgroup_of(struct making *m, uint32_t group)
{
    const char *path = sampled_cgroup_path(m->sampled, group);
    return stacks_thread(m->out, 0, UINT32_MAX, path ? path : STACKS_NO_CGROUP);
}

static uint32_t thread_of(struct making *m, uint32_t index)
{
    const struct sampled_thread *t = &m->sampled->threads.thread[index];
    if (m->sampled->want.by == SAMPLED_WHOLE)
        return STACKS_NONE;
    if (m->sampled->want.by == SAMPLED_BY_CGROUP)
        return cgroup_of(m, t->tid);
    return stacks_thread(m->out, t->pid, t->tid, t->name);
}

static void add_samples(struct making *m, const uint32_t *mapped)
{
    const struct sampled *s = m->sampled;
    for (size_t i = 0; m->out->timed && i < s->timeline.count; i++) {
        const struct sampled_one *one = &s->timeline.one[i];
        stacks_add(m->out, thread_of(m, one->thread), mapped[one->node], one->time_ns - s->first_ns,
                   (uint64_t[]){1, one->weight});
    }
    for (size_t i = 0; !m->out->timed && i < s->cells.count; i++) {
        const struct sampled_cell *c = sampled_cell_at(s, i);
        stacks_add(m->out, s->threads.count ? thread_of(m, c->set) : STACKS_NONE, mapped[c->node],
                   0, (uint64_t[]){c->samples, c->weight});
    }
}

/* --- heap profiles --- */

/* The values in their order, which ends with the one that is weighed by. */
static size_t heap_value(const struct making *m, size_t i)
{
    enum sampled_heap_weight last = m->naming->heap_weight;
    return i + 1 == SAMPLED_HEAP_WEIGHTS ? last : i < last ? i : i + 1;
}

static void add_heap(struct making *m, const uint32_t *mapped)
{
    const struct heap_totals *h = &m->sampled->heap;
    for (size_t i = 0; i < h->sites && i < m->sampled->nodes.count; i++) {
        const struct heap_sums *s = &h->site[i];
        const uint64_t of[] = {s->peak.bytes, s->now.bytes, s->allocated.bytes,
                               s->allocated.blocks};
        uint64_t amounts[SAMPLED_HEAP_WEIGHTS];
        for (size_t v = 0; v < SAMPLED_HEAP_WEIGHTS; v++)
            amounts[v] = of[heap_value(m, v)];
        if (s->allocated.blocks)
            stacks_add(m->out, STACKS_NONE, mapped[i], 0, amounts);
    }
}

static void init_heap_stacks(const struct making *m)
{
    static const struct stacks_value known[] = {{"peak_space", "bytes"},
                                                {"inuse_space", "bytes"},
                                                {"alloc_space", "bytes"},
                                                {"alloc_objects", "count"}};
    struct stacks_value values[SAMPLED_HEAP_WEIGHTS];
    for (size_t v = 0; v < SAMPLED_HEAP_WEIGHTS; v++)
        values[v] = known[heap_value(m, v)];
    stacks_init(m->out, values, SAMPLED_HEAP_WEIGHTS);
    m->out->origin.uneven = true;
}

/* --- */

static void init_stacks(const struct sampled *s, struct stacks *out)
{
    struct stacks_value values[] = {{"samples", "count"}, {s->event.name, "count"}};
    if (s->event.clock)
        values[1] = (struct stacks_value){"time", "nanoseconds"};
    stacks_init(out, values, 2);
    out->timed = s->timeline.count > 0;
    out->origin.uneven = s->want.waits;
    out->origin.lost = s->loss.lost;
    out->origin.period = s->want.hz && s->event.clock ? NS_PER_S / s->want.hz : 1;
    out->origin.period_value = 1;
    out->origin.duration_ns = s->last_ns - s->first_ns;
}

static void add_sums(const struct sampled *s, struct stacks *out)
{
    struct stacks_ends ends;
    chain_ends_sums(s, &ends);
    stacks_set_ends(out, &ends);
    free(ends.broken);
    waits_sums(s, &out->waits);
}

void sampled_indexes_release(struct sampled_indexes *indexes)
{
    free(indexes->node);
    free(indexes->thread);
    *indexes = (struct sampled_indexes){0};
}

/* Takes the array of nodes. */
static void give_indexes(struct making *m, uint32_t *mapped)
{
    struct sampled_indexes *to = m->naming->indexes;
    size_t threads = m->sampled->threads.count;
    to->node = mapped;
    to->thread = malloc((threads + 1) * sizeof *to->thread);
    m->failed |= !to->thread;
    for (uint32_t i = 0; to->thread && i < threads; i++)
        to->thread[i] = thread_of(m, i);
}

int sampled_stacks(const struct sampled *s, const struct sampled_naming *naming, struct stacks *out)
{
    struct making m = {.sampled = s,
                       .naming = naming,
                       .out = out,
                       .places = {.each = sizeof(struct place), .key = 16}};
    size_t nodes = s->nodes.count;
    uint32_t *mapped = malloc((nodes + 1) * sizeof *mapped);
    if (s->heap.processes)
        init_heap_stacks(&m);
    else
        init_stacks(s, out);
    out->timed &= !naming->indexes;
    m.module = malloc((s->mapped.modules.count + 1) * sizeof *m.module);
    m.failed = !mapped || !m.module;
    if (!m.failed) {
        memset(m.module, 0xff, (s->mapped.modules.count + 1) * sizeof *m.module);
        const struct module *program = mapped_main(&s->mapped);
        if (program) /* first, as readers take the first one for the program */
            module_of(&m, program);
        for (size_t i = 0; i < nodes && !m.failed; i++)
            mapped[i] = node_of(&m, sampled_node_at(s, (uint32_t)i), mapped);
        if (!m.failed)
            (s->heap.processes ? add_heap : add_samples)(&m, mapped);
    }
    add_sums(s, out);
    intern_release(&m.places);
    frames_release(&m.found);
    free(m.frame);
    free(m.module);
    if (naming->indexes)
        give_indexes(&m, mapped);
    else
        free(mapped);
    return m.failed ? -ENOMEM : stacks_error(out);
}
