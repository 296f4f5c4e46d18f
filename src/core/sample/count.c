/* From a sample's addresses to the chain that is counted. */
#include "count.h"

#include "core/base/bytes.h"
#include "core/base/grow.h"
#include "tally.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* --- chains --- */

/* The first node, so that it exists even when no other fits. */
static uint32_t outside_node(struct sampled *s, uint32_t parent)
{
    const struct sampled_node none = {0, SAMPLED_OUTSIDE, parent};
    uint32_t i = intern(&s->nodes, &none);
    if (i == INTERN_NONE)
        s->err = -ENOMEM;
    return i;
}

/* A quarter more fit without callers, for the places of chains that do not. */
static bool fits(const struct sampled *s, const struct sampled_node *n)
{
    size_t max = s->want.max_nodes;
    return s->nodes.count < (n->parent == INTERN_NONE ? max + max / 4 : max);
}

static uint32_t find_or_add(struct sampled *s, const struct sampled_node *n)
{
    return fits(s, n) ? intern(&s->nodes, n) : intern_find(&s->nodes, n);
}

uint32_t sampled_node(struct sampled *s, const struct sampled_node *n, bool *shortened)
{
    if (!s->nodes.count)
        outside_node(s, INTERN_NONE);
    uint32_t i = find_or_add(s, n);
    if (i != INTERN_NONE)
        return i;
    *shortened = true;
    i = find_or_add(s, &(struct sampled_node){n->offset, n->module, INTERN_NONE});
    return i != INTERN_NONE ? i : s->nodes.count ? 0 : INTERN_NONE;
}

/* A node without samples for the module of a caller that is not counted. */
static void note_caller(struct sampled *s, uint32_t space, uint64_t pc)
{
    bool shortened;
    const struct space_map *map = spaces_find(&s->mapped.spaces, space, pc);
    if (map)
        sampled_node(s, &(struct sampled_node){0, (uint32_t)map->module, INTERN_NONE}, &shortened);
}

static struct sampled_node place_at(struct sampled *s, uint32_t space, uint64_t pc, uint32_t parent)
{
    const struct space_map *map = spaces_find_again(&s->mapped.spaces, space, pc);
    if (!map)
        return (struct sampled_node){0, SAMPLED_OUTSIDE, parent};
    return (struct sampled_node){pc - map->start + map->file_offset, (uint32_t)map->module, parent};
}

static uint32_t node_at(struct sampled *s, uint32_t space, uint64_t pc, uint32_t parent,
                        bool *shortened)
{
    struct sampled_node n = place_at(s, space, pc, parent);
    uint64_t end;
    if (n.module != SAMPLED_OUTSIDE && s->hooks.place)
        n.offset = s->hooks.place(s->hooks.arg, sampled_module(s, n.module), n.offset, &end);
    return sampled_node(s, &n, shortened);
}

/* A chain as perf gives it is innermost first, with a mark before each part of another mode; the
 * first address is the sample's own. */
static void read_chain(const struct sampled *s, const struct perfrec *r, bool user,
                       struct sampled_chain *c)
{
    uint32_t space = r->mode == PERFREC_USER ? r->pid : MAPPED_KERNEL;
    bool known = r->mode == PERFREC_USER || r->mode == PERFREC_KERNEL;
    size_t max_depth = s->want.leaf_only ? 1 : SAMPLED_MAX_DEPTH;
    for (size_t i = 0; i < r->sample.chain_len && c->depth < max_depth; i++) {
        uint64_t pc = get_le64(r->sample.chain + 8 * i);
        if (pc >= (uint64_t)-PERFREC_CHAIN_MARKS) {
            known = pc == PERFREC_CHAIN_USER || pc == PERFREC_CHAIN_KERNEL;
            space = pc == PERFREC_CHAIN_USER ? r->pid : MAPPED_KERNEL;
            continue;
        }
        if (!known || (!user && space != MAPPED_KERNEL))
            continue;
        c->pc[c->depth] = c->depth ? pc - 1 : pc;
        c->space[c->depth++] = space;
    }
}

