/* Samples on the screen, as they come. */
#include "sinks.h"

#include "engine/base/screen.h"
#include "screen.h"

#include <errno.h>

struct live {
    struct screen screen;
    struct stats_watch *watch;
    struct statsview *view;
    const struct stats_choice *choice;
    const struct stats_sink *sinks;
    size_t n;
    struct fail failed;
};

void stats_screen_draw(struct screen *screen, struct statsview *view)
{
    view->halves = screen->caps.unicode && screen->caps.colours == 8; /* the Linux console's font */
    statsview_draw(view, &screen->canvas);
    screen_show(screen);
}

static bool add_sample(struct live *l)
{
    int r = statsview_add_sample(l->view, &l->watch->sample);
    if (r < 0)
        fail_set(&l->failed, -r, "the graphs");
    bool on = stats_sinks_emit(l->sinks, l->n, &l->watch->sample, &l->failed);
    stats_screen_draw(&l->screen, l->view);
    return on && r == 0;
}

/* False when the view shall end. */
static bool handle_event(struct live *l, enum screen_kind kind, const struct screen_event *e)
{
    int64_t seek;
    switch (kind) {
    case SCREEN_KEY:
        if (statsview_press(l->view, &e->key, l->screen.canvas.height, &seek) == STATSVIEW_END)
            return false;
        stats_screen_draw(&l->screen, l->view);
        return true;
    case SCREEN_DRAW:
        stats_screen_draw(&l->screen, l->view);
        return true;
    default:
        return kind != SCREEN_INTERRUPT && kind != SCREEN_GONE;
    }
}

static void run_view(struct live *l)
{
    struct stats_waits waits;
    struct screen_event e;
    bool on = add_sample(l);
    while (on) {
        stats_sinks_handles(&waits, l->watch, l->sinks, l->n);
        enum screen_kind kind = screen_event(&l->screen, waits.on, waits.n,
                                             stats_sinks_wait_ms(l->watch, l->sinks, l->n), &e);
        on = handle_event(l, kind, &e);
        stats_sinks_ready(&waits, l->sinks, l->n);
        if (on && stats_watch_step(l->watch, l->choice))
            on = add_sample(l);
    }
}

int stats_live(struct stats_watch *w, const struct stats_choice *choice, struct statsview *v,
               const struct stats_sink *sinks, size_t n, struct fail *f)
{
    struct live l = {
        .watch = w, .view = v, .choice = choice ? choice : &v->choice, .sinks = sinks, .n = n};
    int r = screen_open(&l.screen, true, f);
    if (r < 0)
        return r;
    run_view(&l);
    screen_close(&l.screen);
    if (l.failed.what[0] && f)
        *f = l.failed;
    return l.failed.what[0] ? -(l.failed.err ? l.failed.err : EINVAL) : 0;
}
