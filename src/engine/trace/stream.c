#include "engine/trace/stream.h"

#include "core/base/time_ns.h"
#include "core/trace/plan9.h"
#include "plat/clock.h"
#include "plat/proc.h"
#include "private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ROUND_MS = 50, SWEEP_NS = NS_PER_S, MAX_MARKS = 64 };

/* What is stored with a task's followed bit. */
enum { FOLLOWED = 1, RUNS = 2, MISSED = 4 };

struct tracing_stream {
    struct tracing tracing; /* while it runs */
    struct tracing_want want;
    bool runs;
    uint64_t before_ns; /* up to where the last round's pages were complete */
    uint64_t swept_ns;
    struct sched_event mark[MAX_MARKS]; /* not yet in the stream */
    size_t marks;
    uint64_t produced, consumed;
    uint8_t event[TRACING_STREAM_EVENTS][SCHED_PLAN9_BYTES];
    struct tracing_stream_state past; /* of tracings that have ended; dropped: of all */
};

/* --- into the stream --- */

static void add_event(struct tracing_stream *s, const struct sched_event *e)
{
    if (s->produced - s->consumed == TRACING_STREAM_EVENTS)
        s->past.dropped++;
    else
        sched_plan9_write(e, s->event[s->produced++ % TRACING_STREAM_EVENTS]);
}

static void add_marks(struct tracing_stream *s, uint64_t until_ns)
{
    size_t n = 0;
    while (n < s->marks && s->mark[n].time_ns <= until_ns)
        add_event(s, &s->mark[n++]);
    s->marks -= n;
    memmove(s->mark, s->mark + n, s->marks * sizeof *s->mark);
}

/* NULL: it is not followed, or not any more. */
static uint64_t *task_at(struct tracing_stream *s, int32_t pid)
{
    struct imap *followed = &s->tracing.tasks.followed;
    return imap_get(followed, (uint32_t)pid) ? imap_at(followed, (uint32_t)pid) : NULL;
}

static bool is_reported(struct tracing_stream *s, const struct sched_event *e)
{
    uint64_t *task = task_at(s, e->pid);
    bool runs = task && *task & RUNS;
    if (task && e->kind == SCHED_RUN)
        *task = FOLLOWED | RUNS;
    else if (task && sched_ends_run(e->kind) && !(e->flags & SCHED_WOKEN))
        *task = FOLLOWED;
    if (e->kind == SCHED_USER) /* a mark is put into all traces */
        return task != NULL;
    return e->kind < SCHED_PLAN9 && !(runs && e->kind == SCHED_READY && e->flags & SCHED_WOKEN);
}

static void handle_event(void *arg, const struct tracing *t, const struct sched_event *e)
{
    struct tracing_stream *s = arg;
    if (!is_reported(s, e))
        return;
    add_marks(s, e->time_ns);
    add_event(s, e);
}

/* --- the tracing --- */

static int begin_tracing(struct tracing_stream *s, struct fail *f)
{
    if (!trace_names_ours()) {
        fail_set(f, EOPNOTSUPP, "tracing single processes in a PID namespace");
        fail_hint(
            f,
            "the kernel's events have the process ids of the host: run it outside the container");
        return -EOPNOTSUPP;
    }
    s->tracing = (struct tracing){.want = &s->want, .tasks.follows = true};
    tracing_decode_start(&s->tracing);
    int r = tracing_start(&s->tracing, f);
    s->runs = r == 0;
    s->before_ns = s->swept_ns = s->tracing.begin_ns;
    if (r < 0)
        tracing_release(&s->tracing);
    return r;
}

static void end_tracing(struct tracing_stream *s)
{
    tracing_drain(&s->tracing);
    add_marks(s, UINT64_MAX);
    s->past.lost += s->tracing.lost;
    s->past.losses += s->tracing.losses;
    tracing_release(&s->tracing);
    s->runs = false;
}

static bool follows_any(const struct tracing_stream *s)
{
    struct imap_slot slot;
    size_t i = 0;
    return imap_next(&s->tracing.tasks.followed, &i, &slot);
}

/* Forgets those whose death was lost: gone at two looks, as their earlier events may still come.
 * Those that died by an event go from memory with it. */
