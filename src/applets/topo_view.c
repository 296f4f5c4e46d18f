#include "applets/topo_view.h"

#include "core/topo/view.h"
#include "engine/base/screen.h"

static bool take_event(struct topo_view *v, enum screen_kind kind, const struct screen_event *e)
{
    if (kind == SCREEN_KEY)
        return topo_view_key(v, &e->key);
    return kind == SCREEN_DRAW;
}

static void show(struct topo_view *v, struct screen *s)
{
    struct screen_event e;
    enum screen_kind kind;
    do {
        topo_view_draw(v, &s->canvas);
        screen_show(s);
        kind = screen_event(s, NULL, 0, -1, &e);
    } while (take_event(v, kind, &e));
}

int topo_view_run(const struct topo *t)
{
    SCOPED(topo_view_release) struct topo_view v;
    struct screen s = {0};
    struct fail f;
    int r = topo_view_init(&v, t);
    if (r < 0)
        fail_set(&f, -r, "-w");
    else
        r = screen_open(&s, false, &f);
    if (r == 0) {
        show(&v, &s);
        screen_close(&s);
    }
    return r < 0 ? applet_fail(&applet_topo, &f) : DONE;
}
