#include "engine/trace/view.h"

#include "core/base/time_ns.h"
#include "core/containers/imap.h"
#include "core/text/counted.h"
#include "core/timeline/view.h"
#include "engine/base/screen.h"
#include "plat/clock.h"
#include "plat/file_stream.h"
#include "snapshot.h"

#include <stdio.h>
#include <string.h>

enum { MIN_DRAW_MS = 40 };

struct live {
    struct screen screen;
    bool open, quit;
    bool whole; /* a recording that is all there */
    struct timeline timeline;
    struct sched_spans spans;
    const struct tracing_view *view;
    const struct tracing *tracing;
    struct sched_names *names;    /* its */
    struct tracing_snapshot kept; /* of what is traced */
    bool begun;
    uint64_t waited_ns, known_ns; /* ends of the last wait, and of the one before */
    uint64_t drawn_ns;
    struct imap passed; /* CPU + 1 -> events while frozen */
};

/* --- events --- */

static void begin_view(struct live *l, const struct tracing *t, uint64_t begin_ns)
{
    if (l->begun)
        return;
    sched_spans_init(&l->spans, &l->view->keep, begin_ns);
    l->spans.names = l->names;
    l->timeline.names = &t->names;
    l->timeline.now_ns = begin_ns;
    l->begun = true;
}

static void add_event(struct live *l, const struct sched_event *e)
{
    if (!l->whole)
        tracing_snapshot_add(&l->kept, e);
    sched_spans_add(&l->spans, e);
    timeline_event(&l->timeline, e);
    if (e->kind != SCHED_DEADLINE && e->time_ns > l->timeline.now_ns)
        l->timeline.now_ns = e->time_ns;
}

/* What was passed over, as lost on each CPU up to here. */
static void end_freeze(struct live *l, uint64_t time_ns)
{
    struct imap_slot slot;
    for (size_t i = 0; imap_next(&l->passed, &i, &slot);) {
        struct sched_event lost = {.kind = SCHED_LOST,
                                   .time_ns = time_ns,
                                   .pid = -1,
                                   .other = -1,
                                   .cpu = (int16_t)(slot.key - 1),
                                   .arg = (uint32_t)slot.value};
        tracing_snapshot_add(&l->kept, &lost);
        sched_spans_add(&l->spans, &lost);
    }
    imap_release(&l->passed);
    sched_trigger_forget(&l->timeline.trigger);
}

static void skip_event(struct live *l, const struct sched_event *e)
{
    uint64_t *count = e->cpu >= 0 ? imap_at(&l->passed, (uint64_t)e->cpu + 1) : NULL;
    if (count)
        ++*count;
}

static void handle_event(void *arg, const struct tracing *t, const struct sched_event *e)
{
    struct live *l = arg;
    begin_view(l, t, t->file.plan9 ? 0 : t->begin_ns);
    if (l->timeline.frozen) {
        skip_event(l, e);
        return;
    }
    if (l->passed.used)
        end_freeze(l, e->time_ns);
    add_event(l, e);
}

static void note_other(void *arg, const struct tracing *t, const struct sched_event *e)
{
    struct live *l = arg;
    sched_trigger_other(&l->timeline.trigger, e);
}

/* --- the screen --- */

static void draw_view(struct live *l)
{
    l->drawn_ns = clock_mono_ns();
    timeline_draw(&l->timeline, &l->screen.canvas, &l->screen.caps);
    screen_show(&l->screen);
}

static void save_snapshot(struct live *l)
{
    char name[TRACING_SNAPSHOT_NAME];
    char *to = l->timeline.input.message;
    struct fail f = {0};
    l->timeline.input.save = false;
    if (l->whole)
        snprintf(to, TIMELINE_MESSAGE, "already a recording: %s", l->view->path);
    else if (tracing_snapshot_save(&l->kept, l->tracing, name, &f) < 0)
        snprintf(to, TIMELINE_MESSAGE, "not saved: %.60s: %.60s", f.what, strerror(f.err));
    else
        snprintf(to, TIMELINE_MESSAGE, "saved: %s, %s", name, counted(l->kept.count, "event").text);
}

/* False when the view shall end. */
static bool handle_screen(struct live *l, enum screen_kind kind, const struct screen_event *e)
{
    switch (kind) {
    case SCREEN_KEY:
        if (!timeline_press(&l->timeline, &e->key, &l->screen.canvas))
            return false;
        if (l->timeline.input.save)
            save_snapshot(l);
        draw_view(l);
        return true;
    case SCREEN_DRAW:
        draw_view(l);
        return true;
    case SCREEN_INTERRUPT:
        return false;
    default:
        return kind != SCREEN_GONE;
    }
}