static void sweep_dead(struct tracing_stream *s)
{
    struct imap kept = {0};
    struct imap_slot slot;
    bool whole = true;
    for (size_t i = 0; imap_next(&s->tracing.tasks.followed, &i, &slot);) {
        bool alive = proc_alive((int)slot.key);
        uint64_t *at = alive || !(slot.value & MISSED) ? imap_at(&kept, slot.key) : NULL;
        if (at)
            *at = alive ? slot.value & ~(uint64_t)MISSED : slot.value | MISSED;
        whole = whole && (at || (!alive && slot.value & MISSED));
    }
    if (whole) {
        imap_release(&s->tracing.tasks.followed);
        s->tracing.tasks.followed = kept;
    } else {
        imap_release(&kept);
    }
}

int tracing_stream_tend(struct tracing_stream *s)
{
    if (!s->runs)
        return -1;
    uint64_t now = clock_mono_ns();
    size_t max_bytes = tracing_round(&s->tracing, s->before_ns);
    add_marks(s, s->before_ns);
    s->before_ns = tracing_reached(&s->tracing, max_bytes, now);
    if (now - s->swept_ns >= SWEEP_NS) {
        sweep_dead(s);
        s->swept_ns = now;
    }
    if (!follows_any(s))
        end_tracing(s);
    return s->runs ? ROUND_MS : -1;
}

/* --- traced tasks --- */

bool tracing_stream_has(const struct tracing_stream *s, int pid)
{
    return s->runs && imap_get(&s->tracing.tasks.followed, (uint32_t)pid);
}

int tracing_stream_add(struct tracing_stream *s, int pid, struct fail *f)
{
    if (!proc_alive(pid))
        return fail_set(f, ESRCH, "process %d", pid);
    int r = s->runs ? 0 : begin_tracing(s, f);
    if (r < 0)
        return r;
    tracing_follow(&s->tracing, pid);
    tracing_name_process(&s->tracing, pid, true);
    return 0;
}

enum { MAX_THREADS = 4096 };

void tracing_stream_drop(struct tracing_stream *s, int pid)
{
    if (!tracing_stream_has(s, pid))
        return;
    SCOPED_FREE int *thread = malloc(MAX_THREADS * sizeof *thread);
    int n = thread ? proc_threads(pid, thread, MAX_THREADS, NULL) : 0;
    tracing_stream_tend(s);
    tracing_stream_tend(s);
    for (int i = -1; s->runs && i < n && i < MAX_THREADS; i++) {
        uint64_t *task = task_at(s, i < 0 ? pid : thread[i]);
        if (task)
            *task = 0;
    }
    if (s->runs && !follows_any(s))
        end_tracing(s);
}

void tracing_stream_mark(struct tracing_stream *s, int pid)
{
    if (!tracing_stream_has(s, pid))
        return;
    if (s->marks == MAX_MARKS)
        s->past.dropped++;
    else
        s->mark[s->marks++] = (struct sched_event){
            .time_ns = clock_mono_ns(), .pid = pid, .other = -1, .kind = SCHED_USER};
}

/* --- out of it --- */

long tracing_stream_read(struct tracing_stream *s, void *bytes, size_t len, struct fail *f)
{
    uint8_t *to = bytes;
    if (len < SCHED_PLAN9_BYTES)
        return fail_set(f, EINVAL, "trace: reads take at least %d bytes", SCHED_PLAN9_BYTES);
    if (s->produced == s->consumed)
        return s->runs ? fail_set(f, EAGAIN, "trace") : 0;
    for (; s->consumed < s->produced && len >= SCHED_PLAN9_BYTES; len -= SCHED_PLAN9_BYTES) {
        memcpy(to, s->event[s->consumed++ % TRACING_STREAM_EVENTS], SCHED_PLAN9_BYTES);
        to += SCHED_PLAN9_BYTES;
    }
    return to - (uint8_t *)bytes;
}

struct tracing_stream_state tracing_stream_state(const struct tracing_stream *s)
{
    struct tracing_stream_state state = s->past;
    struct imap_slot slot;
    state.waiting = s->produced - s->consumed;
    state.lost += s->runs ? s->tracing.lost : 0;
    state.losses += s->runs ? s->tracing.losses : 0;
    for (size_t i = 0; s->runs && imap_next(&s->tracing.tasks.followed, &i, &slot);)
        state.tasks++;
    return state;
}

/* --- rounds --- */

struct tracing_stream *tracing_stream_new(void)
{
    struct tracing_stream *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->want.event = handle_event;
    s->want.arg = s;
    return s;
}

void tracing_stream_free(struct tracing_stream *s)
{
    if (!s)
        return;
    if (s->runs)
        tracing_release(&s->tracing);
    free(s);
}
