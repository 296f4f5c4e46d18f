/*
 * timeline: draws the scheduler's events in a terminal: rows of tasks or of CPUs, runs as blocks,
 * other events as arrows (trace(1)); and handles the keys.
 *
 *     timeline_init(&t, &spans, &names);
 *     timeline_event(&t, &event)      for each event, after sched_spans_add; true: freeze
 *     t.now_ns = ...                  the right edge while it follows
 *     timeline_draw(&t, &canvas, &caps);
 *     timeline_press(&t, &key, &canvas)
 *
 * What is drawn is what spans keeps. Memory of its own: 4 bytes a row, and the last events for the
 * list of them. Times are shown from the start of the trace.
 */
#pragma once

#include "core/timeline/timeline_model.h"
#include "core/timeline/trigger.h"
#include "core/trace/task_names.h"
#include "core/tui/canvas.h"
#include "core/tui/list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How much time the width of the view is: FORMATS 8, from trace(1)'s own table. */
struct timeline_scale {
    const char *name;
    uint64_t span_us;
    uint32_t big_us, little_us; /* between ticks */
    uint32_t redraw_ms;         /* the shortest time between two frames */
};
enum { TIMELINE_SCALES = 20, TIMELINE_SCALE_FIRST = 7 };
extern const struct timeline_scale timeline_scales[TIMELINE_SCALES];

enum timeline_order { TIMELINE_ARRIVAL, TIMELINE_RAN, TIMELINE_NAME, TIMELINE_ORDERS };
enum timeline_typing { TIMELINE_NO, TIMELINE_FILTER, TIMELINE_SEARCH, TIMELINE_LATE };

enum { TIMELINE_TEXT = 64, TIMELINE_LAST = 64, TIMELINE_MESSAGE = 160 };

/* What is shown and how. */
struct timeline_view {
    bool by_cpu, help, verbose;
    bool follow; /* the right edge is now; else left_ns counts */
    enum timeline_order order;
    int scale; /* of timeline_scales */
    int lines; /* per row; 0: as many as fit, 1 to 3 */
    uint64_t left_ns;
    bool has_cursor; /* there is a cursor, at: */
    uint64_t cursor_ns;
    struct list rows; /* the shown ones */
};

/* What is typed, and the answer to it. */
struct timeline_input {
    enum timeline_typing typing;
    char typed[TIMELINE_TEXT], filter[TIMELINE_TEXT], search[TIMELINE_TEXT];
    bool save; /* the key s: the caller writes what is kept, reports it in message, and clears it */
    char message[TIMELINE_MESSAGE]; /* shown until the next key */
};

struct timeline_shown {
    uint32_t *row; /* numbers of spans->row, or CPUs, of view.rows */
    size_t cap;
};

/* The last events, a ring, for the list. */
struct timeline_recent {
    struct sched_event event[TIMELINE_LAST];
    size_t count;
};

struct timeline {
    struct sched_spans *spans;
    const struct sched_names *names;
    const char *source;           /* the caller's: "live", a file's name */
    uint64_t now_ns;              /* of the newest that is known */
    bool live;                    /* more will come */
    struct sched_trigger trigger; /* on which it freezes */
    bool frozen;                  /* by the trigger: the caller takes no events until it is not */
    struct timeline_view view;
    struct timeline_input input;
    struct timeline_shown shown;
    struct timeline_recent recent;
};

/* spans and names outlive it. */
void timeline_init(struct timeline *t, struct sched_spans *spans, const struct sched_names *names);
void timeline_release(struct timeline *t);

/* The smallest scale that has all of it up to now_ns in view. */
void timeline_fit(struct timeline *t);

/* Shows a time, and who waited until then, of a trace that has ended. */
void timeline_open_at(struct timeline *t, const struct canvas *c, uint64_t at_ns);

/* Takes note of an event; whether it is the one on which to freeze, which is then done. */
bool timeline_event(struct timeline *t, const struct sched_event *e);

/* What a key does on such a canvas. False: the view shall end. */
bool timeline_press(struct timeline *t, const struct key *key, const struct canvas *c);

/* caps: what its terminal can show. */
void timeline_draw(struct timeline *t, struct canvas *c, const struct caps *caps);
