#include "engine/base/screen.h"

#include "core/base/time_ns.h"
#include "plat/clock.h"
#include "plat/tty.h"

#include <errno.h>

enum { INTERRUPTS, NOTICES, INPUT, OUTPUT, OWN_HANDLES };
enum { READ_BYTES = KEYS_BYTES / 2 };

/* --- its life --- */

static int read_caps(struct screen *s, struct fail *f)
{
    struct caps_env env;
    tty_environment(&env);
    caps_read(&env, &s->caps);
    if (!tty_is_stdout_terminal()) {
        fail_set(f, 0, "standard output is not a terminal");
        return -ENOTTY;
    }
    if (s->caps.addressable)
        return 0;
    fail_set(f, 0, "the terminal cannot move its cursor: TERM=%.40s", env.term ? env.term : "");
    fail_hint(f, "set TERM to the terminal's type; most understand TERM=vt100");
    return -ENOTSUP;
}

static int fit_canvas(struct screen *s)
{
    int width, height;
    tty_size(&width, &height);
    int r = canvas_resize(&s->canvas, width, height);
    canvas_forget(&s->canvas);
    return r;
}

int screen_open(struct screen *s, bool mouse, struct fail *f)
{
    *s = (struct screen){.dropped = 0};
    int r = read_caps(s, f);
    if (r < 0)
        return r;
    if (fit_canvas(s) < 0)
        return fail_set(f, ENOMEM, "the screen");
    interrupt_open();
    r = tty_open(canvas_enter(mouse), canvas_leave(), f);
    s->ended = r == 0 && tty_input() < 0;
    if (r < 0)
        screen_close(s);
    return r;
}

void screen_close(struct screen *s)
{
    tty_close();
    canvas_release(&s->canvas);
    buf_release(&s->frame);
}

/* --- drawing --- */

static bool is_sent(const struct screen *s)
{
    return s->sent == s->frame.len;
}

static void write_frame(struct screen *s)
{
    int n = 1;
    while (!is_sent(s) && n > 0) {
        n = tty_write(s->frame.data + s->sent, s->frame.len - s->sent);
        s->sent += n > 0 ? (size_t)n : 0;
    }
    if (n < 0)
        s->gone = true;
}

void screen_show(struct screen *s)
{
    if (s->gone)
        return;
    s->frame_due = !is_sent(s) || !tty_drained();
    if (s->frame_due) {
        s->dropped++;
        return;
    }
    buf_clear(&s->frame);
    s->sent = 0;
    canvas_draw(&s->canvas, &s->caps, &s->frame);
    if (buf_error(&s->frame))
        buf_clear(&s->frame);
    write_frame(s);
}

/* --- what happened --- */

static bool read_interrupt(struct screen_event *event)
{
    event->signal = interrupt_read(&event->typed);
    return event->signal != 0;
}

static bool handle_notice(struct screen *s)
{
    enum tty_notice notice = tty_notice();
    if (notice == TTY_NOTHING)
        return false;
    if (notice == TTY_RESUMED)
        s->sent = s->frame.len;
    fit_canvas(s); /* without memory the old size stays, cut by the terminal */
    return true;
}

static bool output_ready(struct screen *s, bool gone)
{
    write_frame(s);
    s->gone |= gone;
    if (s->gone || !is_sent(s) || !s->frame_due)
        return false;
    s->frame_due = false;
    return true;
}

static void read_keys(struct screen *s)
{
    char bytes[READ_BYTES];
    int n = tty_read(bytes, sizeof bytes);
    if (n == -EAGAIN)
        return;
    s->ended = n <= 0;
    s->typed_ns = clock_mono_ns();
    if (n > 0)
        keys_add(&s->keys, bytes, (size_t)n);
    else
        keys_expire(&s->keys);
}

/* --- waiting --- */