/* Nodes are made from the outermost on. Where one does not fit, those further in begin anew. */
uint32_t sampled_chain_node(struct sampled *s, const struct perfrec *r, bool *shortened)
{
    struct sampled_chain c;
    uint32_t node = INTERN_NONE;
    c.depth = 0;
    read_chain(s, r, !s->want.no_user && !r->sample.regs, &c);
    if (r->sample.regs && !s->want.no_user)
        sampled_unwind(s, r, &c);
    while (c.depth--)
        if (c.depth && s->want.innermost)
            note_caller(s, c.space[c.depth], c.pc[c.depth]);
        else
            node = node_at(s, c.space[c.depth], c.pc[c.depth], node, shortened);
    return node;
}

uint32_t sampled_node_in(struct sampled *s, uint32_t pid, uint64_t pc)
{
    bool shortened;
    return node_at(s, pid, pc, INTERN_NONE, &shortened);
}

/* --- counting --- */

static bool in_idle_code(const struct sampled *s, uint64_t pc)
{
    for (size_t i = 0; i < s->idle_code.count; i++)
        if (pc >= s->idle_code.range[i].start && pc < s->idle_code.range[i].end)
            return true;
    return s->idle_code.count == 0;
}

static bool is_idle(const struct sampled *s, const struct perfrec *r)
{
    return r->pid == 0 && r->tid == 0 && r->mode == PERFREC_KERNEL && in_idle_code(s, r->sample.pc);
}

/* Those that only their number matters of. */
static bool count_apart(struct sampled *s, const struct perfrec *r)
{
    if (is_idle(s, r) && !s->want.idle) {
        s->count.idle += !r->event;
        s->count.idle_weight += r->event ? 0 : r->sample.period;
        return true;
    }
    if (s->want.own && r->pid == s->want.own) {
        s->count.own += !r->event;
        s->count.own_weight += r->event ? 0 : r->sample.period;
        return true;
    }
    if (!s->want.user_apart || r->mode == PERFREC_KERNEL)
        return false;
    s->count.user++;
    s->count.user_weight += r->sample.period;
    return true;
}

static bool runs_text(const struct sampled *s, uint32_t pid)
{
    return pid == s->want.pid || spaces_has(&s->mapped.spaces, pid, s->mapped.main_module);
}

static bool is_wanted(const struct sampled *s, const struct perfrec *r)
{
    bool kernel = r->mode == PERFREC_KERNEL;
    if (s->want.same_text && !runs_text(s, r->pid))
        return false;
    if (s->want.pid && !s->want.children && !sampled_follows(s, r->pid))
        return false;
    return kernel ? s->want.kernel : !s->want.no_user;
}

static void keep_time(struct sampled *s, const struct sampled_one *one)
{
    if (!s->want.timeline || s->timeline.count >= SAMPLED_MAX_TIMELINE)
        return;
    if (!GROW_ADD(s->timeline.one, s->timeline.cap, s->timeline.count, *one))
        s->err = -ENOMEM;
}

static void keep_recent(struct sampled *s, uint32_t cell)
{
    struct sampled_recent *r = &s->recent;
    if (!s->want.recent || r->overrun)
        return;
    r->overrun = r->count == SAMPLED_MAX_RECENT || !GROW_ADD(r->cell, r->cap, r->count, cell);
}

static uint32_t cell_of(struct sampled *s, uint32_t set, uint32_t node)
{
    struct sampled_cell cell = {.set = set, .node = node};
    return intern(&s->cells, &cell);
}

uint32_t sampled_cell_of_node(struct intern *cells, struct sampled_cell_of *of, uint32_t node)
{
    struct sampled_cell cell = {.node = node};
    if (!grow_zeroed(&of->index, &of->count, (size_t)node + 1, sizeof *of->index))
        return INTERN_NONE;
    if (!of->index[node]) {
        uint32_t i = intern_append(cells, &cell);
        if (i == INTERN_NONE)
            return i;
        of->index[node] = i + 1;
    }
    return of->index[node] - 1;
}

