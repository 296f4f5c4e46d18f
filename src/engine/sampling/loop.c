/* Rounds, until something ends them. */
#include "core/base/time_ns.h"
#include "core/perf/reorder.h"
#include "plat/clock.h"
#include "plat/proc.h"
#include "private.h"

enum {
    ROUND_MS = 100,
    SHORT_ROUND_MS = 10, /* where stacks are read after their samples were taken */
    SHORT_AT_FIRST = 30, /* rounds: until it shows */
    UNLOAD_ROUNDS = 10,
    MAX_HANDLES = 512
};

/* The first two of what is waited for; the rings follow. */
enum { INTERRUPT, TARGET, RINGS };

/* A view that draws keeps its own pace. */
static uint64_t max_round_ms(const struct sampling *s, const struct sampling_want *want,
                             size_t rounds)
{
    bool early = s->run.format.fields & PERFREC_STACK_USER && rounds < SHORT_AT_FIRST;
    return !want->wait && (early || sampled_uses_stack_cache(&s->sampled)) ? SHORT_ROUND_MS
                                                                           : ROUND_MS;
}

static int ms_left(const struct sampling_want *want, uint64_t end_ns, uint64_t max)
{
    if (want->seconds <= 0)
        return (int)max;
    uint64_t ms = (uint64_t)ms_until(clock_mono_ns(), end_ns);
    return (int)(ms < max ? ms : max);
}

int sampling_pass_on_interrupt(struct sampling *s)
{
    bool typed;
    int sig = interrupt_read(&typed);
    if (sig && s->command.runs && !typed)
        child_signal(&s->command.child, sig);
    return sig;
}

/* The sampling ends at once when there is no command, else at the second interrupt. */
static bool interrupt_ends(struct sampling *s)
{
    bool repeated = s->command.interrupted != 0;
    int sig = sampling_pass_on_interrupt(s);
    if (sig)
        s->command.interrupted = sig;
    return sig && (repeated || !s->command.runs);
}

/* A ring whose first thread has ended would be ready for ever: the rounds read it all the same. */
static void skip_closed(struct wait_on *on, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (on[i].gone)
            on[i].handle = -1;
}

static bool wait_next(const struct sampling_want *want, struct wait_on *on, size_t n, int timeout)
{
    if (want->wait)
        return want->wait(want->arg, on, n, timeout);
    wait_ready(on, n, timeout);
    return true;
}

static size_t wait_for(struct sampling *s, int target, struct wait_on *on)
{
    const int *ring;
    size_t rings = sample_handles(s->run.sampler, &ring);
    if (rings > MAX_HANDLES)
        rings = MAX_HANDLES;
    on[INTERRUPT].handle = interrupt_open();
    on[TARGET].handle = target;
    for (size_t i = 0; i < rings; i++)
        on[RINGS + i].handle = ring[i];
    return RINGS + rings;
}

/* For a live view and a keeper: the time up to which samples are counted, one round behind the
 * reading. */
void sampling_note_counted(struct sampling *s)
{
    uint64_t ordered_ns = s->run.order->previous, before = s->run.read_ns;
    s->run.read_ns = clock_mono_ns();
    s->run.counted_ns = ordered_ns > before ? ordered_ns : before;
}

/* Rare chains lose their callers when there are nearly too many. */
static void make_room(struct sampling *s, const struct sampling_want *want)
{
    struct rare_merged merged;
    if (s->run.keeper.path || !sampled_merge_rare(&s->sampled, &merged))
        return;
    recorder_renumber(&s->run.recorder, &s->sampled, &merged);
    if (want->renumbered)
        want->renumbered(want->arg, &merged.to);
    rare_merged_release(&merged);
}

/* Also written out, and shown; false once the recording cannot be written. */
static bool run_round(struct sampling *s, const struct sampling_want *want)
{
    if (want->wait || s->run.keeper.path)
        sampling_note_counted(s);
    sampling_poll(s);
    if (!recorder_round(&s->run.recorder, &s->sampled))
        return false;
    make_room(s, want);
    if (s->run.keeper.path)
        sampling_keep_round(s);
    if (want->waits_live)
        sampled_waits_until(&s->sampled,
                            s->run.order->entries ? s->run.order->previous : clock_mono_ns());
    if (want->round)
        want->round(want->arg, &s->sampled);
    return true;
}

static bool target_ended(const struct sampling *s, const struct wait_on *target)
{
    const struct sampled_want *w = &s->sampled.want;
    bool alive = target->handle >= 0 || !w->pid || proc_alive((int)w->pid);
    for (size_t i = 0; !alive && i < w->others; i++)
        alive = proc_alive((int)w->other[i]);
    return target->ready || !alive;
}

void sampling_loop(struct sampling *s, const struct sampling_want *want, int target)
{
    uint64_t end_ns = clock_mono_ns() + (uint64_t)(want->seconds * NS_PER_S);
    struct wait_on on[RINGS + MAX_HANDLES] = {0};
    size_t n = wait_for(s, target, on);
    bool go_on = true;
    int timeout;
    for (size_t rounds = 0;
         go_on && (timeout = ms_left(want, end_ns, max_round_ms(s, want, rounds))) > 0; rounds++) {
        go_on = wait_next(want, on, n, timeout);
        if (!run_round(s, want))
            return;
        if (rounds % UNLOAD_ROUNDS == 0)
            symbols_unload_images(&s->symbols);
        skip_closed(on + RINGS, n - RINGS);
        if (go_on && on[INTERRUPT].ready && interrupt_ends(s))
            return;
        go_on = go_on && !target_ended(s, &on[TARGET]);
    }
}
