#include "engine/sampling/browse.h"

#include "core/base/buf.h"
#include "core/browse/browse.h"
#include "engine/base/screen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

/* Of more samples than a timeline holds, and of a heap's sites, the times are not known. */
static size_t events_of(const struct sampled *s)
{
    bool all = !s->heap.processes && s->timeline.count == s->count.samples;
    return all ? s->timeline.count : 0;
}

/* --- a function's source --- */

static void count_cell(struct sampled_cell *of_node, uint32_t node, uint64_t samples,
                       uint64_t weight)
{
    of_node[node].samples += samples;
    of_node[node].weight += weight;
}

static void count_time(const struct browsing *b, const struct browse_scope *scope,
                       struct sampled_cell *of_node)
{
    const struct sampled *s = &b->sampling->sampled;
    for (size_t i = 0; i < s->timeline.count; i++) {
        struct browse_event e = event_at(b, i);
        if (e.time_ns >= scope->from_ns && e.time_ns < scope->to_ns &&
            browse_scope_has(&b->stacks, scope, e.thread))
            count_cell(of_node, s->timeline.one[i].node, 1, e.amount);
    }
}

static void count_cells(const struct browsing *b, const struct browse_scope *scope,
                        struct sampled_cell *of_node)
{
    const struct sampled *s = &b->sampling->sampled;
    for (size_t i = 0; i < s->cells.count; i++) {
        const struct sampled_cell *c = sampled_cell_at(s, i);
        uint32_t thread = s->threads.count ? b->indexes.thread[c->set] : STACKS_NONE;
        if (browse_scope_has(&b->stacks, scope, thread))
            count_cell(of_node, c->node, c->samples, c->weight);
    }
}

/* A heap's sites are of no thread, and weigh what they have at the peak. */
static void count_sites(const struct browsing *b, struct sampled_cell *of_node, size_t nodes)
{
    const struct heap_totals *h = &b->sampling->sampled.heap;
    for (uint32_t i = 0; i < h->sites && i < nodes; i++)
        count_cell(of_node, i, h->site[i].allocated.blocks, h->site[i].peak.bytes);
}

/* The samples in scope, a cell a node. 0 or -ENOMEM; the caller frees the cells. */
static int part_of_scope(const struct browsing *b, struct sampled_cell **cells,
                         struct sampled_part *part)
{
    const struct browse_scope *scope = browse_scope(b->browse);
    size_t nodes = b->sampling->sampled.nodes.count;
    struct sampled_cell *of_node = calloc(nodes + 1, sizeof *of_node);
    *part = (struct sampled_part){of_node, 0};
    *cells = of_node;
    if (!of_node)
        return -ENOMEM;
    if (b->sampling->sampled.heap.processes)
        count_sites(b, of_node, nodes);
    else
        (scope->by_time ? count_time : count_cells)(b, scope, of_node);
    for (uint32_t i = 0; i < nodes; i++)
        if (of_node[i].samples)
            of_node[part->count++] = (struct sampled_cell){
                .node = i, .samples = of_node[i].samples, .weight = of_node[i].weight};
    return 0;
}

static int annotate_function(struct browsing *b, struct annotate_text *text, struct fail *f)
{
    const struct stacks_function *function = browse_function(b->browse);
    SCOPED_FREE struct sampled_cell *cells = NULL;
    struct sampled_part part;
    struct sampling_view view = *b->view;
    *text = (struct annotate_text){0};
    int r = part_of_scope(b, &cells, &part);
    if (r < 0)
        fail_set(f, -r, "%s", function->name);
    view.form = SAMPLING_ANNOTATE;
    view.function = function->name;
    view.module = stacks_module_name(&b->stacks, function);
    view.part = &part;
    view.code = browse_wants_code(b->browse);
    return r == 0 ? sampling_annotated(b->sampling, &view, text, f) : r;
}

static void annotate(struct browsing *b)
{
    struct fail f = {0};
    SCOPED(annotate_text_release) struct annotate_text text;
    if (annotate_function(b, &text, &f) < 0) {
        SCOPED_BUF why = BUF_INIT;
        buf_printf(&why, f.err ? "%s: %s" : "%s", f.what, strerror(f.err));
        browse_no_text(b->browse, buf_str(&why), f.hint);
    } else
        browse_show_text(b->browse, &text);
}

/* --- the view --- */

static enum browse_action take_key(struct browsing *b, const struct key *k)
{
    const struct canvas *c = &b->screen.canvas;
    enum browse_action action = browse_press(b->browse, k, c->width, c->height);
    if (action == BROWSE_ANNOTATE)
        annotate(b);
    return action;
}

/* How it ended. */
static enum browse_action show(struct browsing *b)
{
    for (;;) {
        struct screen_event e;
        browse_draw(b->browse, &b->screen.canvas);
        screen_show(&b->screen);
        enum screen_kind kind = screen_event(&b->screen, NULL, 0, -1, &e);
        enum browse_action action = kind == SCREEN_KEY    ? take_key(b, &e.key)
                                    : kind == SCREEN_DRAW ? BROWSE_GO_ON
                                                          : BROWSE_END;
        if (action == BROWSE_END || action == BROWSE_NEXT_EVENT)
            return action;
    }
}

static int open_browser(struct browsing *b, const char *name, struct fail *f)
{
    bool several = b->sampling->source.events > 1;
    struct browse_source source = {.name = name,
                                   .sampled_by = several ? b->sampling->sampled.event.name : NULL,
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
        r = show(&b) == BROWSE_NEXT_EVENT;
        screen_close(&b.screen);
    }
    browse_free(b.browse);
    stacks_release(&b.stacks);
    sampled_indexes_release(&b.indexes);
    return r;
}
