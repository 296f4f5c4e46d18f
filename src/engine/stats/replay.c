/* A recording on the screen. */
#include "engine/stats/run.h"

#include "core/base/time_ns.h"
#include "plat/clock.h"
#include "screen.h"

struct replay_view {
    struct screen screen;
    struct stats_replay *replay;
    struct statsview *view;
    size_t next; /* the sample that comes next */
    uint64_t due_ns;
    int err;
};

static void add_next(struct replay_view *a)
{
    struct stats_sample s;
    stats_replay_sample(a->replay, a->next, &s);
    int r = statsview_add_sample(a->view, &s);
    if (r < 0)
        a->err = r;
    a->view->replay_index = ++a->next;
}

/* All samples that the view can show up to this one, which exists. */
static void seek_sample(struct replay_view *a, size_t to)
{
    statsview_forget(a->view);
    a->next = to >= STATSVIEW_HISTORY ? to - STATSVIEW_HISTORY + 1 : 0;
    while (a->next <= to && !a->err)
        add_next(a);
}

static void seek_by(struct replay_view *a, int64_t by)
{
    int64_t to = (int64_t)a->next - 1 + by, last = (int64_t)a->replay->samples - 1;
    a->view->paused = true;
    seek_sample(a, (size_t)(to < 0 ? 0 : to > last ? last : to));
}

static bool at_rest(const struct replay_view *a)
{
    return a->view->paused || a->next == a->replay->samples;
}

static void schedule_next(struct replay_view *a, uint64_t now_ns)
{
    a->due_ns = now_ns + (uint64_t)(a->replay->interval / a->view->speed * NS_PER_S);
}

static int wait_ms(const struct replay_view *a)
{
    int ms = ms_until(clock_mono_ns(), a->due_ns);
    return at_rest(a) ? -1 : ms;
}

static bool handle_key(struct replay_view *a, const struct key *key)
{
    int64_t by = 0;
    enum statsview_action wish = statsview_press(a->view, key, a->screen.canvas.height, &by);
    if (wish == STATSVIEW_SEEK)
        seek_by(a, by);
    schedule_next(a, clock_mono_ns());
    return wish != STATSVIEW_END;
}

/* False when the view shall end. */
static bool handle_event(struct replay_view *a, enum screen_kind kind, const struct screen_event *e)
{
    switch (kind) {
    case SCREEN_KEY:
        return handle_key(a, &e->key);
    case SCREEN_TIMEOUT:
        schedule_next(a, a->due_ns);
        add_next(a);
        return true;
    default:
        return kind != SCREEN_INTERRUPT && kind != SCREEN_GONE;
    }
}

int stats_replay_show(struct stats_replay *r, struct statsview *v, struct fail *f)
{
    struct replay_view a = {.replay = r, .view = v};
    struct screen_event e;
    int opened = screen_open(&a.screen, true, f);
    if (opened < 0)
        return opened;
    v->replay = true;
    v->replay_count = r->samples;
    add_next(&a);
    schedule_next(&a, clock_mono_ns());
    do
        stats_screen_draw(&a.screen, v);
    while (handle_event(&a, screen_event(&a.screen, NULL, 0, wait_ms(&a), &e), &e) && !a.err);
    screen_close(&a.screen);
    return a.err < 0 ? fail_set(f, -a.err, "the graphs") : 0;
}