static void count_wait(struct sampled *s, uint64_t why, uint64_t weight)
{
    s->waits.weight[0] += weight;
    if (why && why < SAMPLED_WAITS)
        s->waits.weight[why] += weight;
}

static void count_place(struct sampled *s, uint32_t node, uint64_t samples, uint64_t weight)
{
    const struct sampled_node *n = sampled_node_at(s, node);
    const struct module *m = sampled_module(s, n->module);
    if (!m)
        s->count.outside += samples;
    else if (m->kernel)
        s->count.in_kernel += samples;
    else if (m->wait)
        count_wait(s, n->offset, weight);
}

void sampled_sum_places(struct sampled *s)
{
    s->count.outside = s->count.in_kernel = 0;
    memset(s->waits.weight, 0, sizeof s->waits.weight);
    for (size_t i = 0; i < s->cells.count; i++) {
        const struct sampled_cell *c = sampled_cell_at(s, i);
        count_place(s, c->node, c->samples, c->weight);
    }
}

static uint64_t start_of(const struct sampled_one *one, bool wait)
{
    return wait && one->weight < one->time_ns ? one->time_ns - one->weight : one->time_ns;
}

uint64_t sampled_start_ns(const struct sampled *s, const struct sampled_one *one)
{
    return start_of(one, sampled_is_wait(s, one->node));
}

void sampled_span(struct sampled *s, const struct sampled_one *one, bool wait)
{
    uint64_t start = start_of(one, wait);
    if (!s->first_ns || start < s->first_ns)
        s->first_ns = start;
    s->last_ns = one->time_ns;
}

/* All that is counted of a sample but the place that it was at. */
static void count_sample(struct sampled *s, const struct sampled_one *one)
{
    struct sampled_thread *t = &s->threads.thread[one->thread];
    t->samples++;
    t->weight += one->weight;
    s->count.samples++;
    s->count.weight += one->weight;
    s->count.shortened += one->shortened;
}

static uint32_t add_to_cell(struct sampled *s, uint32_t set, uint32_t node, uint64_t samples,
                            uint64_t weight)
{
    uint32_t i = s->want.by == SAMPLED_WHOLE ? sampled_cell_of_node(&s->cells, &s->cell_of, node)
                                             : cell_of(s, set, node);
    if (i == INTERN_NONE)
        return i;
    struct sampled_cell *c = (struct sampled_cell *)s->cells.record + i;
    c->samples += samples;
    c->weight += weight;
    count_place(s, node, samples, weight);
    return i;
}

bool sampled_count_cell(struct sampled *s, uint32_t set, uint32_t node, uint64_t samples,
                        uint64_t weight)
{
    return add_to_cell(s, set, node, samples, weight) != INTERN_NONE;
}

void sampled_count(struct sampled *s, const struct sampled_one *one)
{
    uint32_t i = add_to_cell(s, one->thread, one->node, 1, one->weight);
    if (i == INTERN_NONE) {
        s->err = -ENOMEM;
        return;
    }
    count_sample(s, one);
    sampled_span(s, one, sampled_is_wait(s, one->node));
    keep_time(s, one);
    keep_recent(s, i);
    if (s->hooks.counted)
        s->hooks.counted(s->hooks.arg, s, one);
}

/* --- counted no longer --- */

static struct sampled_cell *counted_cell(struct sampled *s, const struct sampled_one *one)
{
    struct sampled_cell cell = {.set = one->thread, .node = one->node};
    uint32_t i = INTERN_NONE;
    if (s->want.by != SAMPLED_WHOLE)
        i = intern_find(&s->cells, &cell);
    else if (one->node < s->cell_of.count && s->cell_of.index[one->node])
        i = s->cell_of.index[one->node] - 1;
    return i == INTERN_NONE ? NULL : (struct sampled_cell *)s->cells.record + i;
}

