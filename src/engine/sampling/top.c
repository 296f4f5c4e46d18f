#include "engine/sampling/top.h"

#include "core/base/time_ns.h"
#include "core/report/top.h"
#include "engine/base/screen.h"
#include "plat/clock.h"
#include "plat/guard.h"
#include "plat/memory.h"

#include <errno.h>
#include <stdlib.h>

#define UPDATE_NS NS_PER_S

struct live {
    struct screen screen;
    struct top top;
    struct demangler names;
    struct sampling *sampling;
    struct forget forget;
    size_t nodes;        /* whose modules are ready */
    uint64_t updated_ns; /* before the first time: when the sampling began */
    bool started;
    bool forgets; /* modules that nothing has mapped */
};

static void draw_view(struct live *l)
{
    top_draw(&l->top, &l->screen.canvas);
    screen_show(&l->screen);
}

static int update_view(void *arg)
{
    struct live *l = arg;
    const struct sampled *s = &l->sampling->sampled;
    for (; l->nodes < s->nodes.count; l->nodes++) {
        uint32_t module = sampled_node_at(s, (uint32_t)l->nodes)->module;
        struct module *m = sampled_module(s, module);
        if (m)
            symbols_ready(&l->sampling->symbols, m);
    }
    if (top_update(&l->top, s, l->sampling->run.counted_ns))
        sampled_recent_clear(&l->sampling->sampled);
    return 0;
}

/* What does not run any more: its descriptors, its threads. */
static void forget_ended(struct live *l)
{
    SCOPED_FREE uint32_t *moved = NULL;
    symbols_sweep_jits(&l->sampling->symbols);
    sampled_fold_ended(&l->sampling->sampled, &moved);
    if (moved)
        top_moved(&l->top, moved);
}

static bool is_shown(void *arg, uint32_t module)
{
    const struct live *l = arg;
    return top_shows_module(&l->top, module, l->screen.canvas.height);
}

/* The modules that nothing has mapped any more. */
static void forget_modules(struct live *l)
{
    struct forgotten left;
    struct symbols *symbols = &l->sampling->symbols;
    size_t bytes = symbols->memory.limit - symbols->memory.left + symbols->jit_bytes;
    if (!sampled_forget(&l->sampling->sampled, &l->forget, clock_mono_ns(), bytes, &left))
        return;
    top_forgot(&l->top, &left);
    l->nodes = 0;
    symbols_forget(symbols, left.gone, left.gone_count);
    forgotten_release(&left);
    memory_trim();
}

static void renumbered(void *arg, const struct forgotten *to)
{
    struct live *l = arg;
    top_forgot(&l->top, to);
    l->nodes = 0;
}

/* A crash in a module's file costs this update, and that file. */
static void round_read(void *arg, const struct sampled *so_far)
{
    struct live *l = arg;
    uint64_t now = clock_mono_ns();
    if (!l->started)
        l->updated_ns = l->top.start_ns = l->sampling->run.counted_ns;
    l->started = true;
    if (now - l->updated_ns < UPDATE_NS)
        return;
    l->updated_ns = now;
    l->top.method = l->sampling->method;
    if (guard_call(update_view, l, NULL) == -EFAULT)
        symbols_drop_truncated(&l->sampling->sampled.mapped.modules);
    forget_ended(l);
    if (l->forgets)
        forget_modules(l);
    draw_view(l);
}

/* False when the view shall end. */
static bool handle_event(struct live *l, enum screen_kind kind, const struct screen_event *e)
{
    switch (kind) {
    case SCREEN_KEY:
        if (!top_press(&l->top, &e->key, l->screen.canvas.height))
            return false;
        draw_view(l);
        return true;
    case SCREEN_DRAW:
        draw_view(l);
        return true;
    case SCREEN_INTERRUPT:
        l->sampling->command.interrupted = e->signal;
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
    uint64_t end = clock_mono_ns() + (uint64_t)timeout_ms * NS_PER_MS;
    for (;;) {
        int left = ms_until(clock_mono_ns(), end);
        enum screen_kind kind = screen_event(&l->screen, on + 1, n - 1, left, &e);
        if (kind == SCREEN_READY || kind == SCREEN_TIMEOUT)
            return true;
        if (!handle_event(l, kind, &e))
            return false;
        if (clock_mono_ns() >= end)
            return true;
    }
}

int sampling_top(const struct sampling_want *want, bool no_demangle, struct sampling *s,
                 struct fail *f)
{
    struct live l = {.sampling = s, .names = {.off = no_demangle}, .forgets = want->forgets};
    l.forget = (struct forget){.is_shown = is_shown, .arg = &l};
    struct sampling_want w = *want;
    w.by = SAMPLED_BY_THREAD;
    w.round = round_read;
    w.renumbered = renumbered;
    w.wait = wait_on_screen;
    w.waits_live = want->waits;
    w.recent = true;
    w.arg = &l;
    *s = (struct sampling){0};
    int r = screen_open(&l.screen, true, f);
    if (r < 0) {
        fail_hint(f, "use -t SECONDS instead of --top for a report");
        return r;
    }
    top_init(&l.top, &l.names);
    draw_view(&l);
    r = sampling_run(&w, s, f);
    screen_close(&l.screen);
    top_release(&l.top);
    demangler_release(&l.names);
    return r;
}