static uint64_t keys_timeout_ns(const struct screen *s)
{
    return keys_partial(&s->keys) ? s->typed_ns + (uint64_t)KEYS_TIMEOUT_MS * NS_PER_MS
                                  : UINT64_MAX;
}

/* UINT64_MAX is never. */
static void wait_until(struct screen *s, struct wait_on *all, size_t n, uint64_t end_ns)
{
    uint64_t keys_ns = keys_timeout_ns(s), ns = end_ns < keys_ns ? end_ns : keys_ns;
    all[INTERRUPTS] = (struct wait_on){.handle = interrupt_open()};
    all[NOTICES] = (struct wait_on){.handle = tty_notices()};
    all[INPUT] = (struct wait_on){.handle = s->ended ? -1 : tty_input()};
    all[OUTPUT] = (struct wait_on){.handle = -1, .for_write = true};
    if (!s->gone && (s->frame_due || !is_sent(s)))
        all[OUTPUT].handle = tty_output();
    int ready =
        wait_ready(all, n + OWN_HANDLES, ns == UINT64_MAX ? -1 : ms_until(clock_mono_ns(), ns));
    if (ready == 0 && keys_partial(&s->keys) && clock_mono_ns() >= keys_ns)
        keys_expire(&s->keys);
}

static bool any_ready(const struct wait_on *on, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (on[i].ready)
            return true;
    return false;
}

/* What can be returned without waiting; -1: nothing. */
static int next_pending(struct screen *s, struct screen_event *event)
{
    if (keys_next(&s->keys, &event->key))
        return SCREEN_KEY;
    if (s->gone && !s->gone_reported) {
        s->gone_reported = true;
        return SCREEN_GONE;
    }
    if (s->ended && !s->end_reported) {
        s->end_reported = true;
        return SCREEN_END;
    }
    return -1;
}

/* What a wait brought: -1 nothing to tell yet. */
static int next_ready(struct screen *s, struct wait_on *all, size_t n, struct screen_event *event)
{
    if (all[INTERRUPTS].ready && read_interrupt(event))
        return SCREEN_INTERRUPT;
    if (all[NOTICES].ready && handle_notice(s))
        return SCREEN_DRAW;
    if (all[OUTPUT].ready && output_ready(s, all[OUTPUT].gone))
        return SCREEN_DRAW;
    bool others = any_ready(all + OWN_HANDLES, n);
    if (all[INPUT].ready && (!others || s->keys_turn)) {
        s->keys_turn = false;
        read_keys(s);
        return next_pending(s, event);
    }
    s->keys_turn = true;
    return others ? SCREEN_READY : -1;
}

static void set_flags(struct wait_on *on, size_t n, const struct wait_on *all, bool copy)
{
    for (size_t i = 0; i < n; i++) {
        on[i].ready = copy && all[i].ready;
        on[i].gone = copy && all[i].gone;
    }
}

enum screen_kind screen_event(struct screen *s, struct wait_on *on, size_t n, int timeout_ms,
                              struct screen_event *event)
{
    struct wait_on all[SCREEN_MAX_HANDLES + OWN_HANDLES];
    uint64_t end_ns =
        timeout_ms < 0 ? UINT64_MAX : clock_mono_ns() + (uint64_t)timeout_ms * NS_PER_MS;
    if (n > SCREEN_MAX_HANDLES)
        n = SCREEN_MAX_HANDLES;
    for (size_t i = 0; i < n; i++)
        all[i + OWN_HANDLES] = on[i];
    *event = (struct screen_event){.signal = 0};
    int kind = next_pending(s, event);
    while (kind < 0) {
        wait_until(s, all, n, end_ns);
        kind = next_ready(s, all, n, event);
        if (kind < 0)
            kind = next_pending(s, event);
        if (kind < 0 && clock_mono_ns() >= end_ns)
            kind = SCREEN_TIMEOUT;
    }
    set_flags(on, n, all + OWN_HANDLES, kind == SCREEN_READY);
    return (enum screen_kind)kind;
}