/* The first handle is the interrupts', which the screen tells of itself. */
static bool wait_on_screen(void *arg, struct wait_on *on, size_t n, int timeout_ms)
{
    struct live *l = arg;
    struct screen_event e;
    uint64_t end = clock_mono_ns() + (uint64_t)timeout_ms * NS_PER_MS, now;
    bool goes_on = true;
    do {
        now = clock_mono_ns();
        enum screen_kind kind = screen_event(&l->screen, on + 1, n - 1, ms_until(now, end), &e);
        if (kind == SCREEN_READY || kind == SCREEN_TIMEOUT)
            break;
        goes_on = handle_screen(l, kind, &e);
    } while (goes_on && now < end);
    l->known_ns = l->waited_ns;
    l->waited_ns = clock_mono_ns();
    l->quit = !goes_on;
    return goes_on;
}

/* All events before the start of the round before this one are known; a stream's clock may be
 * another machine's. */
static void round_read(void *arg, const struct tracing *t)
{
    struct live *l = arg;
    uint64_t redraw_ms = timeline_scales[l->timeline.view.scale].redraw_ms;
    begin_view(l, t, t->begin_ns);
    if (!l->view->path && !l->timeline.frozen && l->known_ns > l->timeline.now_ns)
        l->timeline.now_ns = l->known_ns;
    if (redraw_ms < MIN_DRAW_MS)
        redraw_ms = MIN_DRAW_MS;
    if (clock_mono_ns() - l->drawn_ns >= redraw_ms * NS_PER_MS)
        draw_view(l);
}

/* Until a key ends it. */
static void run_view(struct live *l)
{
    struct screen_event e;
    l->timeline.live = false;
    draw_view(l);
    for (;;) {
        enum screen_kind kind = screen_event(&l->screen, NULL, 0, -1, &e);
        if (kind == SCREEN_END || !handle_screen(l, kind, &e))
            return;
    }
}

/* --- running --- */

static int open_view(struct live *l, struct fail *f)
{
    int r = screen_open(&l->screen, true, f);
    l->open = r == 0;
    if (r < 0)
        fail_hint(f, "--summary, -e and -v work without a terminal; -o html:FILE writes a page");
    return r;
}

static int trace_live(struct live *l, const struct tracing_want *want, struct tracing *t,
                      struct fail *f)
{
    int r = open_view(l, f);
    if (r < 0)
        return r;
    l->timeline.live = true;
    r = l->view->path ? tracing_read(want, l->view->path, t, f) : tracing_run(want, t, f);
    if (r == 0 && !l->quit)
        run_view(l);
    return r;
}

static int trace_first(struct live *l, const struct tracing_want *want, struct tracing *t,
                       struct fail *f)
{
    int r = l->view->path ? tracing_read(want, l->view->path, t, f) : tracing_run(want, t, f);
    if (r == 0)
        r = tracing_wait(t, f);
    if (r == 0)
        r = open_view(l, f);
    if (r == 0) {
        begin_view(l, t, t->begin_ns);
        timeline_fit(&l->timeline);
        if (l->view->opens_at)
            timeline_open_at(&l->timeline, &l->screen.canvas, l->spans.begin_ns + l->view->at_ns);
        run_view(l);
    }
    return r;
}

int tracing_view(const struct tracing_want *want, const struct tracing_view *view,
                 struct tracing *t, struct fail *f)
{
    struct live l = {.view = view, .tracing = t, .names = &t->names};
    l.whole = view->path && file_stream_kind(view->path) != FILE_SERVED;
    struct tracing_want w = *want;
    bool first = l.whole || want->command;
    *t = (struct tracing){.record.handle = -1};
    timeline_init(&l.timeline, &l.spans, &t->names);
    l.timeline.trigger = view->trigger;
    l.timeline.source = view->source;
    w.event = handle_event;
    w.other = note_other;
    w.round = first ? NULL : round_read;
    w.wait = first ? NULL : wait_on_screen;
    w.arg = &l;
    int r = first ? trace_first(&l, &w, t, f) : trace_live(&l, &w, t, f);
    if (l.open)
        screen_close(&l.screen);
    timeline_release(&l.timeline);
    sched_spans_release(&l.spans);
    imap_release(&l.passed);
    tracing_snapshot_release(&l.kept);
    return r;
}
