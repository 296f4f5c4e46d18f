/*
 * screen: a live view on the terminal: a canvas, keys, and one wait for both and for the view's
 * data.
 *
 *     screen_open(&s, true, &f);
 *     draw on &s.canvas; screen_show(&s);
 *     for (;;)
 *         switch (screen_event(&s, on, n, 1000, &e)) {
 *         case SCREEN_KEY: ...
 *         case SCREEN_DRAW: case SCREEN_TIMEOUT: draw the whole; screen_show(&s); ...
 *         }
 *     screen_close(&s);
 *
 * The canvas has the terminal's size; screen_event changes it, so ask s.canvas.width at each
 * drawing. Between open and close nothing else writes to the terminal. However the process ends the
 * terminal is as before, SIGKILL apart.
 */
#pragma once

#include "core/base/fail.h"
#include "core/tui/canvas.h"
#include "core/tui/caps.h"
#include "core/tui/keys.h"
#include "plat/wait.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct screen {
    struct canvas canvas;
    size_t dropped; /* pictures that the terminal had no time for */
    /* the rest is its own */
    struct caps caps;
    struct keys keys;
    struct buf frame;
    size_t sent;       /* of the frame */
    uint64_t typed_ns; /* when the last bytes came */
    bool frame_due;    /* a frame was dropped, and none shown since */
    bool ended, gone;  /* the input, the terminal */
    bool end_reported, gone_reported;
    bool keys_turn;
};

enum screen_kind {
    SCREEN_KEY,   /* event->key */
    SCREEN_DRAW,  /* draw and show: another size, back from a stop, or a dropped frame is due */
    SCREEN_READY, /* of the other handles: see their flags */
    SCREEN_TIMEOUT,
    SCREEN_INTERRUPT, /* ^C, SIGTERM, SIGHUP: event->signal, event->typed (plat/wait.h) */
    SCREEN_END,       /* no more keys will come: reported once. The view may go on without */
    SCREEN_GONE,      /* nothing is shown any more: reported once. The view should end */
};

struct screen_event {
    struct key key;
    int signal;
    bool typed;
};

enum { SCREEN_MAX_HANDLES = 1000 };

/* -ENOTTY: standard output is no terminal. -ENOTSUP: it has no cursor that can be moved. Interrupts
 * are reported from here on, also after the close. */
int screen_open(struct screen *s, bool mouse, struct fail *f);
/* The terminal is as before. Harmless on one that did not open. */
void screen_close(struct screen *s);

/*
 * Waits for the next event, at most timeout_ms (negative: for ever). on: other handles to be waited
 * for, at most SCREEN_MAX_HANDLES; their flags are set with SCREEN_READY, and false otherwise.
 * Keys and handles have turns: a flood of one does not hold up the other.
 */
enum screen_kind screen_event(struct screen *s, struct wait_on *on, size_t n, int timeout_ms,
                              struct screen_event *event);

/* Shows the canvas. While the terminal still takes the last one this one is dropped, and
 * SCREEN_DRAW comes when there is room. */
void screen_show(struct screen *s);
