#include "core/topo/runs.h"

#include "core/base/grow.h"

#include <errno.h>
#include <inttypes.h>

struct open_call {
    uint32_t name, caller, depth; /* caller: of this run's calls; TOPO_NONE: the first */
    uint64_t start, total, below; /* below: the totals of its callees */
};

struct topo_run {
    uint64_t number;
    struct open_call *call;
    size_t calls, cap;
    uint64_t thread;
    uint32_t inside; /* the call that was entered last and not left; TOPO_NONE: none */
    bool ended;      /* merged, or dropped */
};

void topo_runs_init(struct topo_runs *r, struct topo *t)
{
    *r = (struct topo_runs){.topo = t,
                            .runs = {.each = sizeof(struct topo_run), .key = sizeof(uint64_t)}};
}

static struct topo_run *run_at(const struct topo_runs *r, size_t i)
{
    return (struct topo_run *)r->runs.record + i;
}

void topo_runs_release(struct topo_runs *r)
{
    for (size_t i = 0; i < r->runs.count; i++)
        free(run_at(r, i)->call);
    intern_release(&r->runs);
    intern_release(&r->names);
    topo_runs_init(r, r->topo);
}

/* NULL: no memory. */
static struct topo_run *find_run(struct topo_runs *r, uint64_t number)
{
    struct topo_run run = {.number = number, .inside = TOPO_NONE};
    uint32_t i = intern(&r->runs, &run);
    return i == INTERN_NONE ? NULL : run_at(r, i);
}

static void end_run(struct topo_runs *r, struct topo_run *run)
{
    free(run->call);
    r->calls -= run->calls;
    *run = (struct topo_run){.number = run->number, .inside = TOPO_NONE, .ended = true};
}

static void drop_run(struct topo_runs *r, struct topo_run *run, enum topo_reason reason)
{
    if (run && !run->ended) {
        r->topo->dropped[reason]++;
        end_run(r, run);
    }
}

void topo_runs_drop(struct topo_runs *r, uint64_t run, enum topo_reason reason)
{
    drop_run(r, find_run(r, run), reason);
}

void topo_runs_forget(struct topo_runs *r, uint64_t number)
{
    struct topo_run *run = find_run(r, number);
    if (run && !run->ended)
        end_run(r, run);
}

bool topo_runs_ended(const struct topo_runs *r, uint64_t number)
{
    uint32_t i = intern_find(&r->runs, &number);
    return i != INTERN_NONE && run_at(r, i)->ended;
}

static void add_open_call(struct topo_runs *r, struct topo_run *run, const struct topo_entry *e)
{
    uint32_t name = intern_string(&r->names, e->name);
    struct open_call call = {
        .name = name, .caller = run->inside, .depth = (uint32_t)e->depth, .start = e->start};
    if (name == INTERN_NONE || !GROW_ADD(run->call, run->cap, run->calls, call)) {
        r->err = -ENOMEM;
        return;
    }
    run->thread = e->thread;
    run->inside = (uint32_t)run->calls - 1;
    r->calls++;
}

void topo_runs_enter(struct topo_runs *r, const struct topo_entry *e)
{
    struct topo_run *run = find_run(r, e->run);
    if (!run || run->ended)
        return;
    uint32_t caller = run->inside;
    uint64_t expected = caller == TOPO_NONE ? 0 : (uint64_t)run->call[caller].depth + 1;
    bool second_start = caller == TOPO_NONE && run->calls;
    if (e->call != run->calls || e->depth != expected || e->depth > TOPO_MAX_DEPTH || second_start)
        drop_run(r, run, TOPO_OUT_OF_ORDER);
    else if (r->calls >= TOPO_RUN_CALLS_MAX)
        drop_run(r, run, TOPO_TOO_LARGE);
    else
        add_open_call(r, run, e);
}

/* --- the events of a run, as text --- */

static void write_exit(struct topo_runs *r, const struct topo_run *run, uint32_t call)
{
    const struct open_call *c = &run->call[call];
    buf_printf(r->events, "%s %" PRIu64 " %" PRIu32 " %" PRIu64 "\n",
               intern_string_at(&r->names, c->name), run->number, call, c->total);
}

static void write_entry(struct topo_runs *r, const struct topo_run *run, uint32_t call)
{
    const struct open_call *c = &run->call[call];
    buf_printf(r->events, "%s %" PRIu64 " %" PRIu32 " %" PRIu64 " %" PRIu32 " %" PRIu64 "\n",
               intern_string_at(&r->names, c->name), run->number, call, run->thread, c->depth,
               c->start);
}

/* Before a call is entered, those are left that are not its callers. */
static void write_events(struct topo_runs *r, const struct topo_run *run)
{
    uint32_t inside = TOPO_NONE;
    for (uint32_t i = 0; i < run->calls; i++) {
        for (; inside != run->call[i].caller; inside = run->call[inside].caller)
            write_exit(r, run, inside);
        write_entry(r, run, i);
        inside = i;
    }
    for (; inside != TOPO_NONE; inside = run->call[inside].caller)
        write_exit(r, run, inside);
}

/* In the order of entry, which is that of the depths. */
static void merge_run(struct topo_runs *r, struct topo_run *run)
{
    struct topo *t = r->topo;
    t->runs++;
    if (r->events)
        write_events(r, run);
    for (size_t i = 0; i < run->calls; i++) {
        const struct open_call *c = &run->call[i];
        const char *caller = i ? intern_string_at(&r->names, run->call[c->caller].name) : NULL;
        topo_add_call(t, &(struct topo_call){
                             .function = topo_function(t, intern_string_at(&r->names, c->name)),
                             .caller = caller ? topo_function(t, caller) : TOPO_NONE,
                             .depth = c->depth,
                             .total = c->total,
                             .local = c->total - c->below});
    }
    end_run(r, run);
}

static void leave_call(struct topo_runs *r, struct topo_run *run, uint64_t total)
{
    struct open_call *c = &run->call[run->inside];
    c->total = total;
    run->inside = c->caller;
    if (c->below > total)
        drop_run(r, run, TOPO_TIMES);
    else if (c->caller == TOPO_NONE)
        merge_run(r, run);
    else
        run->call[c->caller].below = topo_sum(run->call[c->caller].below, total);
}

void topo_runs_exit(struct topo_runs *r, uint64_t number, const char *name, uint64_t call,
                    uint64_t total)
{
    struct topo_run *run = find_run(r, number);
    if (!run || run->ended)
        return;
    bool entered = run->inside != TOPO_NONE && call == run->inside &&
                   strcmp(intern_string_at(&r->names, run->call[call].name), name) == 0;
    if (entered)
        leave_call(r, run, total);
    else
        drop_run(r, run, TOPO_NO_ENTRY);
}

int topo_runs_end(struct topo_runs *r)
{
    for (size_t i = 0; i < r->runs.count; i++)
        drop_run(r, run_at(r, i), TOPO_UNFINISHED);
    return r->err || r->runs.err || r->names.err || r->topo->err ? -ENOMEM : 0;
}
