/* A recording on the screen. */
#include "engine/stats/run.h"

#include "core/base/time_ns.h"
#include "plat/clock.h"
#include "screen.h"

#include <errno.h>

struct again {
    struct screen screen;
    struct stats_replay *replay;
    struct statsview *view;
    size_t next; /* the sample that comes next */
    uint64_t due_ns;
    int err;
};

static void take_next(struct again *a)
{
    struct stats_sample s;
    stats_replay_sample(a->replay, a->next, &s);
    int r = statsview_take(a->view, &s);
    if (r < 0)
        a->err = r;
    a->view->at = ++a->next;
}

/* All that the picture can show up to this sample, which is there. */
static void seek(struct again *a, size_t to)
{
    statsview_forget(a->view);
    a->next = to >= STATSVIEW_HISTORY ? to - STATSVIEW_HISTORY + 1 : 0;
    while (a->next <= to && !a->err)
        take_next(a);
}

static void seek_by(struct again *a, int64_t by)
{
    int64_t to = (int64_t)a->next - 1 + by, last = (int64_t)a->replay->samples - 1;
    a->view->paused = true;
    seek(a, (size_t)(to < 0 ? 0 : to > last ? last : to));
}

static bool at_rest(const struct again *a)
{
    return a->view->paused || a->next == a->replay->samples;
}

static void due_from(struct again *a, uint64_t now_ns)
{
    a->due_ns = now_ns + (uint64_t)(a->replay->interval / a->view->speed * NS_PER_S);
}

static int wait_ms(const struct again *a)
{
    int ms = ms_until(clock_mono_ns(), a->due_ns);
    return at_rest(a) ? -1 : ms;
}

static bool take_key(struct again *a, const struct key *key)
{
    int64_t by = 0;
    enum statsview_wish wish = statsview_press(a->view, key, a->screen.canvas.height, &by);
    if (wish == STATSVIEW_SEEK)
        seek_by(a, by);
    due_from(a, clock_mono_ns());
    return wish != STATSVIEW_END;
}

/* False when the view shall end. */
static bool take_event(struct again *a, enum screen_kind kind, const struct screen_event *e)
{
    switch (kind) {
    case SCREEN_KEY:
        return take_key(a, &e->key);
    case SCREEN_TIMEOUT:
        due_from(a, a->due_ns);
        take_next(a);
        return true;
    default:
        return kind != SCREEN_INTERRUPT && kind != SCREEN_GONE;
    }
}

int stats_again(struct stats_replay *r, struct statsview *v, struct fail *f)
{
    struct again a = {.replay = r, .view = v};
    struct screen_event e;
    int opened = screen_open(&a.screen, true, f);
    if (opened < 0)
        return opened;
    v->replay = true;
    v->of = r->samples;
    take_next(&a);
    due_from(&a, clock_mono_ns());
    do
        stats_screen_draw(&a.screen, v);
    while (take_event(&a, screen_event(&a.screen, NULL, 0, wait_ms(&a), &e), &e) && !a.err);
    screen_close(&a.screen);
    return a.err < 0 ? fail_set(f, -a.err, "the graphs") : 0;
}
