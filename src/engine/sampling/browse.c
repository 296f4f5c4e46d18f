#include "engine/sampling/browse.h"

#include "core/base/buf.h"
#include "core/browse/browse.h"
#include "engine/base/screen.h"

#include <errno.h>
#include <stdlib.h>

struct browsing {
    struct sampling *sampling;
    const struct sampling_view *view;
    struct stacks stacks;
    struct sampled_indexes indexes;
    struct browse *browse;
    struct screen screen;
};

static struct browse_event event_at(const void *arg, size_t i)
{
    const struct browsing *b = arg;
    const struct sampled *s = &b->sampling->sampled;
    const struct sampled_one *one = &s->timeline.one[i];
    return (struct browse_event){one->time_ns > s->first_ns ? one->time_ns - s->first_ns : 0,
                                 one->weight, b->indexes.thread[one->thread],
                                 b->indexes.node[one->node]};
}

/* Of more samples than a timeline holds the times are not known. */
static size_t events_of(const struct sampled *s)
{
    return s->timeline.count == s->count.samples ? s->timeline.count : 0;
}

static void annotate(struct browsing *b)
{
    struct fail f;
    struct buf text = BUF_INIT;
    const struct stacks_function *function = browse_function(b->browse);
    struct sampling_view view = *b->view;
    view.form = SAMPLING_ANNOTATE;
    view.function = function->name;
    view.size = (struct report_size){0};
    if (sampling_report(b->sampling, &view, &text, &f) < 0)
        browse_say(b->browse, f.what);
    else
        browse_show_text(b->browse, buf_str(&text));
    buf_release(&text);
}

static bool take_key(struct browsing *b, const struct key *k)
{
    const struct canvas *c = &b->screen.canvas;
    enum browse_action action = browse_press(b->browse, k, c->width, c->height);
    if (action == BROWSE_ANNOTATE)
        annotate(b);
    return action != BROWSE_END;
}

static void show(struct browsing *b)
{
    struct screen_event e;
    enum screen_kind kind;
    do {
        browse_draw(b->browse, &b->screen.canvas);
        screen_show(&b->screen);
        kind = screen_event(&b->screen, NULL, 0, -1, &e);
    } while (kind == SCREEN_DRAW || (kind == SCREEN_KEY && take_key(b, &e.key)));
}

static int open_browser(struct browsing *b, const char *name, struct fail *f)
{
    struct browse_source source = {.name = name,
                                   .stacks = &b->stacks,
                                   .events = events_of(&b->sampling->sampled),
                                   .event = event_at,
                                   .arg = b};
    b->browse = browse_new(&source);
    return b->browse ? 0 : fail_set(f, ENOMEM, "%s", name);
}

int sampling_browse(struct sampling *s, const struct sampling_view *view, const char *name,
                    struct fail *f)
{
    struct browsing b = {.sampling = s, .view = view};
    int r = sampling_stacks_indexed(s, view, &b.stacks, &b.indexes, f);
    if (r == 0)
        r = open_browser(&b, name, f);
    if (r == 0) {
        r = screen_open(&b.screen, true, f);
        if (r < 0)
            fail_hint(f, "without --browse the report is printed");
    }
    if (r == 0) {
        show(&b);
        screen_close(&b.screen);
    }
    browse_free(b.browse);
    stacks_release(&b.stacks);
    sampled_indexes_release(&b.indexes);
    return r;
}
