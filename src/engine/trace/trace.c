#include "engine/trace/trace.h"

#include "core/base/time_ns.h"
#include "plat/clock.h"
#include "plat/limits.h"
#include "plat/memory.h"
#include "plat/proc.h"
#include "private.h"

#include <errno.h>
#include <stdio.h>

enum { ROUND_MS = 50, SHORT_ROUND_MS = 5, TRIM_S = 60 };

/* --- start --- */

static bool all_ended(const struct tracing_want *want)
{
    for (size_t i = 0; i < want->pids; i++)
        if (proc_alive(want->pid[i]))
            return false;
    return want->pids > 0;
}

int tracing_start(struct tracing *t, struct fail *f)
{
    int r = trace_open(t->want->buffer_bytes, &t->trace, f);
    if (r < 0)
        return r;
    snprintf(t->method, sizeof t->method, "%s", trace_method(t->trace));
    r = tracing_enable(t, f);
    if (r == 0)
        r = tracing_mark_functions(t, f);
    tracing_name_running(t);
    if (r == 0)
        r = tracing_record_open(t, f);
    if (r == 0)
        r = trace_start(t->trace, f);
    t->begin_ns = clock_mono_ns();
    tracing_record_facts(t);
    return r;
}

static int start_hurried(struct tracing *t, struct fail *f)
{
    int r = tracing_start(t, f);
    if (r == 0)
        trace_raise_priority(t->trace);
    return r;
}

int tracing_release_command(struct tracing_command *c, int started, struct fail *f)
{
    if (started < 0) {
        child_kill(&c->child);
        return started;
    }
    int r = child_release(&c->child, f);
    c->executed = c->runs = r == 0;
    c->failed = r < 0;
    return r;
}

static int launch_command(struct tracing *t, struct fail *f)
{
    int r = child_hold(t->want->command, &t->command.child, f);
    if (r < 0)
        return r;
    tracing_follow(t, t->command.child.pid);
    return tracing_release_command(&t->command, start_hurried(t, f), f);
}

/* --- rounds --- */

int tracing_ms_left(const struct tracing_want *want, uint64_t end_ns, int round_ms)
{
    int ms = ms_until(clock_mono_ns(), end_ns);
    return want->seconds > 0 && ms < round_ms ? ms : round_ms;
}

static void handle_interrupt(struct tracing_command *c)
{
    bool typed;
    int sig = interrupt_read(&typed);
    if (sig && c->runs && !typed)
        child_signal(&c->child, sig);
    if (sig)
        c->interrupted = sig;
}

bool tracing_wait_round(const struct tracing_want *want, struct wait_on on[WAITED_ON], int ms)
{
    if (want->wait)
        return want->wait(want->arg, on, WAITED_ON, ms);
    wait_ready(on, WAITED_ON, ms);
    return true;
}

/* A command outlives the first interrupt, as it may have its own mind about that. */
bool tracing_goes_on(struct tracing_command *c, const struct tracing_want *want,
                     const struct wait_on *on)
{
    bool repeated = c->interrupted != 0;
    if (on[INTERRUPT].ready)
        handle_interrupt(c);
    bool ends = c->interrupted && (repeated || !c->runs);
    return !ends && !on[TARGET].ready && !all_ended(want);
}

/* Rows of many tasks that have ended leave holes between what others keep. */
static void give_memory_back(uint64_t now_ns, uint64_t *trimmed_ns)
{
    if (now_ns - *trimmed_ns < TRIM_S * NS_PER_S)
        return;
    memory_trim();
    *trimmed_ns = now_ns;
}

/* What a round brings up to the start of the one before it cannot be overtaken any more, unless a
 * CPU's pages are not all read. */
static void run_rounds(struct tracing *t)
{
    uint64_t end_ns = clock_mono_ns() + (uint64_t)(t->want->seconds * NS_PER_S);
    uint64_t before_ns = t->begin_ns, trimmed_ns = t->begin_ns;
    struct wait_on on[WAITED_ON] = {
        {.handle = interrupt_open()},
        {.handle = t->command.runs ? child_handle(&t->command.child) : -1}};
    size_t whole = trace_buffer_bytes(t->trace);
    int timeout, round_ms = ROUND_MS;
    bool go = true;
    while (go && (timeout = tracing_ms_left(t->want, end_ns, round_ms)) > 0) {
        go = tracing_wait_round(t->want, on, timeout);
        uint64_t now = clock_mono_ns();
        size_t max_bytes = tracing_round(t, before_ns);
        before_ns = tracing_reached(t, max_bytes, now);
        round_ms = max_bytes > whole / 16 ? SHORT_ROUND_MS : ROUND_MS;
        if (!tracing_record_round(t))
            return;
        if (t->want->round)
            t->want->round(t->want->arg, t);
        give_memory_back(now, &trimmed_ns);
        go = tracing_goes_on(&t->command, t->want, on) && go;
    }
}

void tracing_drain(struct tracing *t)
{
    size_t whole = trace_buffer_bytes(t->trace);
    trace_stop(t->trace);
    t->end_ns = clock_mono_ns();
    while (tracing_round(t, t->begin_ns) >= whole)
        ;
    tracing_round(t, UINT64_MAX);
    if (t->merge.emitted_ns > t->end_ns)
        t->end_ns = t->merge.emitted_ns;
}

int tracing_run(const struct tracing_want *want, struct tracing *t, struct fail *f)
{
    bool some = want->command || want->pids, pids_match = trace_names_ours();
    *t = (struct tracing){
        .want = want, .tasks.follows = some && pids_match, .all_instead = some && !pids_match};
    limits_first_victim();
    tracing_decode_start(t);
    int r = all_ended(want) ? fail_set(f, ESRCH, "process %d", want->pid[0]) : 0;
    if (r == 0)
        r = want->command ? launch_command(t, f) : start_hurried(t, f);
    if (r == 0) {
        run_rounds(t);
        tracing_drain(t);
    }
    int recorded = tracing_record_close(t, r < 0 ? NULL : f);
    r = r < 0 ? r : recorded;
    int closed = trace_close(t->trace, r < 0 ? NULL : f);
    t->trace = NULL;
    return r < 0 ? r : closed;
}

int tracing_wait_command(struct tracing_command *c, struct fail *f)
{
    struct child_end end;
    struct wait_on on[WAITED_ON] = {{.handle = interrupt_open()}};
    if (!c->runs)
        return 0;
    on[TARGET].handle = child_handle(&c->child);
    while (!on[TARGET].ready) {
        wait_ready(on, WAITED_ON, -1);
        if (on[INTERRUPT].ready)
            handle_interrupt(c);
    }
    c->runs = false;
    int r = child_wait(&c->child, &end, f);
    c->status = r < 0 ? 0 : child_status(&end);
    return r;
}

int tracing_wait(struct tracing *t, struct fail *f)
{
    return tracing_wait_command(&t->command, f);
}

void tracing_release(struct tracing *t)
{
    trace_close(t->trace, NULL);
    trace_decoder_release(&t->decoder);
    sched_names_release(&t->names);
    sched_merge_release(&t->merge);
    sched_deadlines_release(&t->deadlines);
    imap_release(&t->tasks.followed);
    imap_release(&t->tasks.bits);
    sched_recording_release(&t->record.writer);
    *t = (struct tracing){.record.handle = -1};
}