void sampled_uncount(struct sampled *s, const struct sampled_one *one)
{
    struct sampled_thread *t = &s->threads.thread[one->thread];
    struct sampled_cell *c = counted_cell(s, one);
    if (!c)
        return;
    c->samples--;
    c->weight -= one->weight;
    t->samples--;
    t->weight -= one->weight;
    s->count.samples--;
    s->count.weight -= one->weight;
    s->count.shortened -= one->shortened;
    count_place(s, one->node, (uint64_t)-1, -one->weight);
}

/* --- samples of records --- */

/* The idle task has no user mode. */
static uint32_t pid_of(const struct sampled *s, const struct perfrec *r)
{
    bool foreign = s->want.foreign || r->mode == PERFREC_USER;
    return r->pid == 0 && foreign ? SAMPLED_FOREIGN : r->pid;
}

static const char *name_of(uint32_t pid)
{
    return pid == SAMPLED_GONE      ? "(ended)"
           : pid == SAMPLED_FOREIGN ? "(outside this PID namespace)"
           : pid == 0               ? "(idle task)"
                                    : NULL;
}

static size_t thread_of(struct sampled *s, const struct perfrec *r)
{
    uint32_t group = sampled_cgroup_of_id(s, r->cgroup), pid = pid_of(s, r);
    if (s->want.by == SAMPLED_BY_CGROUP)
        return sampled_thread_of(s, group, group);
    bool whole = s->want.by == SAMPLED_BY_PROCESS || pid == SAMPLED_FOREIGN;
    size_t t = sampled_thread_of(s, pid, whole ? pid : r->tid);
    const char *name = name_of(pid);
    if (t != SIZE_MAX && name)
        snprintf(s->threads.thread[t].name, sizeof s->threads.thread[t].name, "%s", name);
    if (t != SIZE_MAX && group) {
        s->threads.thread[t].cgroup = group;
        s->threads.thread[t].by_record = true;
    }
    return t;
}

static uint32_t space_of(const struct perfrec *r)
{
    return r->mode == PERFREC_KERNEL ? MAPPED_KERNEL : r->pid;
}

static void add_to_tally(struct sampled *s, const struct perfrec *r, size_t thread)
{
    struct sampled_node place = place_at(s, space_of(r), r->sample.pc, INTERN_NONE);
    struct sampled_one one = {
        .time_ns = r->time, .weight = r->sample.period, .thread = (uint32_t)thread};
    tally_add(s, s->want.by == SAMPLED_WHOLE ? 0 : one.thread, &place, one.weight);
    count_sample(s, &one);
    sampled_span(s, &one, false);
}

static void add_to_node(struct sampled *s, const struct perfrec *r, size_t thread)
{
    uint32_t node = INTERN_NONE;
    bool shortened = false;
    if (r->sample.chain_len || r->sample.regs)
        node = sampled_chain_node(s, r, &shortened);
    if (node == INTERN_NONE)
        node = node_at(s, space_of(r), r->sample.pc, INTERN_NONE, &shortened);
    if (node == INTERN_NONE)
        return;
    sampled_count(s, &(struct sampled_one){r->time, r->sample.period, (uint32_t)thread, node,
                                           r->cpu, shortened, r->event});
}

void sampled_sample(struct sampled *s, const struct perfrec *r)
{
    if (s->want.waits)
        waits_runs(&s->waiting.pairing, r->tid);
    if (count_apart(s, r) || !is_wanted(s, r))
        return;
    if (r->mode == PERFREC_USER)
        spaces_runs(&s->mapped.spaces, r->pid);
    size_t t = thread_of(s, r);
    if (t == SIZE_MAX)
        return;
    bool chain = r->sample.chain_len || r->sample.regs;
    (!chain && tally_takes(s) ? add_to_tally : add_to_node)(s, r, t);
}
