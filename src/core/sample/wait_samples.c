/* Waits as samples: one each, that weighs its time, of a chain that ends in why it waited. */
#include "count.h"

#include "core/elf/symtab.h"

#include <errno.h>

static const char *const names[] = {
    [SAMPLED_ASLEEP] = "(asleep)", [SAMPLED_PREEMPTED] = "(preempted)"};

/* --- roots of wait chains --- */

bool sampled_name_module(struct module *m, const char *source, const char *const *name,
                         size_t count)
{
    struct symtab_builder *b = symtab_builder_new(NULL);
    if (!b)
        return false;
    for (size_t i = 0; i < count; i++)
        if (name[i])
            symtab_add(
                b, &(struct symbol_found){.addr = i, .size = 1, .name = name[i], .function = true});
    m->ready = true;
    m->why[0] = '\0';
    m->external.source = source;
    m->external.symbols = m->external.own = symtab_build(b);
    symtab_builder_free(b);
    return m->external.symbols;
}

bool sampled_wait_module(struct module *m)
{
    m->wait = true;
    m->file = false;
    return sampled_name_module(m, "waits", names, sizeof names / sizeof *names);
}

static struct module *wait_module(struct sampled *s)
{
    struct modules *all = &s->mapped.modules;
    for (size_t i = 0; i < all->count; i++)
        if (all->module[i]->wait)
            return all->module[i];
    struct module *m = module_append(all, "[wait]", &(struct module_identity){0});
    return m && sampled_wait_module(m) ? m : NULL;
}

/* A wait is counted even when its chain no longer fits. */
static bool make_roots(struct sampled *s)
{
    bool shortened;
    const struct module *m = wait_module(s);
    for (uint64_t why = SAMPLED_ASLEEP; m && why <= SAMPLED_PREEMPTED; why++)
        s->waiting.root[why] =
            sampled_node(s, &(struct sampled_node){why, (uint32_t)m->id, INTERN_NONE}, &shortened);
    s->waiting.ready = m;
    if (!s->waiting.ready)
        s->err = -ENOMEM;
    return s->waiting.ready;
}

static uint32_t node_of(struct sampled *s, const struct wait *w, bool *shortened)
{
    enum sampled_wait why = w->preempted ? SAMPLED_PREEMPTED : SAMPLED_ASLEEP;
    struct sampled_node n = *sampled_node_at(s, s->waiting.root[why]);
    if (w->location == WAITS_NO_LOCATION)
        return s->waiting.root[why];
    n.parent = w->location;
    uint32_t i = sampled_node(s, &n, shortened);
    return sampled_is_wait(s, i) ? i : s->waiting.root[why];
}

static void handle_wait(void *arg, const struct wait *w)
{
    struct sampled *s = arg;
    bool processes = s->want.by == SAMPLED_BY_PROCESS;
    size_t t = sampled_thread_of(s, w->pid, processes ? w->pid : w->tid);
    if (t == SIZE_MAX || (!s->waiting.ready && !make_roots(s)))
        return;
    s->waits.count += w->first;
    bool shortened = false;
    uint32_t node = node_of(s, w, &shortened);
    sampled_count(s, &(struct sampled_one){w->end_ns, w->end_ns - w->start_ns, (uint32_t)t, node,
                                           w->cpu, shortened, 0});
}

/* --- what the kernel tells --- */

/* An idle CPU waits for nothing; a task that ended has no name any more. */
static bool may_wait(const struct sampled *s, const struct perfrec *r)
{
    bool ours = !s->want.pid || s->want.children || sampled_follows(s, r->pid);
    return ours && r->tid != 0 && r->pid != SAMPLED_GONE;
}

static struct waits_switch switch_of(const struct perfrec *r)
{
    return (struct waits_switch){r->pid, r->tid, r->cpu, WAITS_NO_LOCATION, r->time};
}

static struct waits *pairing_of(struct sampled *s)
{
    s->waiting.pairing.on_wait = handle_wait;
    s->waiting.pairing.arg = s;
    return &s->waiting.pairing;
}

static void copy_counters(struct sampled *s)
{
    s->waits.forgotten = s->waiting.pairing.forgotten;
    s->waits.spanning = s->waiting.pairing.spanning;
    if (s->waiting.pairing.err)
        s->err = s->waiting.pairing.err;
}

bool sampled_is_switch(const struct sampled *s, const struct perfrec *r)
{
    return s->want.waits && r->type == PERFREC_SAMPLE && r->sample.period == 1;
}

void sampled_leaves(struct sampled *s, const struct perfrec *r)
{
    struct waits_switch at = switch_of(r);
    bool shortened = false;
    if (!may_wait(s, r))
        return;
    if (r->sample.chain_len || r->sample.regs)
        at.location = sampled_chain_node(s, r, &shortened);
    s->count.shortened += shortened;
    waits_out(pairing_of(s), &at);
    copy_counters(s);
}

void sampled_switched(struct sampled *s, const struct perfrec *r)
{
    struct waits_switch at = switch_of(r);
    if (!s->want.waits || !may_wait(s, r))
        return;
    if (r->away.out)
        waits_off(pairing_of(s), &at, r->away.preempted);
    else
        waits_on(pairing_of(s), r->tid, r->time);
    copy_counters(s);
}

void sampled_waits_task(struct sampled *s, const struct perfrec *r)
{
    if (!s->want.waits)
        return;
    if (r->type == PERFREC_EXIT)
        waits_ended(pairing_of(s), r->tid, r->time);
    else if (r->type == PERFREC_LOST)
        waits_lost(pairing_of(s));
    else
        waits_began(pairing_of(s), r->tid);
    copy_counters(s);
}

/* --- blocking, switching, waking --- */

void sampled_asleep(struct sampled *s, uint32_t pid, uint32_t tid, uint64_t pc, uint64_t time_ns)
{
    struct waits_switch at = {pid, tid, 0, WAITS_NO_LOCATION, time_ns};
    if (pc)
        at.location = sampled_node_in(s, pid, pc);
    waits_asleep(pairing_of(s), &at);
    copy_counters(s);
}

void sampled_waits_until(struct sampled *s, uint64_t time_ns)
{
    waits_until(pairing_of(s), time_ns);
    copy_counters(s);
}

void sampled_waits_end(struct sampled *s, uint64_t time_ns)
{
    waits_end(pairing_of(s), time_ns);
    copy_counters(s);
}
